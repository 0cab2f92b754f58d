/**
 * Discovery in one request, as later releases have it: all groups with their versions and resources in one document, for clients
 * whose `Accept` names it. Clients of release 1.20 never do. What it says comes from `apis/resources`.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import {
  type AggregatedSources,
  encodeGroups,
  type ResourceFragments,
  type ServedGroup,
} from '../../apis/resources/index.ts';
import type { Slice } from '../../base/index.ts';

/** What the documents are made from. */
export interface AggregatedDocumentsOptions extends Pick<AggregatedSources, 'table' | 'customs' | 'remotes'> {
  /** All groups in order of priority. */
  readonly groups: () => readonly ServedGroup[];
  /** Work that gives way to requests while a document is made. */
  readonly beginSlice: () => Slice;
}

/** Where documents are: the core group is below the first, all others below the second. */
export type DiscoveryRoot = '/api' | '/apis';

/** A document in one version of its kind. */
export interface AggregatedDocument {
  /** Value of the `ETag` header, with its quotes: the same in all versions, as the content is. */
  readonly etag: string;
  /** The list's items with their brackets, as JSON. */
  readonly items: Buffer;
}

const compress = promisify(gzip);

/**
 * The aggregated documents. A document is made when it is first asked for, and when resources have come or gone since: then only
 * what is new is made, and joined with the rest. Requests that come meanwhile share the work.
 */
export class AggregatedDocuments {
  readonly #options: AggregatedDocumentsOptions;
  readonly #fragments: ResourceFragments = new WeakMap();
  readonly #made = new Map<
    DiscoveryRoot,
    { readonly revision: string; readonly document: Promise<AggregatedDocument> }
  >();
  /** Bodies that were compressed, kept for as long as their document. */
  readonly #zipped = new WeakMap<AggregatedDocument, Map<string, Promise<Buffer>>>();

  constructor(options: AggregatedDocumentsOptions) {
    this.#options = options;
  }

  /** The present document. */
  get(root: DiscoveryRoot): Promise<AggregatedDocument> {
    const revision = revisionOf(this.#options);
    const known = this.#made.get(root);
    if (known?.revision === revision) return known.document;
    const document = this.#make(root);
    this.#made.set(root, { revision, document });
    document.catch(() => {
      // What failed once may work later.
      if (this.#made.get(root)?.document === document) this.#made.delete(root);
    });
    return document;
  }

  /** A body that has a document's items, compressed once. */
  zip(document: AggregatedDocument, apiVersion: string, body: Buffer): Promise<Buffer> {
    const known = this.#zipped.get(document) ?? new Map<string, Promise<Buffer>>();
    this.#zipped.set(document, known);
    let zipped = known.get(apiVersion);
    if (zipped === undefined) {
      zipped = compress(body, { level: constants.Z_BEST_SPEED });
      known.set(apiVersion, zipped);
    }
    return zipped;
  }

  async #make(root: DiscoveryRoot): Promise<AggregatedDocument> {
    const { table, customs, remotes, groups, beginSlice } = this.#options;
    const wanted = groups().filter(({ name }) => (name === '') === (root === '/api'));
    const slice = beginSlice();
    const hash = createHash('sha512');
    const pieces: Buffer[] = [Buffer.from('[')];
    for (const text of encodeGroups({ table, customs, remotes, groups: wanted }, this.#fragments)) {
      if (text !== '') {
        const piece = Buffer.from(text);
        hash.update(piece);
        pieces.push(piece);
      }
      if (slice.isSpent()) await slice.rest();
    }
    pieces.push(Buffer.from(']'));
    return { etag: `"${hash.digest('hex').toUpperCase()}"`, items: Buffer.concat(pieces) };
  }
}

const revisionOf = ({ customs, remotes }: AggregatedDocumentsOptions): string =>
  `${customs?.revision} ${remotes?.revision}`;
