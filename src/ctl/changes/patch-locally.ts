import { asJsonObject, isJsonObject, type JsonObject } from '../../base/index.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  PatchError,
  parseJsonPatch,
  parseMergePatch,
} from '../../machinery/patch/index.ts';
import { DecodeError } from '../../machinery/schema/index.ts';
import { CtlError } from '../errors.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import type { FindBuiltInType } from './built-in-type.ts';

/** A patch as it would be sent. */
export interface LocalPatch {
  readonly contentType: string;
  /** Parsed JSON. */
  readonly body: unknown;
}

/**
 * The object after a patch, as the server would make it before defaults and admission. The object given stays as it is.
 *
 * @throws CtlError when the patch does not fit, or is strategic and the client has no type for the kind.
 */
export async function patchLocally(
  object: WireObject,
  patch: LocalPatch,
  findType: FindBuiltInType,
): Promise<WireObject> {
  try {
    const patched = await apply(object, patch, findType);
    if (isWireObject(patched)) return patched;
  } catch (error) {
    const isRefused = error instanceof PatchError || error instanceof DecodeError;
    throw isRefused ? new CtlError(error.message, { cause: error }) : error;
  }
  throw new CtlError('the patch takes apiVersion, kind or metadata away');
}

async function apply(
  object: WireObject,
  { contentType, body }: LocalPatch,
  findType: FindBuiltInType,
): Promise<unknown> {
  if (contentType === 'application/json-patch+json') return applyJsonPatch(object, parseJsonPatch(body));
  if (contentType === 'application/merge-patch+json') return applyMergePatch(object, parseMergePatch(body));
  return applyStrategic(object, body, findType);
}

async function applyStrategic(
  object: WireObject,
  body: unknown,
  findType: FindBuiltInType,
): Promise<JsonObject> {
  const builtIn = await findType(object);
  if (builtIn === undefined) {
    const { apiVersion, kind } = object;
    throw new CtlError(
      `cannot apply strategic merge patch for ${apiVersion}, Kind=${kind} locally, try --type merge`,
    );
  }
  const { applyStrategicMergePatch, parseStrategicMergePatch } = await import(
    '../../machinery/patch/strategic/index.ts'
  );
  const { type, catalog } = builtIn;
  const patched = applyStrategicMergePatch(object, parseStrategicMergePatch(body), type, catalog);
  // Directives and nulls that met nothing are still in there; decoding drops them, as it does on the server.
  const decoded = { apiVersion: object.apiVersion, kind: object.kind, ...type.decode(patched) };
  return asJsonObject(withoutAdditions(decoded, patched));
}

/** Without the empty members that decoding adds: whoever looks at the object has not written them. */
function withoutAdditions(value: unknown, model: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(model) && value.length === model.length) {
    return value.map((item, index) => withoutAdditions(item, model[index]));
  }
  if (!isJsonObject(value) || !isJsonObject(model)) return value;
  const members = Object.entries(value).filter(([key]) => Object.hasOwn(model, key));
  return Object.fromEntries(members.map(([key, member]) => [key, withoutAdditions(member, model[key])]));
}
