import { RuntimeError, type RuntimeService } from '../runtime/index.ts';
import { ignoreNotFound, orUndefined } from './absence.ts';
import type { Connection } from './connection.ts';
import { readContainer, readContainerStatus, writeContainerFilter } from './read-container.ts';
import { readStats } from './read-usage.ts';
import { writeContainerConfig, writeResources } from './write-container-config.ts';
import { writeSandboxConfig } from './write-sandbox-config.ts';

/** The part of `RuntimeService` about containers, their logs and their statistics. */
export type ContainerCalls = Pick<
  RuntimeService,
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'removeContainer'
  | 'containerStatus'
  | 'listContainers'
  | 'updateContainerResources'
  | 'reopenContainerLog'
  | 'containerStats'
  | 'listContainerStats'
>;

/** The calls about containers. */
export function createContainerCalls(connection: Connection, requestTimeoutMs: number): ContainerCalls {
  const usual = { timeoutMs: requestTimeoutMs };
  return {
    async createContainer({ podSandboxId, config, sandboxConfig }) {
      const request = {
        pod_sandbox_id: podSandboxId,
        config: writeContainerConfig(config),
        sandbox_config: writeSandboxConfig(sandboxConfig),
      };
      const { container_id } = await connection.call('CreateContainer', request, usual);
      if (container_id === '') throw new RuntimeError('failed', 'CreateContainer: answer without an id');
      return container_id;
    },
    async startContainer(containerId) {
      await connection.call('StartContainer', { container_id: containerId }, usual);
    },
    async stopContainer(containerId, { timeoutMs }) {
      const request = { container_id: containerId, timeout: Math.ceil(timeoutMs / 1000) };
      const options = { timeoutMs: requestTimeoutMs + timeoutMs };
      await ignoreNotFound(connection.call('StopContainer', request, options));
    },
    async removeContainer(containerId) {
      await ignoreNotFound(connection.call('RemoveContainer', { container_id: containerId }, usual));
    },
    async containerStatus(containerId) {
      const request = { container_id: containerId };
      const answer = await orUndefined(connection.call('ContainerStatus', request, usual));
      return answer?.status ? readContainerStatus(answer.status) : undefined;
    },
    async listContainers(filter = {}) {
      const request = { filter: writeContainerFilter(filter) };
      return (await connection.call('ListContainers', request, usual)).containers.map(readContainer);
    },
    async updateContainerResources(containerId, resources) {
      const request = { container_id: containerId, linux: writeResources(resources) };
      await connection.call('UpdateContainerResources', request, usual);
    },
    async reopenContainerLog(containerId) {
      await connection.call('ReopenContainerLog', { container_id: containerId }, usual);
    },
    async containerStats(containerId) {
      const request = { container_id: containerId };
      const answer = await orUndefined(connection.call('ContainerStats', request, usual));
      return answer?.stats ? readStats(answer.stats) : undefined;
    },
    async listContainerStats({ id, podSandboxId, labels } = {}) {
      const request = { filter: { id, pod_sandbox_id: podSandboxId, label_selector: labels } };
      const { stats } = await connection.call('ListContainerStats', request, usual);
      return stats.map(readStats).filter((each) => each !== undefined);
    },
  };
}

/** The part of `RuntimeService` about commands in containers, and URLs of streams. */
type StreamCalls = Pick<RuntimeService, 'execSync' | 'execUrl' | 'attachUrl' | 'portForwardUrl'>;

/** The calls about commands and streams in containers. */
export function createStreamCalls(connection: Connection, requestTimeoutMs: number): StreamCalls {
  const usual = { timeoutMs: requestTimeoutMs };
  return {
    async execSync({ containerId, command, timeoutMs, signal }) {
      const timeoutSeconds = timeoutMs === undefined ? 0 : Math.max(1, Math.ceil(timeoutMs / 1000));
      const request = { container_id: containerId, cmd: command, timeout: timeoutSeconds };
      // The runtime's own timeout comes first; this one is for a runtime that hangs.
      const limitMs = timeoutMs === undefined ? undefined : timeoutSeconds * 1000 + requestTimeoutMs;
      const answer = await connection.call('ExecSync', request, { timeoutMs: limitMs, signal });
      return { exitCode: answer.exit_code, stdout: toBytes(answer.stdout), stderr: toBytes(answer.stderr) };
    },
    async execUrl({ containerId, command, ...streams }) {
      const request = { container_id: containerId, cmd: command, ...streams };
      return checkUrl('Exec', await connection.call('Exec', request, usual));
    },
    async attachUrl({ containerId, ...streams }) {
      const request = { container_id: containerId, ...streams };
      return checkUrl('Attach', await connection.call('Attach', request, usual));
    },
    async portForwardUrl({ podSandboxId, ports }) {
      const request = { pod_sandbox_id: podSandboxId, port: ports };
      return checkUrl('PortForward', await connection.call('PortForward', request, usual));
    },
  };
}

/** The decoder gives an empty array, which is no bytes, for a field that was not sent. */
function toBytes(value: Uint8Array): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

/** Callers connect to what they get here: nothing but HTTP is passed on. */
function checkUrl(call: string, { url }: { readonly url: string }): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return url;
  throw new RuntimeError('failed', `${call}: answer "${url.slice(0, 200)}", expected an HTTP URL`);
}
