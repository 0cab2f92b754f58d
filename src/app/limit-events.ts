import { type Clock, type Logger, pause } from '../base/index.ts';
import type { ResourceStore } from '../registry/index.ts';
import { repeat } from './repeat.ts';

/** Time between looks at the number of events. */
const checkIntervalMs = 10_000;
/** Deletions that go together. */
const batchSize = 200;
/** Rest between batches, so that requests hardly notice. */
const batchPauseMs = 200;

export interface LimitEventsOptions {
  readonly store: Pick<ResourceStore, 'cache' | 'keyPrefix' | 'storage'>;
  /** Most events to keep. */
  readonly maxCount: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Deletes the oldest events while there are too many, until the signal aborts. Never rejects. */
export function limitEvents(options: LimitEventsOptions): Promise<void> {
  const { clock, logger, signal } = options;
  return repeat(() => trimEvents(options), {
    clock,
    intervalMs: checkIntervalMs,
    signal,
    onError: (error) => logger.error('event expiry failed', { error }),
  });
}

/** Deletes the oldest events, in batches with a rest in between, until no more than allowed are left. */
async function trimEvents(options: LimitEventsOptions): Promise<void> {
  const { store, maxCount, clock, logger, signal } = options;
  const excess = store.cache.size - maxCount;
  if (excess <= 0) return;
  const oldest = oldestEvents(store, excess);
  for (let start = 0; start < oldest.length; start += batchSize) {
    if (start > 0 && !(await pause(clock, batchPauseMs, signal))) return;
    const batch = oldest.slice(start, start + batchSize);
    // An event that changed meanwhile is not the oldest any more: the comparison spares it.
    await Promise.all(batch.map(({ key, revision }) => store.storage.delete(key, revision)));
  }
  logger.info('oldest events deleted', { count: oldest.length, limit: maxCount });
}

interface StoredEvent {
  readonly key: string;
  readonly revision: number;
}

/** The `count` events that were changed longest ago, oldest first. */
function oldestEvents({ cache, keyPrefix }: LimitEventsOptions['store'], count: number): StoredEvent[] {
  const { objects } = cache.list({ prefix: keyPrefix });
  const revisions = Float64Array.from(objects, ({ revision }) => revision).sort();
  const newest = revisions[count - 1] ?? 0;
  return objects
    .filter(({ revision }) => revision <= newest)
    .map(({ key, revision }) => ({ key, revision }))
    .sort((a, b) => a.revision - b.revision);
}
