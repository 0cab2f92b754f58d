import type { IncludeObject } from '../../apis/tables/index.ts';
import type { TableRow } from '../../apis/types/meta-v1.ts';
import { type MetadataParts, parseWithoutOwners, splitMetadata } from '../../machinery/codec/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';

/** An object's JSON, with what the cells of a row are made from. */
export interface RowSource {
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
export interface RowOptions {
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
