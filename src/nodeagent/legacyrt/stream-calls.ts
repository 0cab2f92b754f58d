import type { RuntimeService } from '../runtime/index.ts';
import { type Engine, inspectOwn } from './engine.ts';
import { callFailure } from './engine-failure.ts';
import type { StreamingServer } from './streaming/streaming-server.ts';

/** The part of `RuntimeService` that gives URLs for exec, attach and port forwarding. */
export type StreamCalls = Pick<RuntimeService, 'execUrl' | 'attachUrl' | 'portForwardUrl'>;

interface Streams {
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Calls that return URLs of the streaming server. */
export function createStreamCalls(engine: Engine, server: StreamingServer): StreamCalls {
  return {
    async execUrl(exec) {
      const call = 'Exec';
      checkStreams(call, exec);
      const details = await inspectOwn(engine, call, { type: 'container', id: exec.containerId });
      if (!details.State.Running) throw notRunning(call, exec.containerId);
      return await server.urlFor(call, { kind: 'exec', exec });
    },
    async attachUrl({ containerId, ...desired }) {
      const call = 'Attach';
      const details = await inspectOwn(engine, call, { type: 'container', id: containerId });
      if (!details.State.Running) throw notRunning(call, containerId);
      // Whether it was created with a terminal decides the format of its output.
      const tty = details.Config.Tty;
      const streams = { ...desired, tty, stderr: desired.stderr && !tty };
      checkStreams(call, streams);
      return await server.urlFor(call, { kind: 'attach', containerId, streams });
    },
    async portForwardUrl({ podSandboxId, ports }) {
      const call = 'PortForward';
      const details = await inspectOwn(engine, call, { type: 'podsandbox', id: podSandboxId });
      if (!details.State.Running) throw notRunning(call, podSandboxId);
      const describe = (port: number): string => `error forwarding port ${port} to pod ${podSandboxId}, uid `;
      return await server.urlFor(call, {
        kind: 'portforward',
        ports,
        target: { pid: details.State.Pid, describe },
      });
    },
  };
}

function checkStreams(call: string, { tty, stdin, stdout, stderr }: Streams): void {
  if (tty && stderr) throw callFailure(call, 'invalid', 'tty and stderr cannot both be true');
  if (!stdin && !stdout && !stderr)
    throw callFailure(call, 'invalid', 'one of stdin, stdout, or stderr must be set');
}

const notRunning = (call: string, id: string) =>
  callFailure(call, 'invalid', `container not running (${id})`);
