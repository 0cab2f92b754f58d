import { hostname } from 'node:os';
import { kindsOfGates } from '../apis/csi-migration/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import { effectiveFeatureGates, isControllerEnabled, type ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';

/** As `--controllers` names it. */
export const schedulerName = 'scheduler';

/** Whether pods are placed here. */
export const isSchedulerEnabled = ({ controllers, schedulerNames }: ServeConfig): boolean =>
  schedulerNames.length > 0 && isControllerEnabled(controllers, schedulerName, { onByDefault: true });

export interface RunSchedulerOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly clock: Clock;
  /** To the server whose pods are placed. */
  readonly connect: () => RestClient;
}

/** Places pods until the signal aborts, unless the reference's scheduler does. */
export async function runScheduler(
  { config, dialect, logger, clock, connect }: RunSchedulerOptions,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const [{ workWhileAlone }, { Scheduler }] = await Promise.all([
    import('../controllers/index.ts'),
    import('../scheduler/index.ts'),
  ]);
  const gates = new Map(Object.entries(effectiveFeatureGates(config.featureGates)));
  const client = connect();
  const own = logger.child({ controller: schedulerName });
  await workWhileAlone({
    other: 'scheduler',
    client,
    dialect,
    clock,
    logger,
    random: Math.random,
    signal,
    work: (term) =>
      new Scheduler({
        client,
        dialect,
        names: config.schedulerNames,
        migratedKinds: kindsOfGates((gate) => gates.get(gate) === true),
        host: hostname(),
        clock,
        logger: own,
        random: Math.random,
        signal: term,
      }).run(),
  });
  client.close();
}
