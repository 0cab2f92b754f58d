import type { Slice } from '../../base/index.ts';
import { splitMetadata } from '../../machinery/codec/index.ts';
import { encodeListFrame, type ProtobufMessage } from '../../machinery/codec/protobuf/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { parseStored } from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import { PiecePacker, type PiecePool } from '../streaming/piece-pool.ts';
import { type Body, fillsPieces } from '../streaming/respond-in-pieces.ts';
import { type ListSource, listMetaOf, partialListMetaOf } from './list-source.ts';

/**
 * Limit of a list's messages that are held in memory until they are sent. Further ones are encoded twice: for the
 * length, and to be sent.
 */
const defaultHeldBytes = 64 * 1024 * 1024;

/** How a list is written in Protobuf. */
interface ListForm {
  readonly list: ProtobufMessage;
  readonly typeMeta: { readonly kind: string; readonly apiVersion: string };
  /** An object as a framed item. Gives the same bytes each time. */
  itemOf(object: CachedObject): Buffer;
}

/**
 * The body of a list in Protobuf. The length comes before the items, so all of them are encoded before the first is
 * sent, with pauses for other requests.
 */
export async function protobufBody(
  source: ListSource,
  slice: Slice,
  heldBytes = defaultHeldBytes,
): Promise<Body> {
  const { objects } = source.result;
  const isPartial = source.representation.as !== undefined;
  const form = isPartial ? metadataForm(source) : objectForm(source);
  const held: Buffer[] = [];
  let itemsSizeBytes = 0;
  for (const object of objects) {
    const item = form.itemOf(object);
    itemsSizeBytes += item.length;
    if (itemsSizeBytes <= heldBytes) held.push(item);
    if (slice.isSpent()) await slice.rest();
  }
  const { list, typeMeta } = form;
  const metadata = isPartial ? partialListMetaOf(source.result) : listMetaOf(source.result);
  const { head, tail } = encodeListFrame({ list, typeMeta, metadata, itemsSizeBytes });
  const { piecePool: pool } = source.endpoint.context;
  const totalBytes = head.length + itemsSizeBytes + tail.length;
  const rest = objects.slice(held.length);
  if (rest.length === 0 && !fillsPieces(source.exchange, totalBytes, pool)) {
    return { totalBytes, pieces: [Buffer.concat([head, ...held, tail])].values() };
  }
  return {
    totalBytes,
    pieces: pieces({ head, tail, held, rest, itemOf: form.itemOf, pool }),
    recycle: (piece) => pool.giveBack(piece),
  };
}

function objectForm({ endpoint, result }: ListSource): ListForm {
  const { context, served } = endpoint;
  const { kind, listKind } = served;
  // Pages of a list are requested once; only messages of whole lists are worth caching.
  const isPage = result.continueToken !== undefined;
  const frames = context.protobufFrames;
  return {
    list: context.protobuf.kind({ ...kind, kind: listKind }),
    typeMeta: { kind: listKind, apiVersion: formatGroupVersion(kind.group, kind.version) },
    itemOf: isPage ? (object) => frames.peek(served, object) : (object) => frames.keep(served, object),
  };
}

function metadataForm({ endpoint, representation }: ListSource): ListForm {
  const { protobuf, metaGroup } = endpoint.context;
  const { asVersion: version } = representation;
  const kind = 'PartialObjectMetadataList';
  const list = protobuf.kind({ group: metaGroup, version, kind });
  const item = protobuf.kind({ group: metaGroup, version: 'v1', kind: 'PartialObjectMetadata' });
  return {
    list,
    typeMeta: { kind, apiVersion: formatGroupVersion(metaGroup, version) },
    itemOf({ bytes }) {
      const { start, end } = splitMetadata(bytes);
      const metadata = parseStored(bytes.subarray(start, end)) as unknown; // just that part of the object
      return item.encodeFramed({ metadata }, list.itemsFieldNumber);
    },
  };
}

interface ListPieces extends Pick<ListForm, 'itemOf'> {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly held: readonly Buffer[];
  /** Objects after those of the held items. */
  readonly rest: readonly CachedObject[];
  readonly pool: PiecePool;
}

function* pieces({ head, tail, held, rest, itemOf, pool }: ListPieces): Generator<Buffer> {
  const packer = new PiecePacker(pool);
  packer.add(head);
  for (const item of held) {
    const full = packer.add(item);
    if (full !== undefined) yield full;
  }
  for (const object of rest) {
    const full = packer.add(itemOf(object));
    if (full !== undefined) yield full;
  }
  const full = packer.add(tail);
  if (full !== undefined) yield full;
  yield packer.end();
}
