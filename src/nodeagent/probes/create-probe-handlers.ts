import type { Handler } from '../../apis/types/core-v1.ts';
import { type Clock, errorText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { RuntimeService } from '../runtime/index.ts';
import { probeExec } from './exec-probe.ts';
import { probeHttp } from './http-probe.ts';
import type { HandlerResult, HandlerTarget, ProbeHandlers } from './probe-handlers.ts';
import { probeTcp } from './tcp-probe.ts';
import { withinTime } from './timed-attempt.ts';

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
