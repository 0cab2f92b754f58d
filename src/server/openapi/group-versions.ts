import { createHash } from 'node:crypto';
import { encodeGroupVersion, encodeRemoteVersion, type OpenApiSources } from '../../apis/openapi/index.ts';
import { takeSteps } from '../../base/index.ts';
import {
  type CustomSource,
  type DocumentStoreOptions,
  type EncodedDocument,
  ownCustoms,
  type RemoteSource,
} from './document-store.ts';
import { joinGzip, makeGzipBlock } from './gzip-block.ts';

/** A version of a group that is served. */
interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly customs: readonly CustomSource[];
  /** What the server says that serves this version, where that is another. */
  readonly remote?: RemoteSource;
}

/** Documents of versions with custom resources beyond this number are made again when they are asked for again. */
const maxCustomDocuments = 200;

/**
 * The OpenAPI 3 documents of all versions of groups, by paths such as `api/v1` and `apis/apps/v1`. A document is built when it
 * or, where no custom resources are in it, the index is first asked for; only compressed bytes are kept.
 */
export class GroupVersionStore {
  readonly #options: DocumentStoreOptions;
  #versions:
    | { readonly revision: number | string; readonly byPath: ReadonlyMap<string, GroupVersion> }
    | undefined;
  /** By path and by what is in it; those with custom resources in the order in which they were asked for. */
  readonly #builtIn = new Map<string, Promise<EncodedDocument>>();
  readonly #custom = new Map<string, Promise<EncodedDocument>>();

  constructor(options: DocumentStoreOptions) {
    this.#options = options;
  }

  /** All paths in order. */
  paths(): Iterable<string> {
    return this.#present().keys();
  }

  /** Changes when the document does; undefined when there is none at this path. */
  async hashOf(path: string): Promise<string | undefined> {
    const found = this.#present().get(path);
    if (found === undefined) return undefined;
    if (found.remote !== undefined) return (await this.#remoteOf(path, found.remote)).etag.slice(1, -1);
    if (found.customs.length > 0) return hashOfKeys(found.customs);
    return (await this.#builtInOf(path, found)).etag.slice(1, -1);
  }

  /** The document at a path; undefined when there is none. */
  get(path: string): Promise<EncodedDocument> | undefined {
    const found = this.#present().get(path);
    if (found === undefined) return undefined;
    if (found.remote !== undefined) return this.#remoteOf(path, found.remote);
    return found.customs.length > 0 ? this.#customOf(path, found) : this.#builtInOf(path, found);
  }

  #present(): ReadonlyMap<string, GroupVersion> {
    const revision = this.#options.revision();
    if (this.#versions?.revision !== revision) {
      const { customSources, remoteSources } = this.#options;
      const remotes = remoteSources?.() ?? [];
      const customs = ownCustoms(customSources?.() ?? [], remotes);
      this.#versions = { revision, byPath: listVersions(this.#options.sources(), customs, remotes) };
    }
    return this.#versions.byPath;
  }

  #builtInOf(path: string, found: GroupVersion): Promise<EncodedDocument> {
    return keep(this.#builtIn, path, () => this.#build(found));
  }

  #customOf(path: string, found: GroupVersion): Promise<EncodedDocument> {
    return this.#keepYoung(`${path} ${hashOfKeys(found.customs)}`, () => this.#build(found));
  }

  /** Servers of old have no documents of versions: what they say in OpenAPI 2 is said in 3. */
  #remoteOf(path: string, { key, v3, fragment }: RemoteSource): Promise<EncodedDocument> {
    if (v3 !== undefined) return Promise.resolve(v3);
    const said = fragment ?? { paths: new Map(), definitions: new Map() };
    return this.#keepYoung(`${path} ${key}`, () =>
      this.#encode(encodeRemoteVersion(this.#options.sources(), said)),
    );
  }

  #keepYoung(key: string, make: () => Promise<EncodedDocument>): Promise<EncodedDocument> {
    const document = keep(this.#custom, key, make);
    // What was asked for last goes last.
    this.#custom.delete(key);
    this.#custom.set(key, document);
    const [oldest] = this.#custom.keys();
    if (this.#custom.size > maxCustomDocuments && oldest !== undefined) this.#custom.delete(oldest);
    return document;
  }

  #build({ group, version, customs }: GroupVersion): Promise<EncodedDocument> {
    const read = customs.map((source) => source.read());
    return this.#encode(encodeGroupVersion(this.#options.sources(), { group, version, customs: read }));
  }

  async #encode(document: Iterable<Buffer>): Promise<EncodedDocument> {
    const slice = this.#options.beginSlice();
    const hash = createHash('sha512');
    const pieces: Buffer[] = [];
    for (const piece of document) {
      pieces.push(piece);
      hash.update(piece);
      if (slice.isSpent()) await slice.rest();
    }
    const zipped = takeSteps(joinGzip([await makeGzipBlock(Buffer.concat(pieces))]));
    return {
      etag: `"${hash.digest('hex').toUpperCase()}"`,
      zipped,
      builtAtMs: this.#options.nowMs(),
    };
  }
}

/** What is kept under a key, or what is made now; what failed is not kept. */
function keep<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

function hashOfKeys(customs: readonly CustomSource[]): string {
  const hash = createHash('sha512');
  for (const { key } of customs) hash.update(`${key}\n`);
  return hash.digest('hex').toUpperCase();
}

function listVersions(
  { table }: OpenApiSources,
  customs: Iterable<CustomSource>,
  remotes: readonly RemoteSource[],
): ReadonlyMap<string, GroupVersion> {
  const byPath = new Map<string, GroupVersion & { readonly customs: CustomSource[] }>();
  const pathOf = (group: string, version: string): string =>
    group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const enter = (group: string, version: string): CustomSource[] => {
    const path = pathOf(group, version);
    const entry = byPath.get(path) ?? { group, version, customs: [] };
    byPath.set(path, entry);
    return entry.customs;
  };
  for (const { name, versions } of table.groups) for (const version of versions) enter(name, version);
  for (const source of customs) enter(source.group, source.version).push(source);
  const all = new Map<string, GroupVersion>(byPath);
  for (const remote of remotes) {
    const { group, version, v3, fragment } = remote;
    const path = pathOf(group, version);
    if ((v3 ?? fragment) !== undefined && !all.has(path))
      all.set(path, { group, version, customs: [], remote });
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}
