import type {
  NamespaceOptions,
  PodSandbox,
  PodSandboxFilter,
  PodSandboxMetadata,
  PodSandboxStatus,
} from '../runtime/index.ts';
import type {
  NamespaceOption,
  PodSandboxFilter as PodSandboxFilterMessage,
  PodSandbox as PodSandboxMessage,
  PodSandboxMetadata as PodSandboxMetadataMessage,
  PodSandboxStatus as PodSandboxStatusMessage,
} from './messages.ts';
import type { Sparse } from './protocol.ts';
import { readEnum, readTimeMs } from './read-values.ts';
import { namespaceModes } from './write-security.ts';

/** Numbers of the interface's `PodSandboxState`. */
const sandboxStates = { ready: 0, 'not-ready': 1 } as const;

/** A sandbox of a list. */
export function readSandbox(message: PodSandboxMessage): PodSandbox {
  return {
    id: message.id,
    metadata: readMetadata(message.metadata),
    state: readEnum(sandboxStates, message.state, 'not-ready'),
    createdAtMs: readTimeMs(message.created_at),
    labels: message.labels,
    annotations: message.annotations,
    runtimeHandler: message.runtime_handler,
  };
}

/** A sandbox's status. */
export function readSandboxStatus(message: PodSandboxStatusMessage): PodSandboxStatus {
  const { network } = message;
  const ips = network === null ? [] : [network.ip, ...network.additional_ips.map(({ ip }) => ip)];
  return {
    ...readSandbox(message),
    ips: ips.filter((ip) => ip !== ''),
    namespaces: readNamespaces(message.linux?.namespaces?.options ?? null),
  };
}

/** The message of a filter. */
export function writeSandboxFilter({ id, state, labels }: PodSandboxFilter): Sparse<PodSandboxFilterMessage> {
  return {
    id,
    state: state && { state: sandboxStates[state] },
    label_selector: labels,
  };
}

function readMetadata(message: PodSandboxMetadataMessage | null): PodSandboxMetadata {
  const { name = '', namespace = '', uid = '', attempt = 0 } = message ?? {};
  return { name, namespace, uid, attempt };
}

function readNamespaces(message: NamespaceOption | null): NamespaceOptions {
  const { network = 0, pid = 0, ipc = 0, target_id = '' } = message ?? {};
  return {
    network: readEnum(namespaceModes, network, 'pod'),
    pid: readEnum(namespaceModes, pid, 'pod'),
    ipc: readEnum(namespaceModes, ipc, 'pod'),
    ...(target_id === '' ? {} : { targetId: target_id }),
  };
}
