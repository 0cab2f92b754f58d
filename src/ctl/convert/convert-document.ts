import { isJsonObject } from '../../base/index.ts';
import type { YamlPath } from '../../machinery/codec/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import { CtlError } from '../errors.ts';
import { type ConversionRequest, type ConvertedObject, convertObject } from './convert-object.ts';
import type { Fault } from './find-faults.ts';
import { identityFaults, isManifestObject, type ManifestObject, nameOf } from './manifest-object.ts';

/** What there is to say about an object of a document; without an object where there is none that says what it is. */
export interface ObjectReport extends Partial<Pick<ConvertedObject, 'notices' | 'unknown' | 'losesUnknown'>> {
  readonly object?: ManifestObject | undefined;
  /** Where it stands in the document. */
  readonly path: YamlPath;
  /** Why it was not converted; none when it was. */
  readonly faults: readonly Fault[];
}

/** Gets what there is to say about each object, in order. */
export type ObjectListener = (report: ObjectReport) => void;

/** Where a document stands in that of the file. */
interface Place {
  readonly path: YamlPath;
  /** Lists around it. */
  readonly depth: number;
}

const maxListDepth = 8;

/**
 * Converts a document: an object, or a list, which stays a list with its items in order. What does not fit its kind comes back
 * as it is, and the listener learns of it.
 *
 * @throws CtlError when lists lie too deep, or an object cannot be converted; the message names the object.
 */
export function convertDocument(
  document: unknown,
  request: ConversionRequest,
  listen: ObjectListener,
  { path, depth }: Place = { path: [], depth: 0 },
): Readonly<Record<string, unknown>> {
  if (!isManifestObject(document)) {
    listen({ path, faults: identityFaults(document) });
    return {};
  }
  const items = itemsOf(document, request);
  if (items === undefined) {
    const converted = convertOne(document, request);
    listen({ ...converted, object: document, path });
    return converted.object;
  }
  if (depth >= maxListDepth) throw new CtlError(`lists lie deeper than ${maxListDepth} in one another`);
  const convertItem = (item: unknown, index: number) =>
    convertDocument(item, request, listen, { path: [...path, 'items', index], depth: depth + 1 });
  return document.kind === 'List'
    ? { ...document, items: items.map(convertItem) }
    : convertTypedList(document, items, convertItem);
}

/** The items of a list; undefined for other objects. Lists of known kinds may have none at all. */
function itemsOf(
  { apiVersion, kind, items }: ManifestObject,
  { model }: ConversionRequest,
): readonly unknown[] | undefined {
  if (!kind.endsWith('List')) return undefined;
  if (Array.isArray(items)) return items;
  if (items !== undefined && items !== null) return undefined;
  const parsed = parseGroupVersion(apiVersion);
  const isKnown =
    kind === 'List' || (parsed && model.families.find({ ...parsed, kind: itemKindOf(kind) })) !== undefined;
  return isKnown ? [] : undefined;
}

const itemKindOf = (listKind: string): string => listKind.slice(0, -'List'.length);

/** Items of a list of one kind may leave their kind and version out. */
function convertTypedList(
  list: ManifestObject,
  items: readonly unknown[],
  convertItem: (item: unknown, index: number) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const identity = { apiVersion: list.apiVersion, kind: itemKindOf(list.kind) };
  const converted = items.map((item, index) => {
    // Null is read as an object that says nothing.
    const own = item ?? {};
    return {
      isBare: isJsonObject(own) && own.kind === undefined,
      object: convertItem(isJsonObject(own) ? { ...identity, ...own } : own, index),
    };
  });
  const versions = new Set(converted.map(({ object }) => object.apiVersion));
  const [version = list.apiVersion] = versions;
  // Items of several versions must say theirs, which only a list of anything can hold.
  if (versions.size > 1) {
    return { ...list, apiVersion: 'v1', kind: 'List', items: converted.map(({ object }) => object) };
  }
  const bare = converted.map(({ isBare, object }) => {
    const { apiVersion: _version, kind: _kind, ...rest } = object;
    return isBare ? rest : object;
  });
  return { ...list, apiVersion: version, items: bare };
}

function convertOne(object: ManifestObject, request: ConversionRequest): ConvertedObject {
  try {
    return convertObject(object, request);
  } catch (error) {
    if (error instanceof CtlError)
      throw new CtlError(`${nameOf(object)}: ${error.message}`, { cause: error });
    throw error;
  }
}
