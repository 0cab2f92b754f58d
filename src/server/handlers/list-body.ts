import { partialObjectMetadata, tableRow } from '../../apis/tables/index.ts';
import type { Slice } from '../../base/index.ts';
import { encodeListHeader, listEnd, writeYaml } from '../../machinery/codec/index.ts';
import type { ApiObject, ListMeta } from '../../machinery/meta/index.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import type { ListResult, ServedKind } from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from '../request/negotiate.ts';
import { type Body, largeBodyBytes } from '../streaming/respond-in-pieces.ts';
import type { StoredEndpoint } from './endpoint.ts';
import { metadataText, type RowTextOptions, readRowSource, rowText } from './row-texts.ts';
import { sortInSteps } from './sort-in-steps.ts';
import { parseIncludeObject, parseStored, tableOf } from './table.ts';
import { cachedBytes } from './write-object.ts';

/** Bytes of one piece of a large list. */
const pieceBytes = 256 * 1024;
/** Objects that are looked into for one piece: some milliseconds of work. */
const pieceObjects = 64;
/** Objects whose bytes are counted in one step. */
const countedObjects = 1024;

const comma = Buffer.from(',{');
const open = Buffer.from('{');

/** A list to write: objects of an endpoint in the form that the client asked for. */
export interface ListSource {
  readonly exchange: Exchange;
  readonly endpoint: StoredEndpoint;
  readonly result: ListResult;
  readonly representation: Representation;
}

/**
 * The body of a list, made piece by piece; what comes before the first takes rests too.
 *
 * @throws StatusError 400 for an unknown `includeObject`.
 */
export async function listBody(source: ListSource, slice: Slice): Promise<Body> {
  const { representation } = source;
  const { as, encoding } = representation;
  if (as === undefined && encoding === 'json') return plainBody(source, slice);
  const form = formOf(source);
  if (encoding !== 'json') return { pieces: yamlPieces(form) };
  return { pieces: jsonPieces(form.shell, textsOf(source, form)) };
}

/** A list's JSON out of its items' stored bytes. Items of lists carry no kind and apiVersion, as the reference has it. */
async function plainBody({ endpoint: { served }, result }: ListSource, slice: Slice): Promise<Body> {
  const { objects } = result;
  const apiVersion = formatGroupVersion(served.kind.group, served.kind.version);
  const header = encodeListHeader({ kind: served.listKind, apiVersion, metadata: listMetaOf(result) });
  const itemOf = itemReader(served);
  // Where something must be converted, the length is known only in the end.
  if (served.conversion !== undefined) return { pieces: plainPieces(header, objects, itemOf, pieceBytes) };
  const skip = headLength(served.store.storageKind);
  const bytes = await bytesOf(objects, slice);
  const between = Math.max(0, 2 * objects.length - 1);
  const totalBytes = header.length + bytes - skip * objects.length + between + listEnd.length;
  const size = totalBytes > largeBodyBytes ? pieceBytes : Number.POSITIVE_INFINITY;
  return { totalBytes, pieces: plainPieces(header, objects, itemOf, size) };
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

/** Reads what follows kind and version in an object's JSON. A version of equal shape needs no copy of the object. */
function itemReader(served: ServedKind): (object: CachedObject) => Buffer {
  if (served.conversion === undefined) {
    const skip = headLength(served.store.storageKind);
    return ({ bytes }) => bytes.subarray(skip);
  }
  const skip = headLength(served.kind);
  return (object) => cachedBytes(served, object).subarray(skip);
}

function headLength({ kind, group, version }: GroupVersionKind): number {
  return Buffer.byteLength(`{"kind":"${kind}","apiVersion":"${formatGroupVersion(group, version)}",`);
}

function* plainPieces(
  header: Buffer,
  objects: readonly CachedObject[],
  itemOf: (object: CachedObject) => Buffer,
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
  parts.push(listEnd);
  yield Buffer.concat(parts);
}

/** A list whose objects are looked into: what stands around its elements, and the elements in slices. */
interface ListForm {
  /** The list without elements. */
  readonly shell: Readonly<Record<string, unknown>>;
  /** Field of the elements, the last of the shell. */
  readonly field: 'items' | 'rows';
  /** Elements in order; an empty slice is work without an outcome. */
  readonly slices: Iterable<readonly unknown[]>;
}

function formOf(source: ListSource): ListForm {
  const { as } = source.representation;
  if (as === undefined) return objectForm(source);
  return as === 'Table' ? tableForm(source) : metadataForm(source);
}

function objectForm({ endpoint: { served }, result }: ListSource): ListForm {
  const apiVersion = formatGroupVersion(served.kind.group, served.kind.version);
  const itemOf = itemReader(served);
  return {
    shell: { kind: served.listKind, apiVersion, metadata: listMetaOf(result), items: [] },
    field: 'items',
    slices: slicesOf(result.objects, (object) => parseStored(Buffer.concat([open, itemOf(object)]))),
  };
}

function metadataForm({ endpoint, result, representation }: ListSource): ListForm {
  const { metaGroup } = endpoint.context;
  const { asVersion: version } = representation;
  return {
    shell: {
      kind: 'PartialObjectMetadataList',
      apiVersion: `${metaGroup}/${version}`,
      metadata: listMetaOf(result),
      items: [],
    },
    field: 'items',
    slices: slicesOf(result.objects, (object) =>
      partialObjectMetadata(parseStored(cachedBytes(endpoint.served, object)), { metaGroup, version }),
    ),
  };
}

function tableForm(source: ListSource): ListForm {
  const { exchange, endpoint, result, representation } = source;
  const { asVersion: version } = representation;
  const includeObject = exchange.query.get('includeObject');
  const listMeta = listMetaOf(result);
  const toTable = (objects: readonly ApiObject[]) =>
    tableOf(endpoint, { objects, listMeta, version, includeObject });
  return {
    shell: { ...toTable([]) },
    field: 'rows',
    slices: rowSlices(source, (slice) => toTable(slice).rows ?? []),
  };
}

function* rowSlices(
  { endpoint, result }: ListSource,
  rowsOf: (objects: readonly ApiObject[]) => readonly unknown[],
): Generator<readonly unknown[]> {
  const parsed = slicesOf(result.objects, (object) => parseStored(cachedBytes(endpoint.served, object)));
  for (const slice of inRowOrder(parsed, endpoint.printer.compare)) yield rowsOf(slice);
}

/** JSON of the rows. */
function rowTexts({ exchange, endpoint, result, representation }: ListSource): Iterable<string> {
  const { printer, served, context } = endpoint;
  const { compare } = printer;
  const nowMs = context.nowMs();
  const includeObject = parseIncludeObject(exchange.query.get('includeObject'));
  const { metaGroup } = context;
  const { asVersion: version } = representation;
  const options: RowTextOptions = {
    includeObject,
    metaApiVersion: `${metaGroup}/${version}`,
    rowOf: (object) => tableRow(object, { printer, nowMs, metaGroup, version, includeObject }),
  };
  const sources = slicesOf(result.objects, (object) => readRowSource(cachedBytes(served, object)));
  const sorted = inRowOrder(sources, compare && ((a, b) => compare(a.object, b.object)));
  return mapSlices(sorted, (slice) => slice.map((source) => rowText(source, options)).join(','));
}

/** Tables of some kinds are sorted by what their objects say, for which all are held at once. */
function* inRowOrder<T>(
  slices: Iterable<readonly T[]>,
  compare: ((a: T, b: T) => number) | undefined,
): Generator<readonly T[]> {
  if (compare === undefined) {
    yield* slices;
    return;
  }
  const all: T[] = [];
  for (const slice of slices) {
    all.push(...slice);
    yield [];
  }
  const sorting = sortInSteps(all, compare);
  let step = sorting.next();
  for (; step.done !== true; step = sorting.next()) yield [];
  yield* slicesOf(step.value, (one) => one);
}

function* slicesOf<T, U>(objects: readonly T[], map: (object: T) => U): Generator<readonly U[]> {
  for (let start = 0; start < objects.length; start += pieceObjects) {
    yield objects.slice(start, start + pieceObjects).map(map);
  }
}

/** JSON of the elements in slices, without brackets. */
function textsOf(source: ListSource, { slices }: ListForm): Iterable<string> {
  const { as } = source.representation;
  if (as === 'Table') return rowTexts(source);
  if (as !== undefined) return metadataTexts(source);
  return mapSlices(slices, (slice) => JSON.stringify(slice).slice(1, -1));
}

/** JSON of the objects' metadata, cut out of theirs. */
function metadataTexts({ endpoint, result, representation }: ListSource): Iterable<string> {
  const apiVersion = `${endpoint.context.metaGroup}/${representation.asVersion}`;
  const texts = slicesOf(result.objects, (object) =>
    metadataText(cachedBytes(endpoint.served, object), apiVersion),
  );
  return mapSlices(texts, (slice) => slice.join(','));
}

function* mapSlices<T>(
  slices: Iterable<readonly T[]>,
  map: (slice: readonly T[]) => string,
): Generator<string> {
  for (const slice of slices) yield map(slice);
}

/** JSON around elements, given in slices without the brackets. */
function* jsonPieces(shell: ListForm['shell'], texts: Iterable<string>): Generator<Buffer> {
  yield Buffer.from(JSON.stringify(shell).slice(0, -']}'.length));
  let separator = '';
  for (const text of texts) {
    yield Buffer.from(text === '' ? '' : separator + text);
    if (text !== '') separator = ',';
  }
  yield listEnd;
}

/** In YAML the fields are sorted, so that something may follow the elements. */
function* yamlPieces({ shell, field, slices }: ListForm): Generator<Buffer> {
  const whole = writeYaml(shell);
  const empty = `${field}: []\n`;
  // A line that begins in the first column is a field of the list; the first field may be none before it.
  const at = whole.startsWith(empty) ? 0 : whole.indexOf(`\n${empty}`) + 1;
  let isEmpty = true;
  for (const slice of slices) {
    const text = slice.length === 0 ? '' : writeYaml({ [field]: slice });
    const isFirst = isEmpty && text !== '';
    if (isFirst) isEmpty = false;
    yield Buffer.from(isFirst ? whole.slice(0, at) + text : text.slice(`${field}:\n`.length));
  }
  yield Buffer.from(isEmpty ? whole : whole.slice(at + empty.length));
}

/** List metadata in wire order. */
function listMetaOf(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    ...(result.continueToken === undefined ? {} : { continue: result.continueToken }),
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}
