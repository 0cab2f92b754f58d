import type { Clock, Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { StorageError } from '../storage/index.ts';
import type { Api } from './build-api.ts';
import { collectIdentityLeases, type IdentityLeaseOptions } from './identity-lease.ts';
import { keepFlowSchemas } from './keep-flow-schemas.ts';
import { limitEvents } from './limit-events.ts';
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
  clock,
  logger,
}: ServerTaskSources): SharedTask[] {
  const tasks: SharedTask[] = [];
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
