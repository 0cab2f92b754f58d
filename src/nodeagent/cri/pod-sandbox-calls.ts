import { RuntimeError, type RuntimeService } from '../runtime/index.ts';
import { ignoreNotFound, orUndefined } from './absence.ts';
import type { Connection } from './connection.ts';
import { readSandbox, readSandboxStatus, writeSandboxFilter } from './read-sandbox.ts';
import { writeSandboxConfig } from './write-sandbox-config.ts';

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
