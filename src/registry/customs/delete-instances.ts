import { isReason } from '../../machinery/errors/index.ts';
import { deleteObject } from '../delete.ts';
import type { ServedKind } from '../resource-store.ts';
import { serverUser } from '../server-user.ts';

/** Objects that are deleted at the same time. */
const concurrency = 16;
const options = { user: serverUser, isDryRun: false };

/**
 * Deletes all objects of a kind and waits until they are gone: their finalizers are others' to remove. Resolves early when the
 * signal aborts.
 *
 * @throws StatusError what admission refuses with, or the store fails with.
 */
export async function deleteInstances(served: ServedKind, signal: AbortSignal): Promise<void> {
  const { store } = served;
  await store.freshen?.();
  const keys = [...store.cache.objects.keys()];
  const work = async (): Promise<void> => {
    for (let key = keys.pop(); key !== undefined && !signal.aborted; key = keys.pop())
      await deleteAt(served, key);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await untilEmpty(served, signal);
}

async function deleteAt(served: ServedKind, key: string): Promise<void> {
  const { isNamespaced, keyPrefix } = served.store;
  const rest = key.slice(keyPrefix.length);
  const slash = isNamespaced ? rest.indexOf('/') : -1;
  const [namespace, name] = [slash < 0 ? '' : rest.slice(0, slash), rest.slice(slash + 1)];
  try {
    await deleteObject(served, { namespace, name, deleteOptions: {}, options });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}

/** Resolves when nothing is left; what was still under way when the deletion began is deleted when it comes. */
function untilEmpty(served: ServedKind, signal: AbortSignal): Promise<void> {
  const { cache, keyPrefix } = served.store;
  return new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      watch.close();
      signal.removeEventListener('abort', abort);
      finish();
    };
    const abort = (): void => end(resolve);
    const check = (): void => {
      if (cache.size === 0) end(resolve);
    };
    const watch = cache.watch(
      { prefix: keyPrefix, afterRevision: 'state' },
      {
        onEvent({ type, object }) {
          if (type === 'DELETED') check();
          else if (!object.bytes.includes(deletionMarker))
            deleteAt(served, object.key).catch((error: unknown) => end(() => reject(error)));
        },
        onInitialEnd: check,
        onEnd: () => end(resolve),
        onError: (error) => end(() => reject(error)),
      },
    );
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

const deletionMarker = Buffer.from('"deletionTimestamp":"');
