import { errorText } from '../../../base/index.ts';
import type { AgentExchange, AgentHandler } from '../http/exchange.ts';
import { sendLine, sendNoSniff, sendText } from '../http/respond.ts';

/** One thing that must be well. `check` throws what is wrong. */
export interface HealthCheck {
  readonly name: string;
  check(): void;
}

/** How the loop over all pods is watched. */
export interface SyncLoopOptions {
  readonly lastSyncAtMs: () => number;
  readonly syncFrequencyMs: number;
  readonly nowMs: () => number;
}

const minSyncLoopPatienceMs = 300_000;

/** Nothing but that somebody answers. */
export const pingCheck: HealthCheck = { name: 'ping', check() {} };

/** Whether the runtime was listed recently enough. Source: release 1.20. */
export function syncLoopCheck({ lastSyncAtMs, syncFrequencyMs, nowMs }: SyncLoopOptions): HealthCheck {
  const patienceMs = Math.max(2 * syncFrequencyMs, minSyncLoopPatienceMs);
  return {
    name: 'syncloop',
    check() {
      const lastMs = lastSyncAtMs();
      if (lastMs > 0 && nowMs() > lastMs + patienceMs) throw new Error('sync Loop took longer than expected');
    },
  };
}

/** Answers for one check. */
export function handleCheck({ check }: HealthCheck): AgentHandler {
  return (exchange) => {
    const problem = problemOf(check);
    if (problem === undefined) sendText(exchange, 200, 'ok');
    else sendLine(exchange, 500, `internal server error: ${problem}`);
  };
}

/** Answers for all checks; `verbose` shows each, `exclude` leaves some out. */
export function handleHealth(checks: readonly HealthCheck[]): AgentHandler {
  return (exchange: AgentExchange) => {
    const excluded = new Set(exchange.query.getAll('exclude').filter((name) => name !== ''));
    const lines: string[] = [];
    let isWell = true;
    for (const { name, check } of checks) {
      if (excluded.delete(name)) {
        lines.push(`[+]${name} excluded: ok`);
        continue;
      }
      const isOk = problemOf(check) === undefined;
      isWell &&= isOk;
      // Anonymous clients see only that a check failed: its message may reveal internals.
      lines.push(isOk ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
    }
    if (excluded.size > 0) {
      const names = [...excluded].map((name) => JSON.stringify(name)).join(', ');
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
    }
    const details = `${lines.join('\n')}\n`;
    if (!isWell) return sendLine(exchange, 500, `${details}healthz check failed`);
    return sendNoSniff(
      exchange,
      200,
      exchange.query.has('verbose') ? `${details}healthz check passed\n` : 'ok',
    );
  };
}

function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
