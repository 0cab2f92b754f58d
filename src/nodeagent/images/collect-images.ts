import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import { formatRuntimeFailure } from '../runtime/index.ts';
import type { ImageGarbageCollector } from './image-garbage-collector.ts';

const periodMs = 300_000;

/** The collector that is run every five minutes until `signal` aborts, and where its failures are reported. */
export interface CollectImagesOptions {
  readonly collector: Pick<ImageGarbageCollector, 'collect'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Collects images now and every five minutes until the signal aborts. From the second failure in a row on, a failure is
 * recorded as an event of the node; the first one after a start often only means that disk usage is not measured yet.
 * Never rejects.
 */
export async function collectImages({
  collector,
  events,
  clock,
  logger,
  signal,
}: CollectImagesOptions): Promise<void> {
  let hasFailed = false;
  do {
    try {
      await collector.collect();
      hasFailed = false;
    } catch (error) {
      const message = formatRuntimeFailure(error);
      logger.error('image garbage collection failed', { error: message });
      if (hasFailed) {
        events.record({ about: { kind: 'node' }, type: 'Warning', reason: 'ImageGCFailed', message });
      }
      hasFailed = true;
    }
  } while (await pause(clock, periodMs, signal));
}
