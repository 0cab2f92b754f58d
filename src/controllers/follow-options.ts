import { createBackoff, type ReflectorOptions } from '../client/list-watch/index.ts';
import type { ControllerContext } from './controller.ts';

type FollowContext = Pick<ControllerContext, 'client' | 'clock' | 'random' | 'signal' | 'logger'>;

/** What every reflector or informer of a controller is given. The server is near: pauses begin short. */
export function followOptions({
  client,
  clock,
  random,
  signal,
  logger,
}: FollowContext): Pick<ReflectorOptions, 'client' | 'clock' | 'signal' | 'random' | 'backoff' | 'onError'> {
  return {
    client,
    clock,
    signal,
    random,
    backoff: createBackoff({ firstMs: 100, random }),
    onError: (error) => {
      if (!signal.aborted) logger.debug('list-watch interrupted', { error });
    },
  };
}
