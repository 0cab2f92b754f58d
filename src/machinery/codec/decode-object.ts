import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../dialect.ts';
import { badRequest } from '../errors/index.ts';
import type { ApiObject } from '../meta/index.ts';
import {
  DecodeError,
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../schema/index.ts';

export interface DecodeObjectRequest {
  /** Parsed body (`decodeBody`); null counts as an empty object. */
  readonly value: unknown;
  readonly catalog: TypeCatalog;
  readonly dialect: Dialect;
  /** Kind and version of the endpoint; they hold where the body names none. */
  readonly expected: GroupVersionKind;
  /**
   * True for two versions, of one group or of several, that hold the same objects; without it only those of one group
   * and name do.
   */
  readonly isSameKind?: ((first: GroupVersionKind, second: GroupVersionKind) => boolean) | undefined;
  /** Makes the error for a body that does not fit, from the bare cause; BadRequest when left out. */
  readonly refusal?: (cause: string) => Error;
}

/**
 * The object of a body in canonical form, of exactly the expected kind and version. An empty list of owners
 * (`metadata.managedFields`) is kept, since it asks for something.
 *
 * @throws StatusError BadRequest, with apimachinery's message, when the body is of another kind or version or
 * a value has the wrong JSON type (what `refusal` makes, if it is given).
 * @throws RangeError when the catalog does not have the expected kind.
 */
export function decodeObject(request: DecodeObjectRequest): ApiObject {
  const { value, catalog, dialect, expected } = request;
  const actual = kindOf(value, expected);
  const refuse = (cause: string): never => {
    throw request.refusal?.(cause) ?? unhandled(actual, expected, cause);
  };
  const type = catalog.kind(actual);
  if (type === undefined) {
    if (isEqual(actual, expected)) throw new RangeError(`kind not in catalog: ${expected.kind}`);
    const version = formatGroupVersion(actual.group, actual.version);
    return refuse(
      `no kind "${actual.kind}" is registered for version "${version}" in scheme "${dialect.schemeOf(expected.group)}"`,
    );
  }
  let object: Record<string, unknown>;
  try {
    object = type.decode(withTypeMeta(value, actual));
  } catch (error) {
    if (error instanceof DecodeError) return refuse(error.message);
    throw error;
  }
  if (!isEqual(actual, expected)) {
    const isOfGroup = actual.kind === expected.kind && actual.group === expected.group;
    if (isOfGroup || request.isSameKind?.(actual, expected)) throw versionMismatch(actual, expected);
    return refuse(
      `converting (${actual.version}.${actual.kind}) to (${internalPackage(expected)}.${expected.kind}): unknown conversion`,
    );
  }
  // Kinds of the catalog have kind, apiVersion and metadata; the first two are set above.
  const decoded = object as unknown as ApiObject;
  if (dropsOwners(value)) decoded.metadata.managedFields = [];
  return decoded;
}

/** Canonical form has no empty lists, but an empty list of owners says that there shall be none. */
function dropsOwners(value: unknown): boolean {
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return false;
  const { managedFields } = value.metadata;
  return Array.isArray(managedFields) && managedFields.length === 0;
}

function unhandled(actual: GroupVersionKind, expected: GroupVersionKind, cause: string): Error {
  const version = JSON.stringify(actual.version);
  return badRequest(`${actual.kind} in version ${version} cannot be handled as a ${expected.kind}: ${cause}`);
}

function versionMismatch(actual: GroupVersionKind, expected: GroupVersionKind): Error {
  const given = formatGroupVersion(actual.group, actual.version);
  const wanted = formatGroupVersion(expected.group, expected.version);
  return badRequest(
    `the API version in the data (${given}) does not match the expected API version (${wanted})`,
  );
}

/** Group, version and kind that the body names, the endpoint's where it names none. */
function kindOf(value: unknown, expected: GroupVersionKind): GroupVersionKind {
  if (!isJsonObject(value)) return expected;
  const kind = typeof value.kind === 'string' && value.kind !== '' ? value.kind : expected.kind;
  const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion : '';
  if (apiVersion === '') return { group: expected.group, version: expected.version, kind };
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  const isVersionLeftOut = version === '' && group === expected.group;
  return { group, version: isVersionLeftOut ? expected.version : version, kind };
}

function isEqual(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.group === b.group && a.version === b.version;
}

/** The value with kind and apiVersion filled in; the value itself when it has both. */
function withTypeMeta(value: unknown, actual: GroupVersionKind): unknown {
  if (value === null)
    return { kind: actual.kind, apiVersion: formatGroupVersion(actual.group, actual.version) };
  if (!isJsonObject(value) || (value.kind && value.apiVersion)) return value;
  return { ...value, kind: actual.kind, apiVersion: formatGroupVersion(actual.group, actual.version) };
}

/** Where apimachinery keeps the types that it works with inside: most groups have a package of their name. */
function internalPackage({ group }: GroupVersionKind): string {
  if (group === '' || group.startsWith('events.')) return 'core';
  return group === 'extensions' ? 'networking' : (group.split('.')[0] ?? group);
}
