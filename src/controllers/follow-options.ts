import type { Clock, Logger } from '../base/index.ts';
import { createBackoff, type ReflectorOptions } from '../client/list-watch/index.ts';
import type { RestClient } from '../client/rest/index.ts';

/** What following a resource takes of a controller's context. */
export interface FollowContext {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

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
