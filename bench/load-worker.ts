/**
 * Process that makes the load, so that it shares no thread with what measures: runs the phase that its parent names
 * and answers with what came of it.
 */
import { once } from 'node:events';
import type { Dialect } from '../src/machinery/dialect.ts';
import { type LoadResult, runClosedLoop } from './closed-loop.ts';
import { type ProfileName, phasesOf, profiles } from './phases.ts';
import type { RawAccess } from './raw-connection.ts';
import { type LoadSummary, summarize } from './summary.ts';
import { runWatchLoad } from './watch-load.ts';

/** What the parent asks for. */
export interface WorkOrder {
  readonly access: RawAccess;
  readonly profile: ProfileName;
  readonly dialect: Dialect['name'];
  readonly phase: number;
}

/** What the parent is told: that connections are open, then what came of the phase. */
export type WorkReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly summary: LoadSummary };

async function work({ access, profile, dialect, phase: index }: WorkOrder): Promise<void> {
  const phase = phasesOf(profiles[profile], { token: access.token, dialect })[index];
  if (phase === undefined) throw new RangeError(`no phase ${index}`);
  const { clients, count } = phase;
  let cpuBefore = process.cpuUsage();
  const onReady = async (): Promise<void> => {
    report({ kind: 'ready' });
    await once(process, 'message'); // the parent has read the server's clock
    cpuBefore = process.cpuUsage();
  };
  const done = (result: LoadResult): void => {
    const { user, system } = process.cpuUsage(cpuBefore);
    report({ kind: 'done', summary: summarize(result, user + system) });
  };
  if (phase.kind === 'requests') {
    done(await runClosedLoop({ access, ...phase, onReady }));
    return;
  }
  const { isInStep, protocol } = phase;
  const result = await runWatchLoad({
    access,
    protocol,
    watchers: clients,
    writes: count,
    isInStep,
    onReady,
  });
  done(result);
  await once(process, 'message'); // the parent has read the server's figures
  result.close();
}

const report = (message: WorkReport): void => void process.send?.(message);

process.on('message', (message) => {
  if (message === 'go' || message === 'end') return;
  // The parent sends orders, `go` and `end`, nothing else.
  work(message as WorkOrder).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
