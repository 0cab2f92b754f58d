import { isJsonObject } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { RestClient } from '../rest/index.ts';
import { download } from './download.ts';
import { isYoung, KeptFile } from './kept-file.ts';
import { type OpenApiSchemas, packV3Schemas, readDefinitions } from './schemas.ts';

/** A version of a group. */
export interface SchemaVersion {
  readonly group: string;
  readonly version: string;
}

/** Where documents are kept, and for how long. */
export interface VersionDocumentsOptions {
  readonly client: RestClient;
  readonly folder: string;
  readonly ttlMs: number;
  readonly nowMs: () => number;
}

const indexPath = '/openapi/v3';

/** The OpenAPI 3 documents of a server, one for each version of a group. Their URLs change when they do. */
export class VersionDocuments {
  readonly #options: VersionDocumentsOptions;
  readonly #indexFile: KeptFile;
  #index: ReadonlyMap<string, string> | undefined;
  readonly #loaded = new Map<string, Promise<OpenApiSchemas>>();

  constructor(options: VersionDocumentsOptions) {
    this.#options = options;
    this.#indexFile = new KeptFile(options.folder, options.client.server, 'index');
  }

  /** Whether it is known what documents there are, from not too long ago. */
  get isKnown(): boolean {
    this.#index ??= this.#readYoung();
    return this.#index !== undefined;
  }

  /** Asks the server what documents there are now; false when it has none. @throws TransportError */
  async look(): Promise<boolean> {
    const { client, nowMs } = this.#options;
    try {
      const found = await download(client, { path: indexPath, read: (document) => document });
      this.#index = readIndex(found?.value);
      if (this.#index !== undefined)
        await this.#indexFile.write({ savedAtMs: nowMs(), etag: '', text: JSON.stringify(found?.value) });
    } catch (error) {
      // Servers of old have no such path, and others may not let everybody see it.
      if (!(error instanceof StatusError)) throw error;
      this.#index = undefined;
    }
    return this.#index !== undefined;
  }

  /** What the documents of versions say; nothing of versions that have none. @throws StatusError or TransportError */
  async schemas(versions: Iterable<SchemaVersion>): Promise<OpenApiSchemas> {
    const paths = new Set([...versions].map(pathOf));
    const documents = await Promise.all([...paths].map((path) => this.#document(path)));
    const known = documents.filter((document) => document !== undefined);
    return {
      nameOf: (gvk) => firstOf(known, (document) => document.nameOf(gvk)),
      definition: (name) => firstOf(known, (document) => document.definition(name)),
    };
  }

  #document(path: string): Promise<OpenApiSchemas> | undefined {
    const url = this.#index?.get(path);
    if (url === undefined) return undefined;
    let loaded = this.#loaded.get(url);
    if (loaded === undefined) {
      loaded = this.#load(path, url);
      this.#loaded.set(url, loaded);
    }
    return loaded;
  }

  async #load(path: string, url: string): Promise<OpenApiSchemas> {
    const { client, folder, nowMs } = this.#options;
    const file = new KeptFile(folder, client.server, path);
    const kept = file.read();
    if (kept?.etag === url) {
      try {
        return readDefinitions(kept.text);
      } catch {
        // A broken file: the server knows.
      }
    }
    const found = await download(client, { path: url, read: packV3Schemas });
    const text = found?.value ?? '{}';
    await file.write({ savedAtMs: nowMs(), etag: url, text });
    return readDefinitions(text);
  }

  #readYoung(): ReadonlyMap<string, string> | undefined {
    const { ttlMs, nowMs } = this.#options;
    const kept = this.#indexFile.read();
    if (kept === undefined || !isYoung(kept, nowMs(), ttlMs)) return undefined;
    try {
      return readIndex(JSON.parse(kept.text));
    } catch {
      return undefined; // a broken file: the server knows
    }
  }
}

const pathOf = ({ group, version }: SchemaVersion): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

/** URLs by path; undefined for what is no index. URLs that lead elsewhere are left out. */
function readIndex(document: unknown): ReadonlyMap<string, string> | undefined {
  const paths = isJsonObject(document) ? document.paths : undefined;
  if (!isJsonObject(paths)) return undefined;
  return new Map(
    Object.entries(paths).flatMap(([path, entry]) => {
      const url = urlOf(entry);
      return url === undefined ? [] : [[path, url]];
    }),
  );
}

function urlOf(entry: unknown): string | undefined {
  const url = isJsonObject(entry) ? entry.serverRelativeURL : undefined;
  return typeof url === 'string' && url.startsWith(`${indexPath}/`) ? url : undefined;
}

function firstOf<T>(
  documents: readonly OpenApiSchemas[],
  find: (document: OpenApiSchemas) => T | undefined,
): T | undefined {
  for (const document of documents) {
    const found = find(document);
    if (found !== undefined) return found;
  }
  return undefined;
}
