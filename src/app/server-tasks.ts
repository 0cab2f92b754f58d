import { type Clock, type Logger, pause } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { ResourceStore } from '../registry/index.ts';
import { StorageError } from '../storage/index.ts';
import { type BootstrapSources, lookEveryMs, missingObjects } from './bootstrap.ts';
import type { Api } from './build-api.ts';
import { collectIdentityLeases, type IdentityLeaseOptions } from './identity-lease.ts';
import { keepFlowSchemas } from './keep-flow-schemas.ts';
import { repeat } from './repeat.ts';
import type { SharedTask } from './run-controllers.ts';

/** Time between repairs of what services hold. Source: release 1.20. */
const repairEveryMs = 3 * 60_000;
const notRepaired = 'service pools were not repaired';

/** What the server's own tasks work on. */
export interface ServerTaskSources {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly api: Pick<Api, 'stores' | 'repairServices'>;
  /** How servers make themselves known by leases; undefined where they do not. */
  readonly identityLease: IdentityLeaseOptions | undefined;
  /** What the server's own objects are made of. */
  readonly bootstrap: BootstrapSources;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Repairs the pools of services before the first one is written. What keeps them from being repaired keeps nothing else
 * from being served.
 *
 * @throws StorageError when the store fails; services that cannot be read are logged.
 */
export async function repairFirst({
  api: { repairServices },
  logger,
}: Pick<ServerTaskSources, 'api' | 'logger'>): Promise<void> {
  try {
    await repairServices?.();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'unreadable') throw error;
    logger.error(notRepaired, { error });
  }
}

/** Work that the servers of a store leave to one of them. */
export function sharedTasks({
  config,
  dialect,
  api: { stores, repairServices },
  identityLease,
  bootstrap,
  clock,
  logger,
}: ServerTaskSources): SharedTask[] {
  const tasks: SharedTask[] = [(signal) => keepMissing(bootstrap, { clock, logger, signal })];
  const events = stores.stores.get('/events');
  const maxCount = config.maxEvents;
  if (events !== undefined && maxCount > 0) {
    tasks.push((signal) => limitEvents({ store: events, maxCount, clock, logger, signal }));
  }
  if (identityLease !== undefined) tasks.push(collectIdentityLeases(identityLease));
  tasks.push((signal) => keepFlowSchemas({ stores, dialect, clock, logger, signal }));
  if (repairServices !== undefined) {
    const onError = (error: unknown) => logger.error(notRepaired, { error });
    tasks.push((signal) => repeat(repairServices, { clock, intervalMs: repairEveryMs, signal, onError }));
  }
  return tasks;
}

/** Makes again what of the server's own somebody deleted, until the signal aborts. Never rejects. */
export async function keepMissing(
  sources: BootstrapSources,
  { clock, logger, signal }: Pick<ServerTaskSources, 'clock' | 'logger'> & { readonly signal: AbortSignal },
): Promise<void> {
  const onError = (error: unknown) => logger.error("object of the server's own not made again", { error });
  await repeat(missingObjects(sources), { clock, intervalMs: lookEveryMs, signal, onError });
}

/** Time between looks at the number of events. */
const checkIntervalMs = 10_000;
/** Deletions that go together. */
const batchSize = 200;
/** Rest between batches, so that requests hardly notice. */
const batchPauseMs = 200;

interface LimitEventsOptions {
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
