import type { Slice } from '../../base/index.ts';
import { encodeListHeader, encodeSortedList, listEnd } from '../../machinery/codec/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import { wantsPretty } from '../request/pretty-json.ts';
import { PiecePacker, type PiecePool } from '../streaming/piece-pool.ts';
import { type Body, fillsPieces } from '../streaming/respond-in-pieces.ts';
import { elementsOf, jsonPieces } from './list-elements.ts';
import { formOf, prettyPieces, yamlPieces } from './list-forms.ts';
import { headLength, itemReader, type ListSource, listMetaOf } from './list-source.ts';
import { protobufBody } from './protobuf-list.ts';

/** Bytes of one piece of a large list. */
const pieceBytes = 256 * 1024;
/** Objects whose bytes are counted in one step. */
const countedObjects = 1024;
/** Items that are made in one step, each of which may take some tens of microseconds. */
const madeItems = 16;

const comma = Buffer.from(',{');
const open = Buffer.from('{');

/**
 * The body of a list, made piece by piece; the work before the first piece is interrupted for other requests too.
 *
 * @throws StatusError 400 for an unknown `includeObject`.
 */
export async function listBody(source: ListSource, slice: Slice): Promise<Body> {
  const { exchange, representation } = source;
  const { as, encoding } = representation;
  if (encoding === 'protobuf') return protobufBody(source, slice);
  const isPretty = wantsPretty(exchange, representation);
  if (as === undefined && encoding === 'json' && !isPretty) return plainBody(source, slice);
  const form = formOf(source);
  if (isPretty) return { pieces: prettyPieces(form) };
  if (encoding !== 'json') return { pieces: yamlPieces(form) };
  if (form.shell[form.field] === null)
    return { pieces: [Buffer.from(`${JSON.stringify(form.shell)}\n`)].values() };
  return { pieces: jsonPieces(form.shell, elementsOf(source, form)) };
}

/** A list's JSON out of its items' stored bytes. Items of lists carry no kind and apiVersion, as release 1.20 has it. */
async function plainBody({ exchange, endpoint, result }: ListSource, slice: Slice): Promise<Body> {
  const { served } = endpoint;
  const { piecePool: pool } = endpoint.context;
  const { objects } = result;
  const apiVersion = formatGroupVersion(served.kind.group, served.kind.version);
  const itemOf = itemReader(served);
  const head = { kind: served.listKind, apiVersion, metadata: listMetaOf(result) };
  if (served.type.isUnstructured === true) {
    const ends = encodeSortedList(head);
    const items = await itemsOf(objects, itemOf, slice);
    const itemBytes = items.reduce((sum, { length }) => sum + length, 0);
    return sizedBody(exchange, { ends, itemBytes, objects: items, itemOf: (item) => item, pool });
  }
  const ends = { header: encodeListHeader(head), end: listEnd };
  // Where something must be converted, the length is known only in the end.
  if (served.conversion !== undefined) return { pieces: plainPieces(ends, objects, itemOf, pieceBytes) };
  const itemBytes = (await bytesOf(objects, slice)) - headLength(served.store.storageKind) * objects.length;
  return sizedBody(exchange, { ends, itemBytes, objects, itemOf, pool });
}

/** What stands before and after the items of a list. */
interface ListEnds {
  readonly header: Buffer;
  readonly end: Buffer;
}

/** A list whose length is known. */
interface SizedList<T> {
  readonly ends: ListEnds;
  /** Bytes of all items together. */
  readonly itemBytes: number;
  readonly objects: readonly T[];
  readonly itemOf: (object: T) => Buffer;
  readonly pool: PiecePool;
}

function sizedBody<T>(exchange: ListSource['exchange'], list: SizedList<T>): Body {
  const { ends, itemBytes, objects, itemOf, pool } = list;
  const between = Math.max(0, 2 * objects.length - 1);
  const totalBytes = ends.header.length + itemBytes + between + ends.end.length;
  if (!fillsPieces(exchange, totalBytes, pool)) {
    return { totalBytes, pieces: plainPieces(ends, objects, itemOf, Number.POSITIVE_INFINITY) };
  }
  return {
    totalBytes,
    pieces: pooledPieces(ends, objects, itemOf, pool),
    recycle: (piece) => pool.giveBack(piece),
  };
}

/** The items of objects that are shown otherwise than they are stored; those that nobody has read yet are made. */
async function itemsOf(
  objects: readonly CachedObject[],
  itemOf: (object: CachedObject) => Buffer,
  slice: Slice,
): Promise<readonly Buffer[]> {
  const items: Buffer[] = [];
  for (const object of objects) {
    items.push(itemOf(object));
    if (items.length % madeItems === 0 && slice.isSpent()) await slice.rest();
  }
  return items;
}

/** Stored bytes of all objects together. */
async function bytesOf(objects: readonly CachedObject[], slice: Slice): Promise<number> {
  let total = 0;
  for (const [index, { bytes }] of objects.entries()) {
    total += bytes.length;
    if (index % countedObjects === countedObjects - 1 && slice.isSpent()) await slice.rest();
  }
  return total;
}

function* plainPieces<T>(
  { header, end }: ListEnds,
  objects: readonly T[],
  itemOf: (object: T) => Buffer,
  size: number,
): Generator<Buffer> {
  let parts: Buffer[] = [header];
  let bytes = 0;
  let separator = open;
  for (const object of objects) {
    const item = itemOf(object);
    parts.push(separator, item);
    separator = comma;
    bytes += item.length;
    if (bytes < size) continue;
    yield Buffer.concat(parts);
    parts = [];
    bytes = 0;
  }
  parts.push(end);
  yield Buffer.concat(parts);
}

function* pooledPieces<T>(
  { header, end }: ListEnds,
  objects: readonly T[],
  itemOf: (object: T) => Buffer,
  pool: PiecePool,
): Generator<Buffer> {
  const packer = new PiecePacker(pool);
  packer.add(header);
  let separator = open;
  for (const object of objects) {
    let full = packer.add(separator);
    if (full !== undefined) yield full;
    separator = comma;
    full = packer.add(itemOf(object));
    if (full !== undefined) yield full;
  }
  const full = packer.add(end);
  if (full !== undefined) yield full;
  yield packer.end();
}
