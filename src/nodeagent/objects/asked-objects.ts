import type { Clock } from '../../base/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { type ObjectSource, objectKey, type ReadObjectOptions, readObject } from './object-source.ts';

/** Where objects are read, and how long in ms an answer is reused. */
export interface AskedObjectsOptions extends ReadObjectOptions {
  /** How long an answer is good for; 0: every question is asked. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
}

interface Entry<T> {
  users: number;
  readAtMs: number;
  object: T | undefined;
}

/** Objects that are asked for when they are needed; answers for retained ones are kept for a while. */
export function createAskedObjects<T extends ApiObject>(options: AskedObjectsOptions): ObjectSource<T> {
  const { clock, maxAgeMs } = options;
  const entries = new Map<string, Entry<T>>();
  return {
    retain(namespace, name) {
      const key = objectKey(namespace, name);
      const users = entries.get(key)?.users ?? 0;
      // A pod that comes may come because of a change: it sees what is there now.
      entries.set(key, { users: users + 1, readAtMs: Number.NEGATIVE_INFINITY, object: undefined });
    },
    release(namespace, name) {
      const key = objectKey(namespace, name);
      const entry = entries.get(key);
      if (entry === undefined) return;
      entry.users -= 1;
      if (entry.users === 0) entries.delete(key);
    },
    async get(namespace, name) {
      const entry = entries.get(objectKey(namespace, name));
      if (entry?.object !== undefined && clock.nowMs() - entry.readAtMs < maxAgeMs) return entry.object;
      const askedAtMs = clock.nowMs();
      const object = await readObject<T>(options, namespace, name);
      if (entry !== undefined) Object.assign(entry, { object, readAtMs: askedAtMs });
      return object;
    },
  };
}
