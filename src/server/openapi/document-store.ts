import { createHash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  type CustomResource,
  createCustomFragment,
  createOpenApiDocument,
  customDefinitionName,
  digestOfDefinition,
  type Encoding,
  joinRemoteFragment,
  jsonEncoding,
  type OpenApiFragment,
  type OpenApiSources,
  protobufEncoding,
  type RemoteFragment,
} from '../../apis/openapi/index.ts';
import { type Slice, takeInSlices } from '../../base/index.ts';
import { type Compression, type GzipBlock, joinGzip, makeGzipBlock } from './gzip-block.ts';

const decompress = promisify(gunzip);

/** Bytes of a document in one encoding. */
export interface EncodedDocument {
  /** Value of the `ETag` header, with its quotes. Changes when the bytes do. */
  readonly etag: string;
  readonly zipped: Buffer;
  readonly builtAtMs: number;
}

/** The bytes as they were before they were compressed. */
export const unzipDocument = ({ zipped }: EncodedDocument): Promise<Buffer> => decompress(zipped);

/** A version of a custom resource that the document is to tell of. */
export interface CustomSource {
  readonly group: string;
  readonly version: string;
  /** Changes with everything that the document says of it; no two sources have the same. */
  readonly key: string;
  /** Reads it, which may be slow: only what has not been told of under this key is asked for. */
  read(): CustomResource;
}

/** What another server says of a version of a group that it serves. */
export interface RemoteSource {
  readonly group: string;
  readonly version: string;
  /** Changes with everything that it says; no two sources have the same. */
  readonly key: string;
  /** What it says in OpenAPI 2; undefined as long as that is not known. */
  readonly fragment: RemoteFragment | undefined;
  /** Its document of this version in OpenAPI 3, if it has one. */
  readonly v3: EncodedDocument | undefined;
}

/** How documents are made. */
export interface DocumentStoreOptions {
  /** What the document is to tell of, but for custom resources. Stays the same. */
  readonly sources: () => OpenApiSources;
  /** Custom resources that are served now, in the order in which they are told of. */
  readonly customSources?: (() => Iterable<CustomSource>) | undefined;
  /** Versions of groups that other servers serve, in the order in which they are told of. Custom resources of these are not. */
  readonly remoteSources?: (() => readonly RemoteSource[]) | undefined;
  /** Changes whenever `customSources` or `remoteSources` would give others. */
  readonly revision: () => number | string;
  /** Work that gives way to requests while a document is built. */
  readonly beginSlice: () => Slice;
  readonly nowMs: () => number;
}

/** Encodings of the document: JSON, and the Protobuf of the OpenAPI 2 types (gnostic, `OpenAPIv2.proto`). */
export type DocumentEncoding = 'json' | 'protobuf';
const encodings: Readonly<Record<DocumentEncoding, Encoding>> = {
  json: jsonEncoding,
  protobuf: protobufEncoding,
};

/** Parts of a document or of a fragment, and a hash of what they hold. */
interface Parts {
  readonly blocks: readonly GzipBlock[];
  readonly digest: Buffer;
}

/** What was built of an encoding. */
interface Built {
  readonly revision: number | string;
  readonly document: Promise<EncodedDocument>;
}

/**
 * The OpenAPI document as bytes. An encoding is built when it is first asked for, and when the revision has changed: then
 * only what custom resources are new to it is made, and joined with the rest. Requests that come meanwhile share the work.
 * Only compressed bytes are kept, about 80 kB for each encoding and 2 kB for each custom resource of a few fields.
 */
export class DocumentStore {
  readonly #options: DocumentStoreOptions;
  readonly #built = new Map<DocumentEncoding, Built>();
  /** The built-in part of each encoding. */
  readonly #base = new Map<DocumentEncoding, Promise<Parts>>();
  /** What the built-in definitions say, for those of other servers; made when there are such. */
  #definitions: Promise<ReadonlyMap<string, string>> | undefined;
  /** Custom resources and versions of other servers of each encoding by their keys, those of the last document only. */
  readonly #fragments: Record<DocumentEncoding, Map<string, Parts>> = {
    json: new Map(),
    protobuf: new Map(),
  };

  constructor(options: DocumentStoreOptions) {
    this.#options = options;
  }

  /** The present document. */
  get(encoding: DocumentEncoding): Promise<EncodedDocument> {
    const revision = this.#options.revision();
    const known = this.#built.get(encoding);
    if (known?.revision === revision) return known.document;
    const document = this.#build(encoding);
    this.#built.set(encoding, { revision, document });
    document.catch(() => {
      // What failed once may work later.
      if (this.#built.get(encoding)?.document === document) this.#built.delete(encoding);
    });
    return document;
  }

  async #build(encoding: DocumentEncoding): Promise<EncodedDocument> {
    const base = await this.#baseOf(encoding);
    const slice = this.#options.beginSlice();
    const known = this.#fragments[encoding];
    const fragments = new Map<string, Parts>();
    for (const { key, make } of await this.#sources()) {
      fragments.set(
        key,
        known.get(key) ??
          (await writeParts(encodings[encoding].fragment, make(), { slice, compression: 'quick' })),
      );
      if (slice.isSpent()) await slice.rest();
    }
    this.#fragments[encoding] = fragments;
    const parts = [...fragments.values()];
    const inOrder = base.blocks.flatMap((block, index) => [
      block,
      ...parts.flatMap(({ blocks }) => blocks[index] ?? []),
    ]);
    const digest = parts.length === 0 ? base.digest : digestOf([base, ...parts]);
    return {
      etag: `"${digest.toString('hex').toUpperCase()}"`,
      zipped: await takeInSlices(joinGzip(inOrder), slice),
      builtAtMs: this.#options.nowMs(),
    };
  }

  #baseOf(encoding: DocumentEncoding): Promise<Parts> {
    const known = this.#base.get(encoding);
    if (known !== undefined) return known;
    const document = createOpenApiDocument(this.#options.sources());
    const base = writeParts(encodings[encoding].document, document, {
      slice: this.#options.beginSlice(),
      compression: 'best',
    });
    this.#base.set(encoding, base);
    base.catch(() => this.#base.delete(encoding));
    return base;
  }

  /** All that joins the built-in part, in order. */
  async #sources(): Promise<readonly FragmentSource[]> {
    const remotes = this.#options.remoteSources?.() ?? [];
    const customs = ownCustoms(this.#options.customSources?.() ?? [], remotes);
    if (customs.length + remotes.length === 0) return [];
    const { dialect, groups } = this.#options.sources().table;
    const isBuiltIn = ({ group, version }: RemoteSource): boolean =>
      groups.some(({ name, versions }) => name === group && versions.includes(version));
    const sources: FragmentSource[] = customs.map((source) => ({
      key: source.key,
      make: () => createCustomFragment(dialect, source.read()),
    }));
    if (remotes.every(({ fragment }) => fragment === undefined)) return sources;
    this.#definitions ??= this.#digestDefinitions();
    const builtIn = await this.#definitions;
    const taken = new Map<string, string>();
    const packages = new Set(customs.map(({ group, version }) => definitionPackage(group, version)));
    // No kind has an underscore in its name, so that numbered names are free.
    const mayBeCustom = (name: string): boolean => packages.has(packageOf(name)) && !name.includes('_');
    for (const remote of remotes) {
      const { key, fragment } = remote;
      if (fragment === undefined || isBuiltIn(remote)) continue;
      const joined = joinRemoteFragment(
        fragment,
        (name) => builtIn.get(name) ?? taken.get(name) ?? (mayBeCustom(name) ? '' : undefined),
      );
      for (const [name, digest] of joined.added) taken.set(name, digest);
      sources.push({ key: `${key} ${joined.key}`, make: () => joined.fragment });
    }
    return sources;
  }

  async #digestDefinitions(): Promise<ReadonlyMap<string, string>> {
    const slice = this.#options.beginSlice();
    const document = createOpenApiDocument(this.#options.sources());
    for (const _ of document.prepare()) if (slice.isSpent()) await slice.rest();
    const digests = new Map<string, string>();
    for (const [name, schema] of document.definitions()) {
      digests.set(name, digestOfDefinition(schema));
      if (slice.isSpent()) await slice.rest();
    }
    return digests;
  }
}

/** A fragment and what it is kept under. */
interface FragmentSource {
  readonly key: string;
  make(): OpenApiFragment;
}

/** The custom resources of versions that no other server serves: requests for those never reach them. */
export function ownCustoms(
  customs: Iterable<CustomSource>,
  remotes: readonly Pick<RemoteSource, 'group' | 'version'>[],
): readonly CustomSource[] {
  const remote = new Set(remotes.map(({ group, version }) => `${group}/${version}`));
  return [...customs].filter(({ group, version }) => !remote.has(`${group}/${version}`));
}

/** The part of a definition's name before its kind. */
const packageOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));
const definitionPackage = (group: string, version: string): string =>
  packageOf(customDefinitionName(group, version, ''));

async function writeParts<T>(
  writers: readonly ((source: T) => Iterable<Buffer>)[],
  source: T,
  { slice, compression }: { readonly slice: Slice; readonly compression: Compression },
): Promise<Parts> {
  const hash: Hash = createHash('sha512');
  const blocks: GzipBlock[] = [];
  for (const write of writers) {
    const pieces: Buffer[] = [];
    for (const piece of write(source)) {
      pieces.push(piece);
      if (slice.isSpent()) await slice.rest();
    }
    const bytes = Buffer.concat(pieces);
    hash.update(bytes);
    blocks.push(await makeGzipBlock(bytes, compression));
  }
  return { blocks, digest: hash.digest() };
}

function digestOf(parts: readonly Parts[]): Buffer {
  const hash = createHash('sha512');
  for (const { digest } of parts) hash.update(digest);
  return hash.digest();
}
