import { isJsonObject, parseExact } from '../base/index.ts';
import type { StoredObject } from './contract.ts';
import { isSealed, unwrapSealed, wrapSealed } from './sealed-value.ts';
import { findRevision } from './stamp.ts';

const field = '"resourceVersion":"';
const [quote, comma, colon, backslash, openBrace, closeBrace] = [0x22, 0x2c, 0x3a, 0x5c, 0x7b, 0x7d];
const metadataOpening = Buffer.from('"metadata":{');
/** String fields that come before `metadata`, and before `resourceVersion` in it. */
const objectFields: ReadonlySet<string> = new Set(['kind', 'apiVersion']);
const metadataFields: ReadonlySet<string> = new Set(['name', 'generateName', 'namespace', 'selfLink', 'uid']);

/**
 * The bytes of a value as etcd keeps them, and as they are sealed: without the field `resourceVersion`, which is the key's revision there.
 * A copy: the value may change afterwards.
 *
 * @throws RangeError when the value has no `resourceVersion`.
 */
export function stripRevision(value: Buffer): Buffer {
  const sealed = unwrapSealed(value);
  if (sealed !== undefined) return sealed;
  const digits = findRevision(value);
  let from = digits - field.length;
  let to = value.indexOf(quote, digits) + 1;
  if (value[to] === comma) to++;
  else if (value[from - 1] === comma) from--;
  const stripped = Buffer.allocUnsafeSlow(value.length - (to - from));
  value.copy(stripped, 0, 0, from);
  value.copy(stripped, from, to);
  return stripped;
}

/** The object of what etcd keeps at a key. For a value that is no JSON object with metadata, `problem` says so. */
export function restoreObject(key: string, revision: number, value: Buffer): StoredObject {
  const restored = restoreRevision(value, revision);
  return typeof restored === 'string'
    ? { key, revision, bytes: noBytes, problem: restored }
    : { key, revision, bytes: restored };
}

const noBytes = Buffer.alloc(0);

/**
 * The bytes of an object, with `revision` as its `metadata.resourceVersion`, of what etcd keeps. The copy owns its
 * memory. Values of release 1.20, which may order their fields in another way, are put in order. A text that says what
 * is wrong for a value that is no JSON object with metadata.
 */
function restoreRevision(value: Buffer, revision: number): Buffer | string {
  if (isSealed(value)) return wrapSealed(value, revision);
  const at = findPlace(value);
  if (at < 0) return rebuild(value, revision);
  const before = value[at - 1] === openBrace || value[at - 1] === comma ? '' : ',';
  const after = value[at] === closeBrace ? '' : ',';
  const text = `${before}${field}${revision}"${after}`;
  const restored = Buffer.allocUnsafeSlow(value.length + text.length);
  value.copy(restored, 0, 0, at);
  restored.write(text, at, 'latin1');
  value.copy(restored, at + text.length, at);
  return restored;
}

/**
 * Offset where `resourceVersion` belongs: behind the fields that come before it, and the comma that follows them.
 * -1 when the value does not have the canonical order, or holds the field already.
 */
function findPlace(value: Buffer): number {
  if (value[0] !== openBrace) return -1;
  const metadata = skipFields(value, 1, objectFields);
  const start = metadata + metadataOpening.length;
  if (
    start >= value.length ||
    value.compare(metadataOpening, 0, metadataOpening.length, metadata, start) !== 0
  ) {
    return -1;
  }
  const at = skipFields(value, start, metadataFields);
  // Without a name in front, the order is another one and the field may come later.
  if (at === start && value[at] !== closeBrace) return -1;
  if (value[at] !== quote) return value[at] === closeBrace ? at : -1;
  return value.toString('latin1', at, at + field.length - 1) === field.slice(0, -1) ? -1 : at;
}

/** Skips string fields with these names; stops at the first other one, behind the comma before it. */
function skipFields(value: Buffer, start: number, names: ReadonlySet<string>): number {
  let at = start;
  while (value[at] === quote) {
    const nameEnd = value.indexOf(quote, at + 1);
    if (value[nameEnd + 1] !== colon || value[nameEnd + 2] !== quote) return at;
    if (!names.has(value.toString('latin1', at + 1, nameEnd))) return at;
    const end = skipString(value, nameEnd + 3);
    if (end < 0) return at;
    if (value[end] !== comma) return end;
    at = end + 1;
  }
  return at;
}

/** Offset behind the closing quote of the string whose first character is at `start`. */
function skipString(value: Buffer, start: number): number {
  let end = value.indexOf(quote, start);
  while (end > 0 && isEscaped(value, end)) end = value.indexOf(quote, end + 1);
  return end < 0 ? -1 : end + 1;
}

function isEscaped(value: Buffer, at: number): boolean {
  let backslashes = 0;
  while (value[at - 1 - backslashes] === backslash) backslashes++;
  return backslashes % 2 === 1;
}

function rebuild(value: Buffer, revision: number): Buffer | string {
  const parsed = parse(value);
  if (parsed === undefined) return 'it is not JSON';
  if (!isJsonObject(parsed)) return 'it is not a JSON object';
  const { kind, apiVersion, metadata, ...rest } = parsed;
  if (!isJsonObject(metadata)) return 'it has no metadata';
  const { name, generateName, namespace, selfLink, uid, resourceVersion: _, ...others } = metadata;
  const ordered = { name, generateName, namespace, selfLink, uid, resourceVersion: String(revision) };
  return Buffer.from(JSON.stringify({ kind, apiVersion, metadata: { ...ordered, ...others }, ...rest }));
}

function parse(value: Buffer): unknown {
  try {
    return parseExact(value.toString());
  } catch {
    return undefined; // not valid JSON
  }
}
