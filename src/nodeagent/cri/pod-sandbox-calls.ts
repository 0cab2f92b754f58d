import {
  type NamespaceOptions,
  type PodSandbox,
  type PodSandboxFilter,
  type PodSandboxMetadata,
  type PodSandboxStatus,
  RuntimeError,
  type RuntimeService,
} from '../runtime/index.ts';
import { ignoreNotFound, orUndefined } from './absence.ts';
import type { Connection } from './connection.ts';
import type {
  NamespaceOption,
  PodSandboxFilter as PodSandboxFilterMessage,
  PodSandbox as PodSandboxMessage,
  PodSandboxMetadata as PodSandboxMetadataMessage,
  PodSandboxStatus as PodSandboxStatusMessage,
} from './messages.ts';
import type { Sparse } from './protocol.ts';
import { readEnum, readTimeMs } from './read-values.ts';
import { writeSandboxConfig } from './write-sandbox-config.ts';
import { namespaceModes } from './write-security.ts';

/** The part of `RuntimeService` about sandboxes. */
export type PodSandboxCalls = Pick<
  RuntimeService,
  'runPodSandbox' | 'stopPodSandbox' | 'removePodSandbox' | 'podSandboxStatus' | 'listPodSandboxes'
>;

/** The calls about sandboxes. */
export function createPodSandboxCalls(connection: Connection, requestTimeoutMs: number): PodSandboxCalls {
  const usual = { timeoutMs: requestTimeoutMs };
  return {
    async runPodSandbox({ config, runtimeHandler }) {
      const request = { config: writeSandboxConfig(config), runtime_handler: runtimeHandler };
      // As release 1.20: networks and images of sandboxes take their time.
      const options = { timeoutMs: 2 * requestTimeoutMs };
      const { pod_sandbox_id } = await connection.call('RunPodSandbox', request, options);
      if (pod_sandbox_id === '') throw new RuntimeError('failed', 'RunPodSandbox: answer without an id');
      return pod_sandbox_id;
    },
    async stopPodSandbox(podSandboxId) {
      await ignoreNotFound(connection.call('StopPodSandbox', { pod_sandbox_id: podSandboxId }, usual));
    },
    async removePodSandbox(podSandboxId) {
      await ignoreNotFound(connection.call('RemovePodSandbox', { pod_sandbox_id: podSandboxId }, usual));
    },
    async podSandboxStatus(podSandboxId) {
      const request = { pod_sandbox_id: podSandboxId };
      const answer = await orUndefined(connection.call('PodSandboxStatus', request, usual));
      return answer?.status ? readSandboxStatus(answer.status) : undefined;
    },
    async listPodSandboxes(filter = {}) {
      const request = { filter: writeSandboxFilter(filter) };
      return (await connection.call('ListPodSandbox', request, usual)).items.map(readSandbox);
    },
  };
}

/** Numbers of the interface's `PodSandboxState`. */
const sandboxStates = { ready: 0, 'not-ready': 1 } as const;

/** A sandbox of a list. */
function readSandbox(message: PodSandboxMessage): PodSandbox {
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
function readSandboxStatus(message: PodSandboxStatusMessage): PodSandboxStatus {
  const { network } = message;
  const ips = network === null ? [] : [network.ip, ...network.additional_ips.map(({ ip }) => ip)];
  return {
    ...readSandbox(message),
    ips: ips.filter((ip) => ip !== ''),
    namespaces: readNamespaces(message.linux?.namespaces?.options ?? null),
  };
}

/** The message of a filter. */
function writeSandboxFilter({ id, state, labels }: PodSandboxFilter): Sparse<PodSandboxFilterMessage> {
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
