import { asJsonObject, isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../dialect.ts';
import { badRequest, internalError, quoteGo } from '../errors/index.ts';
import type { ApiObject } from '../meta/index.ts';
import {
  type CompiledType,
  DecodeError,
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../schema/index.ts';
import { isUnlikeText } from './parse-json.ts';
import { readTypeMeta } from './type-meta.ts';

export interface DecodeObjectRequest {
  /** Parsed body (`decodeBody`); null counts as an empty object. */
  readonly value: unknown;
  /** The JSON that the value was read from, which errors show. */
  readonly text?: Buffer | undefined;
  /** Nobody else uses the value: parts of it may become parts of the object. */
  readonly ownsValue?: boolean | undefined;
  readonly catalog: TypeCatalog;
  readonly dialect: Dialect;
  /** Kind and version of the endpoint; they hold where the body names none. */
  readonly expected: GroupVersionKind;
  /**
   * True for two versions, of one group or of several, that hold the same objects; without it only those of one group
   * and name do.
   */
  readonly isSameKind?: ((first: GroupVersionKind, second: GroupVersionKind) => boolean) | undefined;
  /** A kind that takes any members may say that it is of another version: its rules refuse that. */
  readonly takesOtherVersions?: boolean | undefined;
  /**
   * Makes the error for a body that does not fit, from the bare cause, and of whether it is a good object of another kind;
   * BadRequest when left out.
   */
  readonly refusal?: (cause: string, isOtherKind?: boolean) => Error;
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
  const refuse = (cause: string, isOtherKind = false): never => {
    throw request.refusal?.(cause, isOtherKind) ?? unhandled(actual, expected, cause);
  };
  const isExpected = isEqual(actual, expected);
  const type = catalog.kind(actual) ?? unversionedType(catalog, actual);
  const expectedType = isExpected ? type : catalog.kind(expected);
  if (expectedType?.isUnstructured === true)
    return decodeUnstructured(request, { expectedType, actual, refuse });
  if (type === undefined) {
    if (isExpected) throw new RangeError(`kind not in catalog: ${expected.kind}`);
    const version = formatGroupVersion(actual.group, actual.version);
    return refuse(
      `no kind ${quoteGo(actual.kind)} is registered for version ${quoteGo(version)} in scheme "${dialect.schemeOf(expected.group)}"`,
    );
  }
  let object: Record<string, unknown>;
  try {
    object = type.decode(withTypeMeta(asWritten(request, type), actual), request.text);
  } catch (error) {
    if (error instanceof DecodeError) return refuse(error.message);
    throw error;
  }
  if (!isExpected) {
    const isOfGroup = actual.kind === expected.kind && actual.group === expected.group;
    if (isOfGroup || request.isSameKind?.(actual, expected)) throw versionMismatch(actual, expected);
    return refuse(
      `converting (${isUnversioned(actual) ? 'v1' : actual.version}.${actual.kind}) to (${internalPackage(expected)}.${expected.kind}): unknown conversion`,
      true,
    );
  }
  return withOwners(object, value);
}

/** Kinds that every version of every group has. */
const unversioned = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']);
const isUnversioned = ({ kind }: GroupVersionKind): boolean => unversioned.has(kind);

const unversionedType = (catalog: TypeCatalog, actual: GroupVersionKind): CompiledType | undefined =>
  isUnversioned(actual) ? catalog.kind({ group: '', version: 'v1', kind: actual.kind }) : undefined;

/** The value as release 1.20 reads its text, where a parser of JSON makes something else of that. @throws DecodeError */
function asWritten({ value, text }: DecodeObjectRequest, type: CompiledType): unknown {
  const isLike = text === undefined || !isJsonObject(value) || !isUnlikeText(value);
  return isLike ? value : (type.reread?.(text) ?? value);
}

/**
 * The object of a body for a kind that takes any members. It must say what it is; whether the kind is the right one is for
 * its rules to say.
 */
function decodeUnstructured(
  { value, expected, ownsValue = false, takesOtherVersions = false }: DecodeObjectRequest,
  found: {
    readonly expectedType: CompiledType;
    readonly actual: GroupVersionKind;
    readonly refuse: (cause: string) => never;
  },
): ApiObject {
  const { expectedType, actual, refuse } = found;
  const { kind, apiVersion } = asJsonObject(value);
  if (!kind) {
    const shown = JSON.stringify(value);
    refuse(unmarshalerMessage(`Object 'Kind' is missing in '${shown}'`, shown));
  }
  let object: Record<string, unknown>;
  try {
    object = (ownsValue ? expectedType.decodeShared?.(value) : undefined) ?? expectedType.decode(value);
  } catch (error) {
    if (error instanceof DecodeError) return refuse(error.message);
    throw error;
  }
  const isExpected = actual.group === expected.group && actual.version === expected.version;
  if (!isExpected && !takesOtherVersions) throw versionMismatch(actual, expected);
  if (!apiVersion) {
    const where = takesOtherVersions
      ? 'object has no apiVersion field'
      : 'unstructured object has no version';
    throw internalError(`Object 'apiVersion' is missing in '${where}'`);
  }
  return withOwners(object, value);
}

/** What was decoded of a body, with an empty list of owners where the body has one. */
function withOwners(object: Record<string, unknown>, value: unknown): ApiObject {
  // Kinds have kind, apiVersion and metadata; that the first two are there was checked.
  const decoded = object as unknown as ApiObject;
  if (dropsOwners(value)) decoded.metadata.managedFields = [];
  return decoded;
}

/** What json-iterator makes of a message of a type that reads itself, at the end of a text where that is known. */
export function unmarshalerMessage(cause: string, text = ''): string {
  const bytes = Buffer.from(text);
  const last = (count: number): string => bytes.subarray(Math.max(0, bytes.length - count)).toString();
  const place = `#${Math.min(10, bytes.length)} byte of ...|${last(10)}|..., bigger context ...|${last(50)}|...`;
  return `unmarshalerDecoder: ${cause}, error found in ${place}`;
}

/** Canonical form has no empty lists, but an empty list of owners says that there shall be none. */
function dropsOwners(value: unknown): boolean {
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return false;
  const { managedFields } = value.metadata;
  return Array.isArray(managedFields) && managedFields.length === 0;
}

function unhandled(actual: GroupVersionKind, expected: GroupVersionKind, cause: string): Error {
  const version = quoteGo(actual.version);
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
  const { kind: named, apiVersion } = readTypeMeta(value);
  const kind = named || expected.kind;
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
  if (!isJsonObject(value) || (value.kind === actual.kind && value.apiVersion)) return value;
  return { ...value, kind: actual.kind, apiVersion: formatGroupVersion(actual.group, actual.version) };
}

/** Where apimachinery keeps the types that it works with inside: most groups have a package of their name. */
export function internalPackage({ group }: Pick<GroupVersionKind, 'group'>): string {
  if (group === '' || group.startsWith('events.')) return 'core';
  return group === 'extensions' ? 'networking' : (group.split('.')[0] ?? group);
}
