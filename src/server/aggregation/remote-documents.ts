import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, asText, isJsonObject, type Logger, type Slice } from '../../base/index.ts';
import type { RemoteSource } from '../openapi/index.ts';
import { fetchDocument } from './fetch-document.ts';
import type { RemoteApi, RemoteApis } from './remote-apis.ts';
import type { RemoteClient } from './remote-client.ts';

/** How old a document may become before its server is asked whether it changed. Source: release 1.20. */
const refreshMs = 60_000;
/** How long after a failure a server is asked again; each failure doubles it, up to the second figure. */
const retryMs = 5000;
const maxRetryMs = 600_000;
/** Longest OpenAPI 3 index and document of one version: they are parsed at once. */
const maxV3Bytes = 4 * 2 ** 20;

/** What documents of other servers are kept with. */
export interface RemoteDocumentsOptions {
  readonly apis: Pick<RemoteApis, 'list' | 'revision'>;
  readonly client: RemoteClient;
  /** Who asks. */
  readonly user: string;
  readonly nowMs: () => number;
  /** Work that gives way to requests while a document is read. */
  readonly beginSlice: () => Slice;
  readonly logger: Logger;
}

/** What is known of the documents of one API. */
interface Known {
  /** Whose they are. */
  readonly api: RemoteApi;
  /** Tells what was read from what was read before. */
  edition: number;
  /** What is under way. */
  work: Promise<void> | undefined;
  dueMs: number;
  failures: number;
  etag: string;
  fragment: RemoteSource['fragment'];
  v3Target: string;
  v3: RemoteSource['v3'];
}

/**
 * The OpenAPI documents of other servers, as far as they tell of what these serve here. Each server is asked in its own time;
 * what it said last counts until it says something else, or its registration goes.
 */
export class RemoteDocuments {
  readonly #options: RemoteDocumentsOptions;
  readonly #known = new Map<string, Known>();
  #editions = 0;

  constructor(options: RemoteDocumentsOptions) {
    this.#options = options;
  }

  /** Changes whenever `sources` would give others. */
  get revision(): string {
    return `${this.#options.apis.revision} ${this.#editions}`;
  }

  /** What is known of all versions that other servers serve, by the names of their registrations. */
  sources(): readonly RemoteSource[] {
    const apis = [...this.#options.apis.list()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return apis.map((api) => {
      const { name, group, version } = api;
      const known = this.#known.get(name);
      const { edition, fragment, v3 } = known !== undefined && isSameServer(known.api, api) ? known : nothing;
      return { group, version, key: `${name} ${edition}`, fragment, v3 };
    });
  }

  /**
   * Asks the server of an API for its documents, unless it is not time for that yet. To be called whenever the server is known
   * to answer (`keepAvailability` sees to that twice a minute). `signal` ends what is under way. Resolves when
   * nothing is; never rejects.
   */
  async refresh(api: RemoteApi, signal: AbortSignal): Promise<void> {
    const registered = new Set([...this.#options.apis.list()].map(({ name }) => name));
    for (const name of this.#known.keys()) if (!registered.has(name)) this.#known.delete(name);
    let known = this.#known.get(api.name);
    if (known === undefined || !isSameServer(known.api, api)) {
      known = { api, work: undefined, dueMs: 0, failures: 0, etag: '', v3Target: '', ...nothing };
      this.#known.set(api.name, known);
    }
    if (known.work === undefined && this.#options.nowMs() >= known.dueMs)
      known.work = this.#refresh(known, signal);
    await known.work;
  }

  async #refresh(known: Known, signal: AbortSignal): Promise<void> {
    const { nowMs, logger } = this.#options;
    try {
      await this.#fetchV2(known, signal);
      await this.#fetchV3(known, signal);
      known.failures = 0;
      known.dueMs = nowMs() + refreshMs;
    } catch (error) {
      known.dueMs = nowMs() + Math.min(retryMs * 2 ** known.failures++, maxRetryMs);
      if (!signal.aborted)
        logger.info('OpenAPI document of an API service was not read', { apiService: known.api.name, error });
    } finally {
      known.work = undefined;
    }
  }

  async #fetchV2(known: Known, signal: AbortSignal): Promise<void> {
    const { client, user, beginSlice } = this.#options;
    const { api, etag } = known;
    const fetched = await fetchDocument(client, api, { target: '/openapi/v2', etag, user, signal });
    if (fetched === 'unchanged') return;
    // Loaded with the first document: 2 MB.
    const { readRemoteDocument } = await import('../openapi/index.ts');
    const isNone = fetched === 'none';
    const fragment = isNone ? undefined : await readRemoteDocument(fetched.bytes, api, beginSlice());
    known.etag = isNone ? '' : fetched.etag;
    if (isDeepStrictEqual(fragment, known.fragment)) return;
    known.fragment = fragment;
    known.edition = ++this.#editions;
  }

  async #fetchV3(known: Known, signal: AbortSignal): Promise<void> {
    const { client, user, nowMs } = this.#options;
    const { api } = known;
    const fetchJson = async (target: string): Promise<Buffer | undefined> => {
      const fetched = await fetchDocument(client, api, { target, etag: '', user, signal });
      if (typeof fetched === 'string') return undefined;
      if (fetched.bytes.length > maxV3Bytes)
        throw new RangeError(`GET ${target}: more than ${maxV3Bytes} bytes`);
      return fetched.bytes;
    };
    const index = await fetchJson('/openapi/v3');
    const target = index === undefined ? '' : targetOf(index, `apis/${api.group}/${api.version}`);
    if (target === known.v3Target) return;
    const bytes = target === '' ? undefined : await fetchJson(target);
    const { encodeDocument } = await import('../openapi/index.ts');
    if (bytes !== undefined && !isJsonObject(JSON.parse(bytes.toString())))
      throw new TypeError(`GET ${target}: no JSON object`);
    known.v3 = bytes === undefined ? undefined : await encodeDocument(bytes, nowMs());
    known.v3Target = target;
    known.edition = ++this.#editions;
  }
}

const nothing = { edition: 0, fragment: undefined, v3: undefined } as const;

/** Whether two registrations of one name lead to the same server, as far as they say. */
const isSameServer = (a: RemoteApi, b: RemoteApi): boolean =>
  isDeepStrictEqual(a.service, b.service) && a.group === b.group && a.version === b.version;

/** Where the index says that a document is; '' when it has none, or one that is elsewhere. */
function targetOf(index: Buffer, path: string): string {
  const { paths } = asJsonObject(JSON.parse(index.toString()));
  const target = asText(asJsonObject(asJsonObject(paths)[path]).serverRelativeURL);
  return /^\/openapi\/v3\/[!-~]+$/.test(target) ? target : '';
}
