import type { Logger } from '../../base/index.ts';
import { createWorkQueue, type WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import type { SharedInformer } from '../shared-informers.ts';

/** How a controller works on the objects that it keeps. */
export interface OwnerQueueOptions {
  /** Nothing is decided before all of these have listed. */
  readonly informers: readonly Pick<SharedInformer, 'whenSynced'>[];
  readonly concurrency: number;
  /** Brings an object to where it should be. A rejection makes it come again, later each time. */
  readonly sync: (namespace: string, name: string) => Promise<void>;
  /**
   * For owners that are looked at whenever one of their dependents changes, and go through all of these then: each rests after a
   * look, the longer the more it has.
   */
  readonly rests?: {
    readonly owners: Pick<SharedInformer, 'get'>;
    readonly dependents: Pick<SharedInformer, 'controlledBy'>;
  };
}

/** For so many dependents an owner rests a millisecond. Without a rest n dependents that all change cost n looks at n objects. */
const dependentsPerRestMs = 20;
/** Nobody waits longer for an owner of very many. */
const maxRestMs = 250;

/** Pauses between tries. Source: client-go, `DefaultControllerRateLimiter`. */
const retries = { firstRetryMs: 5, maxRetryMs: 1_000_000 };

/** The queue of a controller, with keys as `keyOf` makes them. */
export function createOwnerQueue(
  {
    clock,
    signal,
    logger,
    queueMetrics,
  }: Pick<ControllerContext, 'clock' | 'signal' | 'logger' | 'queueMetrics'>,
  { informers, concurrency, sync, rests }: OwnerQueueOptions,
): WorkQueue<string> {
  const synced = Promise.all(informers.map(({ whenSynced }) => whenSynced));
  synced.catch(() => {}); // the signal aborted: nothing is worked on any more
  const restMs = (key: string): number => {
    const uid = rests?.owners.get(...namesOf(key))?.metadata.uid;
    const dependents = uid === undefined ? [] : (rests?.dependents.controlledBy(uid) ?? []);
    return Math.min(Math.floor(dependents.length / dependentsPerRestMs), maxRestMs);
  };
  return createWorkQueue<string>({
    async work(key) {
      await synced;
      await sync(...namesOf(key));
    },
    restMs,
    concurrency,
    ...retries,
    metrics: queueMetrics,
    clock,
    signal,
    onError(error, object, failures) {
      if (!signal.aborted) logSyncError(logger, { object, failures, error });
    },
  });
}

function namesOf(key: string): [namespace: string, name: string] {
  const [namespace = '', name = ''] = key.split('/');
  return [namespace, name];
}

/** Lost races, and what admission forbids for now, are ordinary; events tell of the latter. Anything else is an error. */
export function logSyncError(
  logger: Logger,
  failed: { readonly object: string; readonly failures: number; readonly error: unknown },
): void {
  const isOrdinary = ['Conflict', 'Forbidden', 'NotFound'].some((reason) => isReason(failed.error, reason));
  if (isOrdinary) logger.debug('sync postponed', failed);
  else logger.error('sync failed', failed);
}
