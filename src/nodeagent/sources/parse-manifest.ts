import { isJsonObject } from '../../base/index.ts';
import { BodySyntaxError, decodeObject, parseJson, parseYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { jsonKind, parseGroupVersion, type TypeCatalog } from '../../machinery/schema/index.ts';
import { ManifestError } from './manifest-error.ts';

/** Most bytes of a manifest, as release 1.20 reads them. */
export const maxManifestBytes = 10 * 1024 * 1024;

/** Longest piece of a manifest that messages show. */
const maxShownLength = 1024;

/** The value of a manifest: JSON when it begins so, else the first document of YAML 1.1. @throws ManifestError */
export function parseManifest(bytes: Buffer): unknown {
  if (bytes.length > maxManifestBytes) throw undecodable('the read limit is reached');
  try {
    return isJson(bytes) ? parseJson(bytes) : parseYaml(bytes);
  } catch (cause) {
    if (!(cause instanceof BodySyntaxError)) throw cause;
    const head = isJson(bytes) ? "couldn't get version/kind; json parse error: " : '';
    throw new ManifestError(head + cause.message, { isDecoded: false, cause });
  }
}

/**
 * The object of a parsed manifest, which must be of this kind of `v1`, in canonical form.
 *
 * @throws ManifestError when it is of another kind or version, names none, or a value has the wrong type.
 */
export function decodeTyped(
  value: unknown,
  kind: 'Pod' | 'PodList',
  { catalog, dialect }: { readonly catalog: TypeCatalog; readonly dialect: Dialect },
): ApiObject {
  checkTypeMeta(value, kind, catalog);
  const expected = { group: '', version: 'v1', kind };
  return decodeObject({ value, catalog, dialect, expected, refusal: undecodable });
}

function checkTypeMeta(value: unknown, expectedKind: string, catalog: TypeCatalog): void {
  if (value !== null && !isJsonObject(value)) {
    const found = `json: cannot unmarshal ${jsonKind(value)} into an object with apiVersion and kind`;
    throw undecodable(`couldn't get version/kind; json parse error: ${found}`);
  }
  const kind = readName(value, 'kind', 'Kind');
  const apiVersion = readName(value, 'apiVersion', 'apiVersion');
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) throw undecodable(`unexpected GroupVersion string: ${apiVersion}`);
  const isKnown = catalog.kind({ ...groupVersion, kind }) !== undefined;
  if (isKnown && (kind !== expectedKind || apiVersion !== 'v1')) {
    throw undecodable(`invalid ${expectedKind === 'Pod' ? 'pod' : 'pods list'}: ${apiVersion} ${kind}`);
  }
}

function readName(value: Readonly<Record<string, unknown>> | null, field: string, shown: string): string {
  const name = value?.[field] ?? '';
  if (typeof name !== 'string') {
    const found = `json: cannot unmarshal ${jsonKind(name)} into Go struct field .${field} of type string`;
    throw undecodable(`couldn't get version/kind; json parse error: ${found}`);
  }
  if (name === '') {
    throw undecodable(`Object '${shown}' is missing in '${JSON.stringify(value).slice(0, maxShownLength)}'`);
  }
  return name;
}

/** Whether the first character that is no blank opens an object: then release 1.20 reads no YAML. */
function isJson(bytes: Buffer): boolean {
  for (const byte of bytes) {
    const isBlank = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
    if (!isBlank) return byte === 0x7b;
  }
  return false;
}

function undecodable(message: string): ManifestError {
  return new ManifestError(message, { isDecoded: false });
}
