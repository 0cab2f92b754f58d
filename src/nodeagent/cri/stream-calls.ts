import { RuntimeError, type RuntimeService } from '../runtime/index.ts';
import type { Connection } from './connection.ts';

/** The part of `RuntimeService` about commands in containers, and URLs of streams. */
export type StreamCalls = Pick<RuntimeService, 'execSync' | 'execUrl' | 'attachUrl' | 'portForwardUrl'>;

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
