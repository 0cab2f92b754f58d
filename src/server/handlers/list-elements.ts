import { hidesAnnotations, type IncludeObject, tableRow } from '../../apis/tables/index.ts';
import type { TableRow } from '../../apis/types/meta-v1.ts';
import {
  listEnd,
  type MetadataParts,
  parseWithoutOwners,
  splitMetadata,
} from '../../machinery/codec/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ListForm } from './list-forms.ts';
import type { ListSource } from './list-source.ts';
import { inOrder, mapSlices, slicesOf } from './slices-of.ts';
import { readIncludeObject } from './table.ts';
import { cachedBytes } from './write-object.ts';

/** JSON of the elements in slices, in parts: one list of buffers for each element. */
export function elementsOf(source: ListSource, { slices }: ListForm): Iterable<readonly Buffer[][]> {
  const { as } = source.representation;
  if (as === 'Table') return rowElements(source);
  const { kind } = source.endpoint.served;
  if (as !== undefined && !hidesAnnotations(kind)) return metadataElements(source);
  return mapSlices(slices, (element) => [Buffer.from(JSON.stringify(element))]);
}

function metadataElements({ endpoint, result, representation }: ListSource): Iterable<readonly Buffer[][]> {
  const apiVersion = `${endpoint.context.metaGroup}/${representation.asVersion}`;
  return slicesOf(result.objects, (object) =>
    metadataParts(cachedBytes(endpoint.served, object), apiVersion),
  );
}

function rowElements({
  exchange,
  endpoint,
  result,
  representation,
}: ListSource): Iterable<readonly Buffer[][]> {
  const { printer, served, context } = endpoint;
  const { compare } = printer;
  const nowMs = context.nowMs();
  const includeObject = readIncludeObject(exchange);
  const { metaGroup } = context;
  const { asVersion: version } = representation;
  const options: RowOptions = {
    includeObject,
    metaApiVersion: `${metaGroup}/${version}`,
    rowOf: (object) => tableRow(object, { printer, nowMs, metaGroup, version, includeObject }),
  };
  // Tables of some kinds are sorted by what their objects say.
  const sources = slicesOf(result.objects, (object) => readRowSource(cachedBytes(served, object)));
  const sorted = inOrder(sources, compare && ((a, b) => compare(a.object, b.object)));
  return mapSlices(sorted, (source) => rowParts(source, options));
}

/** JSON around elements, which come in slices. */
export function* jsonPieces(
  shell: ListForm['shell'],
  slices: Iterable<readonly (readonly Buffer[])[]>,
): Generator<Buffer> {
  yield Buffer.from(JSON.stringify(shell).slice(0, -']}'.length));
  let isFirst = true;
  for (const slice of slices) {
    const parts: Buffer[] = [];
    for (const element of slice) {
      if (!isFirst) parts.push(separator);
      isFirst = false;
      parts.push(...element);
    }
    yield Buffer.concat(parts);
  }
  yield listEnd;
}

const separator = Buffer.from(',');

/** An object's JSON, with what the cells of a row are made from. */
interface RowSource {
  readonly bytes: Buffer;
  readonly parts: MetadataParts;
  /** Without the record of owners. */
  readonly object: ApiObject;
}

/** Reads an object of the API that a row shall show. */
export function readRowSource(bytes: Buffer): RowSource {
  const parts = splitMetadata(bytes);
  // Only objects of the API are stored.
  return { bytes, parts, object: parseWithoutOwners(bytes, parts) };
}

/** How rows are written. */
interface RowOptions {
  readonly includeObject: IncludeObject;
  /** `apiVersion` of the metadata that a row includes. */
  readonly metaApiVersion: string;
  rowOf(object: ApiObject): TableRow;
}

/**
 * JSON of a Table's row, in parts. What it includes of the object is cut out of the object's JSON, so that only what
 * the cells need is parsed and nothing is written a second time.
 */
export function rowParts(
  { bytes, parts, object }: RowSource,
  { includeObject, metaApiVersion, rowOf }: RowOptions,
): Buffer[] {
  const { object: included, ...shown } = rowOf(object);
  const head = `${JSON.stringify(shown).slice(0, -1)},"object":`;
  if (includeObject === 'None') return [Buffer.from(`${head}null}`)];
  if (includeObject === 'Object') return [Buffer.from(head), bytes, closing];
  // Rows with metadata include an object of the API that has nothing else.
  const { metadata } = included as unknown as ApiObject;
  const opening = head + partialHead(metaApiVersion);
  const { start, end, ownersStart, ownersEnd } = parts;
  // Most rows show the metadata as they are; some leave annotations out.
  if (metadata === object.metadata) return [Buffer.from(opening), bytes.subarray(start, end), closingTwice];
  const rest = JSON.stringify(metadata).slice(0, -1);
  return [Buffer.from(opening + rest), bytes.subarray(ownersStart, ownersEnd), closing, closingTwice];
}

/** JSON of an object's metadata alone, cut out of the object's, in parts. */
export function metadataParts(bytes: Buffer, metaApiVersion: string): Buffer[] {
  const { start, end } = splitMetadata(bytes);
  return [Buffer.from(partialHead(metaApiVersion)), bytes.subarray(start, end), closing];
}

const closing = Buffer.from('}');
const closingTwice = Buffer.from('}}');

const partialHead = (apiVersion: string): string =>
  `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`;
