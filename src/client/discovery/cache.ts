import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asJsonObject, type Clock, systemClock, writeFileAtomic } from '../../base/index.ts';
import { hostOf, type RestClient } from '../rest/index.ts';
import { decodeStoredDiscovery } from './decode.ts';
import { fetchDiscovery, type TaggedDiscovery } from './fetch.ts';
import type { Discovery } from './model.ts';

/** Where discovery is kept between commands. */
export interface DiscoveryCacheOptions {
  readonly client: RestClient;
  /** Folder of all servers' caches; each server has a file of its own in it. */
  readonly folder: string;
  /** As `FetchDiscoveryOptions` has it. */
  readonly aggregatedGroup?: string | undefined;
  /** Milliseconds for which the file counts without asking the server; default ten minutes, as client-go has it. */
  readonly ttlMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A server's discovery, from disk while that is young, else from the server, which says when what is kept is still right. */
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
  const { client, aggregatedGroup, ttlMs = defaultTtlMs, clock = systemClock } = options;
  const file = join(options.folder, `${hostOf(client.server).replace(/[^\w.]/g, '_')}.json`);
  let current: Promise<Discovery> | undefined;
  let isFresh = false;

  async function load(): Promise<Discovery> {
    const known = readCache(file, client.server);
    const { discovery, etags } = await fetchDiscovery(client, { aggregatedGroup, known });
    // A list with holes would hide resources for ten minutes.
    if (discovery.failures.length === 0)
      await writeCache(file, { savedAtMs: clock.nowMs(), server: client.server, etags, discovery });
    return discovery;
  }

  function refresh(): Promise<Discovery> {
    if (!isFresh || current === undefined) current = load();
    isFresh = true;
    return current;
  }

  return {
    get() {
      current ??= readYoung();
      return current ?? refresh();
    },
    refresh,
    invalidate() {
      current = undefined;
      isFresh = false;
      rmSync(file, { force: true });
    },
  };

  function readYoung(): Promise<Discovery> | undefined {
    const kept = readCache(file, client.server);
    const ageMs = clock.nowMs() - (kept?.savedAtMs ?? Number.NaN);
    return kept !== undefined && ageMs >= 0 && ageMs < ttlMs ? Promise.resolve(kept.discovery) : undefined;
  }
}

/** What was kept of a server, however old. */
interface KeptDiscovery extends TaggedDiscovery {
  readonly savedAtMs: number;
}

function readCache(file: string, server: string): KeptDiscovery | undefined {
  try {
    const kept = asJsonObject(JSON.parse(readFileSync(file, 'utf8')));
    const discovery = decodeStoredDiscovery(kept.discovery);
    if (discovery === undefined || kept.server !== server) return undefined;
    const { '/api': core = '', '/apis': named = '' } = asJsonObject(kept.etags);
    const etags = { ...(core ? { '/api': String(core) } : {}), ...(named ? { '/apis': String(named) } : {}) };
    return { discovery, etags, savedAtMs: Number(kept.savedAtMs) };
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
