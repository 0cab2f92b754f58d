import type { StorageError } from '../../../../src/storage/index.ts';
import type {
  CacheWatch,
  CacheWatchRequest,
  ResourceCache,
  WatchEvent,
} from '../../../../src/storage/watch-cache/index.ts';

/** A watch of the cache that keeps what it was given. */
export class WatchLog {
  readonly events: WatchEvent[] = [];
  readonly errors: StorageError[] = [];
  readonly watch: CacheWatch;
  drained: (() => Promise<void> | undefined) | undefined;

  constructor(resource: ResourceCache, request: CacheWatchRequest) {
    this.watch = resource.watch(request, {
      onEvent: (event) => this.events.push(event),
      onError: (error) => this.errors.push(error),
      drained: () => this.drained?.(),
    });
  }

  /** `TYPE key@revision`, one string per event; the key without the resource's prefix. */
  get lines(): string[] {
    return this.events.map(({ type, object, revision }) => `${type} ${shortKey(object.key)}@${revision}`);
  }
}

/** A key of `/registry/pods/` without that prefix. */
export function shortKey(key: string): string {
  return key.replace('/registry/pods/', '');
}

/** Lets everything run that waits for promises or messages of this process only. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
