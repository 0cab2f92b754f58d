import { createHash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  type CustomResource,
  createCustomFragment,
  createOpenApiDocument,
  type Encoding,
  jsonEncoding,
  type OpenApiSources,
  protobufEncoding,
} from '../../apis/openapi/index.ts';
import type { Slice } from '../../base/index.ts';
import { type GzipBlock, joinGzip, makeGzipBlock } from './gzip-block.ts';

const decompress = promisify(gunzip);

/** Bytes of the document in one encoding. */
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

/** How documents are made. */
export interface DocumentStoreOptions {
  /** What the document is to tell of, but for custom resources. Stays the same. */
  readonly sources: () => OpenApiSources;
  /** Custom resources that are served now, in the order in which they are told of. */
  readonly customSources?: (() => Iterable<CustomSource>) | undefined;
  /** Changes whenever `customSources` would give others. */
  readonly revision: () => number;
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
  readonly revision: number;
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
  /** Custom resources of each encoding by their keys, those of the last document only. */
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
    for (const source of this.#options.customSources?.() ?? []) {
      fragments.set(
        source.key,
        known.get(source.key) ?? (await this.#buildFragment(encoding, source, slice)),
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
      zipped: joinGzip(inOrder),
      builtAtMs: this.#options.nowMs(),
    };
  }

  #baseOf(encoding: DocumentEncoding): Promise<Parts> {
    const known = this.#base.get(encoding);
    if (known !== undefined) return known;
    const document = createOpenApiDocument(this.#options.sources());
    const base = writeParts(encodings[encoding].document, document, this.#options.beginSlice());
    this.#base.set(encoding, base);
    base.catch(() => this.#base.delete(encoding));
    return base;
  }

  #buildFragment(encoding: DocumentEncoding, source: CustomSource, slice: Slice): Promise<Parts> {
    const { dialect } = this.#options.sources().table;
    const fragment = createCustomFragment(dialect, source.read());
    return writeParts(encodings[encoding].fragment, fragment, slice);
  }
}

async function writeParts<T>(
  writers: readonly ((source: T) => Iterable<Buffer>)[],
  source: T,
  slice: Slice,
): Promise<Parts> {
  const hash: Hash = createHash('sha512');
  const blocks: GzipBlock[] = [];
  for (const write of writers) {
    const pieces: Buffer[] = [];
    for (const piece of write(source)) {
      pieces.push(piece);
      hash.update(piece);
      if (slice.isSpent()) await slice.rest();
    }
    blocks.push(await makeGzipBlock(Buffer.concat(pieces)));
  }
  return { blocks, digest: hash.digest() };
}

function digestOf(parts: readonly Parts[]): Buffer {
  const hash = createHash('sha512');
  for (const { digest } of parts) hash.update(digest);
  return hash.digest();
}
