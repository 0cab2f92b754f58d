import { type Clock, pause } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import { formatRuntimeFailure } from '../runtime/index.ts';
import type { RuntimeRelist } from './runtime-relist.ts';

/** As often as release 1.20 looks for containers to remove. */
const periodMs = 60_000;

/** Whose failures are told, where, and until when. */
export interface TellListFailuresOptions {
  readonly relist: Pick<RuntimeRelist, 'failure'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * While the runtime does not list its containers, none can be removed: an event of the node says so each minute, as
 * in release 1.20. Never rejects.
 */
export async function tellListFailures({
  relist,
  events,
  clock,
  signal,
}: TellListFailuresOptions): Promise<void> {
  while (await pause(clock, periodMs, signal)) {
    if (relist.failure === undefined) continue;
    const message = formatRuntimeFailure(relist.failure);
    events.record({ about: { kind: 'node' }, type: 'Warning', reason: 'ContainerGCFailed', message });
  }
}
