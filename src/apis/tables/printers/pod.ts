import type { ContainerStatus, Pod } from '../../types/core-v1.ts';
import type { TableRowCondition } from '../../types/meta-v1.ts';
import { ageSince } from '../age.ts';
import { orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

const finished: Readonly<Record<string, TableRowCondition>> = {
  Succeeded: {
    type: 'Completed',
    status: 'True',
    reason: 'Succeeded',
    message: 'The pod has completed successfully.',
  },
  Failed: { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
};

/** What the containers of a pod amount to. */
interface Progress {
  readonly reason: string;
  readonly restarts: number;
  readonly readyContainers: number;
}

/** Rows of pods. */
export const podPrinter: RowPrinter<Pod> = {
  cells(pod, { nowMs }) {
    const { spec, status, metadata } = pod;
    const progress = initProgress(pod) ?? containerProgress(pod);
    return [
      metadata.name ?? '',
      `${progress.readyContainers}/${spec.containers?.length ?? 0}`,
      deletionReason(pod) ?? progress.reason,
      progress.restarts,
      ageSince(metadata.creationTimestamp, nowMs),
      orNone(status.podIPs?.[0]?.ip),
      orNone(spec.nodeName),
      orNone(status.nominatedNodeName),
      readinessGates(pod),
    ];
  },
  conditions({ status }) {
    const condition = finished[status.phase ?? ''];
    return condition === undefined ? [] : [condition];
  },
};

function deletionReason({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined || metadata.deletionTimestamp === null) return undefined;
  // The node does not answer, so nobody knows whether the pod still runs.
  return status.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
}

function baseReason({ status }: Pod): string {
  return status.reason !== undefined && status.reason !== '' ? status.reason : (status.phase ?? '');
}

/** The first init container that is not done; undefined when there is none. */
function initProgress(pod: Pod): Progress | undefined {
  let restarts = 0;
  for (const [index, container] of (pod.status.initContainerStatuses ?? []).entries()) {
    restarts += container.restartCount;
    if (container.state?.terminated?.exitCode === 0) continue;
    const position = `${index}/${pod.spec.initContainers?.length ?? 0}`;
    return { reason: `Init:${initReason(container) ?? position}`, restarts, readyContainers: 0 };
  }
  return undefined;
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated !== undefined) return terminationReason(state.terminated);
  const reason = state?.waiting?.reason ?? '';
  return reason === '' || reason === 'PodInitializing' ? undefined : reason;
}

function terminationReason(end: {
  reason?: string | undefined;
  signal?: number | undefined;
  exitCode: number;
}): string {
  if (end.reason !== undefined && end.reason !== '') return end.reason;
  const signal = end.signal ?? 0;
  return signal === 0 ? `ExitCode:${end.exitCode}` : `Signal:${signal}`;
}

/** From the last container to the first, so that the first one with something to say wins. */
function containerProgress(pod: Pod): Progress {
  let reason = baseReason(pod);
  let restarts = 0;
  let readyContainers = 0;
  for (const { state, ready, restartCount } of (pod.status.containerStatuses ?? []).toReversed()) {
    restarts += restartCount;
    const waiting = state?.waiting?.reason ?? '';
    if (waiting !== '') reason = waiting;
    else if (state?.terminated !== undefined) reason = terminationReason(state.terminated);
    else if (ready && state?.running !== undefined) readyContainers += 1;
  }
  // One container is done while another still runs.
  if (reason === 'Completed' && readyContainers > 0) reason = isReady(pod) ? 'Running' : 'NotReady';
  return { reason, restarts, readyContainers };
}

function isReady({ status }: Pod): boolean {
  return (status.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return orNone('');
  const passed = gates.filter((gate) => {
    const condition = status.conditions?.find(({ type }) => type === gate.conditionType);
    return condition?.status === 'True';
  });
  return `${passed.length}/${gates.length}`;
}
