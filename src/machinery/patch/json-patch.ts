import { isJsonObject, ownValue } from '../../base/index.ts';
import { PatchError } from './patch-error.ts';

/** An operation of a JSON patch as it came: members are checked when it is applied. */
export interface JsonPatchOperation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

/** Most operations that one patch may have. */
export const maxJsonPatchOperations = 10_000;

/**
 * The operations of a parsed request body; null is a patch without operations.
 *
 * @throws PatchError `bad-patch` when it is no list of objects, `too-many-operations` above the limit.
 */
export function parseJsonPatch(body: unknown): readonly JsonPatchOperation[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw notDecodable(body, 'jsonpatch.Patch');
  for (const item of body) {
    if (item !== null && !isJsonObject(item)) throw notDecodable(item, 'jsonpatch.Operation');
  }
  if (body.length > maxJsonPatchOperations) {
    throw new PatchError(
      'too-many-operations',
      `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${body.length}`,
    );
  }
  return body.map((item: unknown) => operationOf(item));
}

/** Takes own members only, so that a `__proto__` in the body lends no others. */
function operationOf(item: unknown): JsonPatchOperation {
  if (!isJsonObject(item)) return {};
  return {
    op: ownValue(item, 'op'),
    path: ownValue(item, 'path'),
    from: ownValue(item, 'from'),
    value: ownValue(item, 'value'),
  };
}

/** What Go says of a JSON value that is none of the type. */
export function notDecodable(value: unknown, goType: string): PatchError {
  const kind = typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'array' : typeof value;
  return new PatchError('bad-patch', `json: cannot unmarshal ${kind} into Go value of type ${goType}`);
}
