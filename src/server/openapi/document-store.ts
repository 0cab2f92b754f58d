import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  createOpenApiDocument,
  type Encoding,
  encodeJson,
  encodeProtobuf,
  type OpenApiSources,
} from '../../apis/openapi/index.ts';
import type { Slice } from '../../base/index.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Bytes of the document in one encoding. */
export interface EncodedDocument {
  /** Value of the `ETag` header, with its quotes. Changes when the bytes do. */
  readonly etag: string;
  readonly zipped: Buffer;
  readonly builtAtMs: number;
}

/** How documents are made. */
export interface DocumentStoreOptions {
  /** What the document is to tell of now. */
  readonly sources: () => OpenApiSources;
  /** Changes whenever `sources` would give other contents, as when custom resources come. */
  readonly revision: () => number;
  /** Work that gives way to requests while a document is built. */
  readonly beginSlice: () => Slice;
  readonly nowMs: () => number;
}

/** Encodings of the document: JSON, and the Protobuf of the OpenAPI 2 types (gnostic, `OpenAPIv2.proto`). */
export type DocumentEncoding = 'json' | 'protobuf';
const encodings: Readonly<Record<DocumentEncoding, Encoding>> = {
  json: encodeJson,
  protobuf: encodeProtobuf,
};

/**
 * The OpenAPI document as bytes. An encoding is built when it is first asked for, and again when the revision has changed;
 * requests that come meanwhile share the work. Only compressed bytes are kept, about 60 kB for each encoding.
 */
export class DocumentStore {
  readonly #options: DocumentStoreOptions;
  readonly #built = new Map<DocumentEncoding, { revision: number; document: Promise<EncodedDocument> }>();

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

  /** The bytes as they were before they were compressed. */
  unzip({ zipped }: EncodedDocument): Promise<Buffer> {
    return decompress(zipped);
  }

  async #build(encoding: DocumentEncoding): Promise<EncodedDocument> {
    const slice = this.#options.beginSlice();
    const hash = createHash('sha512');
    const pieces: Buffer[] = [];
    for (const piece of encodings[encoding](createOpenApiDocument(this.#options.sources()))) {
      pieces.push(piece);
      hash.update(piece);
      if (slice.isSpent()) await slice.rest();
    }
    const etag = `"${hash.digest('hex').toUpperCase()}"`;
    const zipped = await compress(Buffer.concat(pieces));
    return { etag, zipped, builtAtMs: this.#options.nowMs() };
  }
}
