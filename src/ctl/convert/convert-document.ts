import { isJsonObject } from '../../base/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import { CtlError } from '../errors.ts';
import { type ConversionRequest, type ConvertedObject, convertObject } from './convert-object.ts';
import { checkObject, type ManifestObject, nameOf } from './manifest-object.ts';

/** Gets what there is to say about each object, in order. */
export type ObjectListener = (object: ManifestObject, converted: ConvertedObject) => void;

const maxListDepth = 8;

/**
 * Converts a document: an object, or a list, which stays a list with its items in order.
 *
 * @throws CtlError when it is no object, or an object does not fit its kind; the message names the object.
 */
export function convertDocument(
  document: unknown,
  request: ConversionRequest,
  listen: ObjectListener,
  depth = 0,
): Readonly<Record<string, unknown>> {
  const object = checkObject(document);
  const items = itemsOf(object, request);
  if (items === undefined) return convertOne(object, request, listen);
  if (depth >= maxListDepth) throw new CtlError(`lists lie deeper than ${maxListDepth} in one another`);
  const convertItem = (item: unknown) => convertDocument(item, request, listen, depth + 1);
  return object.kind === 'List'
    ? { ...object, items: items.map(convertItem) }
    : convertTypedList(object, items, convertItem);
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
  convertItem: (item: unknown) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const identity = { apiVersion: list.apiVersion, kind: itemKindOf(list.kind) };
  const converted = items.map((item) => {
    // Null is read as an object that says nothing.
    const own = item ?? {};
    return {
      isBare: isJsonObject(own) && own.kind === undefined,
      object: convertItem(isJsonObject(own) ? { ...identity, ...own } : own),
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

function convertOne(object: ManifestObject, request: ConversionRequest, listen: ObjectListener) {
  let converted: ConvertedObject;
  try {
    converted = convertObject(object, request);
  } catch (error) {
    if (error instanceof CtlError)
      throw new CtlError(`${nameOf(object)}: ${error.message}`, { cause: error });
    throw error;
  }
  listen(object, converted);
  return converted.object;
}
