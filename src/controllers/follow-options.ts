import type { InformerOptions } from '../client/informer/index.ts';
import { createBackoff } from '../client/list-watch/index.ts';
import type { ControllerContext } from './controller.ts';

/** What every informer of a controller is given. The server is near: pauses begin short. */
export function followOptions({
  client,
  clock,
  random,
  signal,
  logger,
}: ControllerContext): Pick<InformerOptions, 'client' | 'clock' | 'signal' | 'backoff' | 'onError'> {
  return {
    client,
    clock,
    signal,
    backoff: createBackoff({ firstMs: 100, random }),
    onError: (error) => {
      if (!signal.aborted) logger.debug('following a collection was interrupted', { error });
    },
  };
}
