import { type Clock, systemClock } from '../../base/index.ts';
import { hostOf, type RestClient, TransportError } from '../rest/index.ts';
import { download } from './download.ts';
import { isYoung, KeptFile } from './kept-file.ts';
import { type OpenApiSchemas, packDefinitions, readDefinitions } from './schemas.ts';
import { type SchemaVersion, VersionDocuments, type VersionDocumentsOptions } from './version-documents.ts';

/** Where definitions are kept between commands. */
export interface OpenApiCacheOptions {
  readonly client: RestClient;
  /** Folder of all servers' caches; each server has files of its own in it. */
  readonly folder: string;
  /** Milliseconds for which a file counts without asking the server; default ten minutes, as for discovery. */
  readonly ttlMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * A server's definitions, from disk while that is young, else from the server: the documents of single versions where it has
 * those, else the one of everything.
 */
export interface OpenApiCache {
  /** What is kept of these versions when it is young enough, else as `refresh`. */
  get(versions: Iterable<SchemaVersion>): Promise<OpenApiSchemas>;
  /**
   * Asks the server, once, which says when what is kept is still right.
   *
   * @throws StatusError or TransportError when a document cannot be had.
   */
  refresh(versions: Iterable<SchemaVersion>): Promise<OpenApiSchemas>;
}

const defaultTtlMs = 10 * 60 * 1000;

/** Makes a cache; nothing is read before the first call. */
export function createOpenApiCache(options: OpenApiCacheOptions): OpenApiCache {
  const { client, folder, ttlMs = defaultTtlMs, clock = systemClock } = options;
  const sources: VersionDocumentsOptions = { client, folder, ttlMs, nowMs: () => clock.nowMs() };
  const documents = new VersionDocuments(sources);
  const whole = new WholeDocument(sources);
  let looked: Promise<boolean> | undefined;

  async function refresh(versions: Iterable<SchemaVersion>): Promise<OpenApiSchemas> {
    looked ??= documents.look();
    return (await looked) ? documents.schemas(versions) : whole.refresh();
  }

  return {
    async get(versions) {
      if (documents.isKnown) return documents.schemas(versions);
      return whole.getYoung() ?? refresh(versions);
    },
    refresh,
  };
}

/** The document of everything (`/openapi/v2`). */
class WholeDocument {
  readonly #sources: VersionDocumentsOptions;
  readonly #file: KeptFile;
  #schemas: OpenApiSchemas | undefined;
  #refreshed: Promise<OpenApiSchemas> | undefined;

  constructor(sources: VersionDocumentsOptions) {
    this.#sources = sources;
    this.#file = new KeptFile(sources.folder, sources.client.server, '');
  }

  /** What is kept, when it is young enough. */
  getYoung(): OpenApiSchemas | undefined {
    this.#schemas ??= this.#readYoung();
    return this.#schemas;
  }

  /** Asks the server, unless that was done already. @throws StatusError or TransportError */
  refresh(): Promise<OpenApiSchemas> {
    this.#refreshed ??= this.#load();
    return this.#refreshed;
  }

  async #load(): Promise<OpenApiSchemas> {
    const { client, nowMs } = this.#sources;
    const kept = this.#file.read();
    const found = await download(client, { path: '/openapi/v2', etag: kept?.etag, read: packDefinitions });
    const { etag, text } =
      found === undefined ? (kept ?? missing(client)) : { etag: found.etag, text: found.value };
    this.#schemas = readDefinitions(text);
    await this.#file.write({ savedAtMs: nowMs(), etag, text });
    return this.#schemas;
  }

  #readYoung(): OpenApiSchemas | undefined {
    const { ttlMs, nowMs } = this.#sources;
    const kept = this.#file.read();
    if (kept === undefined || !isYoung(kept, nowMs(), ttlMs)) return undefined;
    try {
      return readDefinitions(kept.text);
    } catch {
      return undefined; // a broken file: the server knows
    }
  }
}

function missing({ server }: RestClient): never {
  throw new TransportError('protocol', 'the answer has no content', { host: hostOf(server) });
}
