import type { Storage, StoredObject, WriteResult } from '../../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import {
  openWatchCache,
  type ResourceCache,
  type WatchCache,
  type WatchCacheOptions,
} from '../../../../src/storage/watch-cache/index.ts';
import { ManualClock } from '../manual-clock.ts';

export const podPrefix = '/registry/pods/';

/** JSON of a pod with labels, as `registry` writes it. */
export function makePod(name: string, labels: Record<string, string> = {}): Buffer {
  const metadata = { name, namespace: 'a', uid: 'u', resourceVersion: '', creationTimestamp: null, labels };
  return Buffer.from(
    JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata, spec: { nodeName: labels.node ?? '' } }),
  );
}

export interface PodCache extends AsyncDisposable {
  readonly storage: Storage;
  readonly clock: ManualClock;
  readonly cache: WatchCache;
  readonly pods: ResourceCache;
  /** Creates or updates `/registry/pods/<key>`. */
  put(key: string, labels?: Record<string, string>): Promise<StoredObject>;
  remove(key: string): Promise<StoredObject>;
}

/** A cache of pods over a memory store. */
export async function openPodCache(options: Partial<WatchCacheOptions> = {}): Promise<PodCache> {
  const clock = new ManualClock();
  const storage = options.storage ?? openMemoryStorage({ clock });
  const cache = await openWatchCache({ storage, clock, root: '/registry/', ...options });
  const pods = cache.resource(podPrefix);
  return {
    storage,
    clock,
    cache,
    pods,
    put: async (key, labels) => {
      const current = await storage.get(podPrefix + key);
      const value = makePod(key, labels);
      return objectOf(
        current === undefined
          ? await storage.create(podPrefix + key, value)
          : await storage.update(podPrefix + key, current.revision, value),
      );
    },
    remove: async (key) => {
      const current = await storage.get(podPrefix + key);
      return objectOf(await storage.delete(podPrefix + key, current?.revision ?? 0));
    },
    async [Symbol.asyncDispose]() {
      await cache[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

function objectOf(result: WriteResult): StoredObject {
  if (result.kind === 'ok') return result.object;
  throw new Error('unexpected conflict');
}
