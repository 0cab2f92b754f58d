import type { Clock, Logger } from '../base/index.ts';
import { type Informer, startInformer } from '../client/informer/index.ts';
import { createBackoff } from '../client/list-watch/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';

/** What objects are followed with. */
export interface FollowContext {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** What is followed, and who is told. Handlers must not throw. */
export interface Followed<T extends ApiObject> {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly fieldSelector?: string;
  /** A new object, or one that is not as before. */
  readonly onSet?: (object: T, before: T | undefined) => void;
  readonly onDelete?: (object: T) => void;
}

/** Keeps the objects of a resource in memory, without what only appliers read, until the signal aborts. */
export function follow<T extends ApiObject>(context: FollowContext, followed: Followed<T>): Informer<T> {
  const { client, clock, logger, random, signal } = context;
  const { resource, fieldSelector, onSet, onDelete } = followed;
  const set = (object: T, before?: T): void => onSet?.(object, before);
  return startInformer<T>({
    client,
    clock,
    signal,
    random,
    resource,
    fieldSelector,
    // The server is near: pauses begin short.
    backoff: createBackoff({ firstMs: 100, random }),
    transform: (object) => {
      // The informer hands over what it has parsed for itself.
      delete object.metadata.managedFields;
      return object;
    },
    onAdd: set,
    onUpdate: set,
    onDelete,
    onError: (error) => {
      if (!signal.aborted) logger.debug('list-watch interrupted', { error });
    },
  });
}
