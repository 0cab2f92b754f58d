import { CtlError } from '../errors.ts';
import { formatObjectName } from '../printers/name.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import { isFields } from './compare.ts';
import { type ConversionRequest, type ConvertedObject, convertObject } from './convert-object.ts';

/** Gets what there is to say about each object, in order. */
export type ObjectListener = (object: WireObject, converted: ConvertedObject) => void;

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
  if (!object.kind.endsWith('List') || !Array.isArray(object.items))
    return convertOne(object, request, listen);
  if (depth >= maxListDepth) throw new CtlError(`lists lie deeper than ${maxListDepth} in one another`);
  // Checked to be a map: the list as it was written, without the metadata that the check adds.
  const { items, ...list } = document as WireObject & { items: unknown[] };
  if (object.kind === 'List') {
    return { ...list, items: items.map((item) => convertDocument(item, request, listen, depth + 1)) };
  }
  return convertTypedList(list, items, request, listen);
}

/** Items of a list of one kind may leave their kind and version out. */
function convertTypedList(
  list: Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string },
  items: readonly unknown[],
  request: ConversionRequest,
  listen: ObjectListener,
): Readonly<Record<string, unknown>> {
  const identity = { apiVersion: list.apiVersion, kind: list.kind.slice(0, -'List'.length) };
  const converted = items.map((item) => {
    const whole = { ...identity, ...(isFields(item) ? item : {}) };
    return {
      isBare: !isFields(item) || item.kind === undefined,
      object: convertDocument(whole, request, listen),
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

function convertOne(object: WireObject, request: ConversionRequest, listen: ObjectListener) {
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

/** `deployment.apps/web`, by the version that the object was written in. */
export function nameOf({ apiVersion, kind, metadata }: WireObject): string {
  const slash = apiVersion.indexOf('/');
  const name = metadata.name || metadata.generateName || '<unnamed>';
  return formatObjectName({ group: slash < 0 ? '' : apiVersion.slice(0, slash), kind, name });
}

function checkObject(document: unknown): WireObject {
  if (!isFields(document)) throw new CtlError('a document is no object');
  if (typeof document.apiVersion !== 'string' || document.apiVersion === '')
    throw new CtlError('apiVersion not set');
  if (typeof document.kind !== 'string' || document.kind === '') throw new CtlError('kind not set');
  const object = { ...document, metadata: document.metadata ?? {} };
  if (isWireObject(object)) return object;
  throw new CtlError('metadata must be a map');
}
