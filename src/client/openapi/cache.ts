import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asJsonObject, type Clock, systemClock, writeFileAtomic } from '../../base/index.ts';
import { hostOf, type RestClient, TransportError } from '../rest/index.ts';
import { type OpenApiSchemas, packDefinitions, readDefinitions } from './schemas.ts';

/** Where definitions are kept between commands. */
export interface OpenApiCacheOptions {
  readonly client: RestClient;
  /** Folder of all servers' caches; each server has a file of its own in it. */
  readonly folder: string;
  /** Milliseconds for which the file counts without asking the server; default ten minutes, as for discovery. */
  readonly ttlMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A server's definitions, from disk while that is young, else from the server. */
export interface OpenApiCache {
  /** What is kept when it is young enough, else as `refresh`. */
  get(): Promise<OpenApiSchemas>;
  /**
   * Asks the server, which says when what is kept is still right.
   *
   * @throws StatusError or TransportError when the document cannot be had.
   */
  refresh(): Promise<OpenApiSchemas>;
}

interface Kept {
  readonly savedAtMs: number;
  readonly etag: string;
  readonly packed: string;
}

const defaultTtlMs = 10 * 60 * 1000;
/** Larger documents are refused: that of a full server has 2 MB. */
const maxDocumentBytes = 256 * 1024 * 1024;

/** Makes a cache; nothing is read before the first call. */
export function createOpenApiCache(options: OpenApiCacheOptions): OpenApiCache {
  const { client, ttlMs = defaultTtlMs, clock = systemClock } = options;
  const file = join(options.folder, `${hostOf(client.server).replace(/[^\w.]/g, '_')}.txt`);
  let current: Promise<OpenApiSchemas> | undefined;
  let isFresh = false;

  async function load(): Promise<OpenApiSchemas> {
    const kept = readKept(file, client.server);
    const fetched = await fetchDefinitions(client, kept?.etag);
    const { etag, packed } = fetched ?? kept ?? missing(client);
    const schemas = readDefinitions(packed);
    await writeKept(file, client.server, { savedAtMs: clock.nowMs(), etag, packed });
    return schemas;
  }

  function refresh(): Promise<OpenApiSchemas> {
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
  };

  function readYoung(): Promise<OpenApiSchemas> | undefined {
    const kept = readKept(file, client.server);
    const ageMs = clock.nowMs() - (kept?.savedAtMs ?? 0);
    if (kept === undefined || !(ageMs >= 0 && ageMs < ttlMs)) return undefined;
    try {
      return Promise.resolve(readDefinitions(kept.packed));
    } catch {
      return undefined; // a broken file: the server knows
    }
  }
}

function missing({ server }: RestClient): never {
  throw new TransportError('protocol', 'the answer has no content', { host: hostOf(server) });
}

/** Definitions of the server's document; undefined when it is still the one of this tag. */
async function fetchDefinitions(
  client: RestClient,
  etag: string | undefined,
): Promise<Omit<Kept, 'savedAtMs'> | undefined> {
  const { status, headers, body } = await client.send({
    method: 'GET',
    path: '/openapi/v2',
    headers: { 'accept-encoding': 'gzip', ...(etag ? { 'if-none-match': etag } : {}) },
  });
  if (status === 304) return undefined;
  try {
    const text = headers['content-encoding'] === 'gzip' ? await unzip(body) : body;
    return { etag: String(headers.etag ?? ''), packed: packDefinitions(JSON.parse(text.toString('utf8'))) };
  } catch (cause) {
    throw new TransportError('protocol', 'the answer is no OpenAPI document', {
      host: hostOf(client.server),
      cause,
    });
  }
}

async function unzip(body: Buffer): Promise<Buffer> {
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(body, { maxOutputLength: maxDocumentBytes });
}

function readKept(file: string, server: string): Kept | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const head = asJsonObject(JSON.parse(text.slice(0, end)));
    if (head.server !== server || typeof head.etag !== 'string') return undefined;
    return { savedAtMs: Number(head.savedAtMs), etag: head.etag, packed: text.slice(end + 1) };
  } catch {
    return undefined; // no cache or a broken one: the server knows
  }
}

async function writeKept(file: string, server: string, { savedAtMs, etag, packed }: Kept): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
    const head = JSON.stringify({ savedAtMs, server, etag });
    await writeFileAtomic(file, `${head}\n${packed}`);
  } catch {
    // A cache that cannot be written (read-only home) makes the next command slower, not wrong.
  }
}
