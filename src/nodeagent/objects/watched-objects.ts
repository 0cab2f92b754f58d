import type { Clock, Logger } from '../../base/index.ts';
import { type Informer, startInformer, TransportError } from '../../client/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { type ObjectSource, objectKey, type ReadObjectOptions, readObject } from './object-source.ts';

/** The kind of object that is watched, and who is notified of changes. */
export interface WatchedObjectsOptions extends ReadObjectOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A retained object appeared, changed or went. */
  readonly onChange: (namespace: string, name: string) => void;
}

interface Entry<T extends ApiObject> {
  users: number;
  /** Ends the watch. */
  abort: AbortController;
  informer: Informer<T>;
  /** The watch failed since the object was last known to be as the informer has it. */
  isDoubtful: boolean;
  /** Kept of an object that never changes, so that its watch could be ended. */
  fixed: T | undefined;
  /** Resolves once there is a first list, or an error instead. */
  settled: Promise<void>;
}

type Watch<T extends ApiObject> = Omit<Entry<T>, 'users'>;

/**
 * Objects that are watched one by one as long as they are retained, as rights of nodes allow no more. An immutable one
 * is not watched on. Answers come from the watch; when it is in trouble, or knows of no object, the server is asked, and
 * what was seen last serves while the server cannot be reached.
 */
export function createWatchedObjects<T extends ApiObject>(options: WatchedObjectsOptions): ObjectSource<T> {
  const entries = new Map<string, Entry<T>>();

  async function ask(entry: Entry<T>, namespace: string, name: string): Promise<T | undefined> {
    const seen = entry.informer.get(namespace, name);
    entry.isDoubtful = false; // a watch that fails from now on says so again
    try {
      return await readObject<T>(options, namespace, name);
    } catch (error) {
      entry.isDoubtful = true;
      if (seen !== undefined && error instanceof TransportError) return seen;
      throw error;
    }
  }

  return {
    retain(namespace, name) {
      const key = objectKey(namespace, name);
      const entry = entries.get(key);
      if (entry === undefined) entries.set(key, { users: 1, ...startWatch(options, namespace, name) });
      else {
        entry.users += 1;
        // Another object may have its name by now.
        if (entry.fixed !== undefined) Object.assign(entry, startWatch(options, namespace, name));
      }
    },
    release(namespace, name) {
      const key = objectKey(namespace, name);
      const entry = entries.get(key);
      if (entry === undefined) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      entries.delete(key);
      entry.abort.abort();
    },
    async get(namespace, name) {
      const entry = entries.get(objectKey(namespace, name));
      if (entry === undefined) return readObject<T>(options, namespace, name);
      await entry.settled;
      const object = entry.fixed ?? entry.informer.get(namespace, name);
      if (object === undefined || entry.isDoubtful) return ask(entry, namespace, name);
      const isImmutable = (object as { immutable?: unknown }).immutable === true; // of unknown kind here
      if (isImmutable && entry.fixed === undefined) {
        entry.fixed = object;
        entry.abort.abort();
      }
      return object;
    },
  };
}

function startWatch<T extends ApiObject>(
  options: WatchedObjectsOptions,
  namespace: string,
  name: string,
): Watch<T> {
  const { client, resource, clock, logger, signal } = options;
  const abort = new AbortController();
  const failed = Promise.withResolvers<void>();
  const notify = (): void => {
    if (watch.informer.isSynced) options.onChange(namespace, name);
  };
  const informer = startInformer<T>({
    client,
    resource: { group: '', version: 'v1', resource },
    namespace,
    fieldSelector: `metadata.name=${name}`,
    clock,
    signal: AbortSignal.any([signal, abort.signal]),
    onAdd: notify,
    onUpdate: notify,
    onDelete: notify,
    onError(error) {
      watch.isDoubtful = true;
      failed.resolve();
      logger.debug('watch failed', { resource, namespace, name, error: String(error) });
    },
  });
  const settled = Promise.race([informer.whenSynced.catch(() => {}), failed.promise]);
  const watch: Watch<T> = { abort, informer, isDoubtful: false, fixed: undefined, settled };
  return watch;
}
