import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asJsonObject, type Clock, systemClock, writeFileAtomic } from '../../base/index.ts';
import { hostOf, type RestClient } from '../rest/index.ts';
import { decodeStoredDiscovery } from './decode.ts';
import { fetchDiscovery } from './fetch.ts';
import type { Discovery } from './model.ts';

/** Where discovery is kept between commands. */
export interface DiscoveryCacheOptions {
  readonly client: RestClient;
  /** Folder of all servers' caches; each server has a file of its own in it. */
  readonly folder: string;
  /** Milliseconds for which the file counts; default ten minutes, as client-go has it. */
  readonly ttlMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A server's discovery, from disk while that is young, else from the server. */
export interface DiscoveryCache {
  /** The kept answer when it is young enough, else a new one. @throws as `fetchDiscovery`. */
  get(): Promise<Discovery>;
  /** Asks the server, unless that was already done through this value. @throws as `fetchDiscovery`. */
  refresh(): Promise<Discovery>;
  /** Drops what is kept, on disk too. */
  invalidate(): void;
}

const defaultTtlMs = 10 * 60 * 1000;

/** Makes a cache; nothing is read before the first call. */
export function createDiscoveryCache(options: DiscoveryCacheOptions): DiscoveryCache {
  const { client, ttlMs = defaultTtlMs, clock = systemClock } = options;
  const file = join(options.folder, `${hostOf(client.server).replace(/[^\w.]/g, '_')}.json`);
  let current: Promise<Discovery> | undefined;
  let isFresh = false;

  async function load(): Promise<Discovery> {
    const discovery = await fetchDiscovery(client);
    // A list with holes would hide resources for ten minutes.
    if (discovery.failures.length === 0)
      await writeCache(file, { savedAtMs: clock.nowMs(), server: client.server, discovery });
    return discovery;
  }

  function refresh(): Promise<Discovery> {
    if (!isFresh || current === undefined) current = load();
    isFresh = true;
    return current;
  }

  return {
    get() {
      const kept = current ?? readCache(file, client.server, ttlMs, clock);
      current = kept instanceof Promise ? kept : kept === undefined ? refresh() : Promise.resolve(kept);
      return current;
    },
    refresh,
    invalidate() {
      current = undefined;
      isFresh = false;
      rmSync(file, { force: true });
    },
  };
}

function readCache(file: string, server: string, ttlMs: number, clock: Clock): Discovery | undefined {
  try {
    const kept = asJsonObject(JSON.parse(readFileSync(file, 'utf8')));
    const ageMs = clock.nowMs() - Number(kept.savedAtMs);
    if (!(ageMs >= 0 && ageMs < ttlMs) || kept.server !== server) return undefined;
    return decodeStoredDiscovery(kept.discovery);
  } catch {
    return undefined; // no cache or a broken one: the server knows
  }
}

async function writeCache(file: string, value: unknown): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
    await writeFileAtomic(file, JSON.stringify(value));
  } catch {
    // A cache that cannot be written (read-only home) makes the next command slower, not wrong.
  }
}
