import { connect } from 'node:net';
import type { ExecAction, Handler, TCPSocketAction } from '../../apis/types/core-v1.ts';
import { type Clock, errorText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { expandCommand } from '../container-config/index.ts';
import { formatRuntimeFailure, RuntimeError, type RuntimeService } from '../runtime/index.ts';
import { joinOutput } from './command-output.ts';
import { findProbePort } from './handler-port.ts';
import { joinHostPort } from './host-port.ts';
import { probeHttp } from './http-probe.ts';
import { describeNetworkFailure } from './network-failure.ts';
import type { HandlerResult, HandlerTarget, ProbeHandlers } from './probe-handlers.ts';
import { type Attempt, isTimeout, withinTime } from './timed-attempt.ts';

/** What handlers of probes are run with. */
export interface ProbeHandlersOptions {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly dialect: Dialect;
  /**
   * Feature `ExecProbeTimeout`: whether a command that exceeds the timeout counts as a failure; otherwise its result is
   * ignored.
   */
  readonly enforcesExecTimeout: boolean;
  readonly clock: Clock;
}

/** Runs commands through the runtime, and HTTP and TCP from this process. */
export function createProbeHandlers(options: ProbeHandlersOptions): ProbeHandlers {
  const { runtime, dialect, enforcesExecTimeout: enforcesTimeout, clock } = options;
  const userAgent = dialect.spell('orch-probe/1.20');
  const dispatch = async (handler: Handler, target: HandlerTarget): Promise<HandlerResult> => {
    const { exec, httpGet, tcpSocket } = handler;
    if (exec) return probeExec(exec, target, { runtime, enforcesTimeout });
    const limits = { clock, timeoutMs: target.timeoutMs, signal: target.signal };
    if (httpGet)
      return withinTime(limits, (attempt) => probeHttp(httpGet, target, { ...attempt, userAgent }));
    if (tcpSocket) return withinTime(limits, (attempt) => probeTcp(tcpSocket, target, attempt));
    return { outcome: 'unknown', output: `missing probe handler for ${target.container.name}` };
  };
  return {
    async run(handler, target) {
      try {
        const result = await dispatch(handler, target);
        return target.signal?.aborted ? { outcome: 'unknown', output: 'cancelled' } : result;
      } catch (error) {
        return { outcome: 'unknown', output: errorText(error) };
      }
    },
  };
}

/** How probe commands are run, and whether their timeout counts (feature `ExecProbeTimeout`). */
interface ExecProbeOptions {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  /** Whether a command that exceeds the timeout counts as a failure; otherwise its result is ignored. */
  readonly enforcesTimeout: boolean;
}

/** Runs a command in a container: its exit code 0 is a success. The runtime ends one that takes too long. */
async function probeExec(
  { command = [] }: ExecAction,
  { container, containerId, timeoutMs, signal }: HandlerTarget,
  { runtime, enforcesTimeout }: ExecProbeOptions,
): Promise<HandlerResult> {
  // As in release 1.20, only literal values of the container's environment are expanded here.
  const environment = (container.env ?? []).map(({ name, value = '' }) => ({ name, value }));
  const expanded = expandCommand({ command }, environment).command;
  try {
    const result = await runtime.execSync({ containerId, command: expanded, timeoutMs, signal });
    return { outcome: result.exitCode === 0 ? 'success' : 'failure', output: joinOutput(result) };
  } catch (error) {
    const isLate = error instanceof RuntimeError && error.code === 'timeout';
    if (isLate && enforcesTimeout) return { outcome: 'failure', output: '' };
    const output = isLate
      ? `command ${JSON.stringify(expanded.join(' '))} timed out`
      : formatRuntimeFailure(error);
    return { outcome: 'unknown', output };
  }
}

/** Connects to a port of a container and closes the connection. */
async function probeTcp(
  action: TCPSocketAction,
  { container, podIp }: HandlerTarget,
  { signal }: Attempt,
): Promise<HandlerResult> {
  const host = action.host || (podIp ?? '');
  const port = findProbePort(action.port, container);
  try {
    await dial(host, port, signal);
    return { outcome: 'success', output: '' };
  } catch (error) {
    const output = isTimeout(signal)
      ? `dial tcp ${joinHostPort(host, port)}: i/o timeout`
      : describeNetworkFailure(error, host, port);
    return { outcome: 'failure', output };
  }
}

function dial(host: string, port: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: host === '' ? 'localhost' : host, port, signal });
  socket.once('connect', () => {
    resolve();
    socket.destroy();
  });
  socket.once('error', reject);
  return promise;
}
