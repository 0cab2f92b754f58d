import type { NamespaceOptions, PodSandbox } from '../runtime/index.ts';
import { type OwnLabels, readCreatedAtMs, readLabels } from './container-labels.ts';
import { parseSandboxName } from './container-names.ts';
import type { ContainerDetails, ContainerSummary } from './engine-types.ts';

/** How the driver's own marks on the engine's containers are read. */
export interface ReadMarks {
  readonly prefix: string;
  readonly ownLabels: OwnLabels;
}

/** A sandbox of a list; undefined for containers that this driver did not create as one. */
export function readSandboxSummary(summary: ContainerSummary, marks: ReadMarks): PodSandbox | undefined {
  const metadata = parseSandboxName(
    marks.prefix,
    summary.Names?.find((name) => !name.slice(1).includes('/')) ?? '',
  );
  if (metadata === undefined) return undefined;
  return {
    id: summary.Id,
    metadata,
    state: summary.State === 'running' ? 'ready' : 'not-ready',
    createdAtMs: readCreatedAtMs(summary.Labels, marks.ownLabels, summary.Created * 1000),
    ...readLabels(summary.Labels, marks.ownLabels),
    runtimeHandler: '',
  };
}

/** An inspected sandbox; undefined for containers that this driver did not create as one. */
export function readSandbox(details: ContainerDetails, marks: ReadMarks): PodSandbox | undefined {
  const metadata = parseSandboxName(marks.prefix, details.Name);
  const { Labels } = details.Config;
  if (metadata === undefined || Labels?.[marks.ownLabels.type] !== 'podsandbox') return undefined;
  return {
    id: details.Id,
    metadata,
    state: details.State.Running ? 'ready' : 'not-ready',
    createdAtMs: readCreatedAtMs(Labels, marks.ownLabels, Date.parse(details.Created)),
    ...readLabels(Labels, marks.ownLabels),
    runtimeHandler: '',
  };
}

/** Namespace modes of a sandbox. Whether its containers share a PID namespace is recorded with each container. */
export function readNamespaces({ HostConfig }: ContainerDetails): NamespaceOptions {
  return {
    network: HostConfig.NetworkMode === 'host' ? 'node' : 'pod',
    pid: HostConfig.PidMode === 'host' ? 'node' : 'container',
    ipc: HostConfig.IpcMode === 'host' ? 'node' : 'pod',
  };
}
