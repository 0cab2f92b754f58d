import type {
  Container,
  ContainerFilter,
  ContainerMetadata,
  ContainerStatus,
  Mount,
} from '../runtime/index.ts';
import type {
  ContainerFilter as ContainerFilterMessage,
  Container as ContainerMessage,
  ContainerMetadata as ContainerMetadataMessage,
  ContainerStatus as ContainerStatusMessage,
  Mount as MountMessage,
} from './messages.ts';
import type { Sparse } from './protocol.ts';
import { readEnum, readPastTimeMs, readTimeMs } from './read-values.ts';
import { propagations } from './write-container-config.ts';

/** Numbers of the interface's `ContainerState`. */
const containerStates = { created: 0, running: 1, exited: 2, unknown: 3 } as const;

/** A container of a list. */
export function readContainer(message: ContainerMessage): Container {
  return { ...readCommon(message), podSandboxId: message.pod_sandbox_id };
}

/** A container's status. */
export function readContainerStatus(message: ContainerStatusMessage): ContainerStatus {
  return {
    ...readCommon(message),
    startedAtMs: readPastTimeMs(message.started_at),
    finishedAtMs: readPastTimeMs(message.finished_at),
    exitCode: message.exit_code,
    reason: message.reason,
    message: message.message,
    mounts: message.mounts.map(readMount),
    logPath: message.log_path,
  };
}

/** The message of a filter. */
export function writeContainerFilter(filter: ContainerFilter): Sparse<ContainerFilterMessage> {
  return {
    id: filter.id,
    pod_sandbox_id: filter.podSandboxId,
    state: filter.state && { state: containerStates[filter.state] },
    label_selector: filter.labels,
  };
}

/** What makes a container unique; also in its figures. */
export function readContainerMetadata(message: ContainerMetadataMessage | null): ContainerMetadata {
  const { name = '', attempt = 0 } = message ?? {};
  return { name, attempt };
}

function readCommon(message: ContainerMessage | ContainerStatusMessage): Omit<Container, 'podSandboxId'> {
  return {
    id: message.id,
    metadata: readContainerMetadata(message.metadata),
    image: message.image?.image ?? '',
    imageRef: message.image_ref,
    state: readEnum(containerStates, message.state, 'unknown'),
    createdAtMs: readTimeMs(message.created_at),
    labels: message.labels,
    annotations: message.annotations,
  };
}

function readMount(message: MountMessage): Mount {
  return {
    containerPath: message.container_path,
    hostPath: message.host_path,
    isReadOnly: message.readonly,
    relabelsSelinux: message.selinux_relabel,
    propagation: readEnum(propagations, message.propagation, 'private'),
  };
}
