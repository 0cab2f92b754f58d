import {
  createKindFamilies,
  createObjectConverter,
  type KindFamilies,
  type KindFamily,
} from '../apis/conversions/index.ts';
import type { Logger } from '../base/index.ts';
import { encodeForStorage } from '../machinery/codec/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  type CompiledType,
  DecodeError,
  type GroupVersionKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../machinery/schema/index.ts';
import { type ReadForm, type StoredForms, stampRevision } from '../storage/index.ts';

/** What stored forms depend on. */
export interface StoredFormsOptions {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** Sets the defaults of a kind in place; named by catalog key. */
  applyDefaults(typeName: string, object: object): void;
  /** Versions (`group/version`) to write, by `group/version.Kind` of the storage version, where that is not it. */
  readonly writtenVersions: ReadonlyMap<string, string>;
  /** Kinds by the prefix of the keys where they are stored, which ends with `/`. Elsewhere any value will do. */
  readonly storageKinds: ReadonlyMap<string, GroupVersionKind>;
  /** Is told of values that the server fails to convert by a mistake of its own. */
  readonly logger: Logger;
}

/** What is said of a value that the server fails to convert: nobody's fault but its own, so that the value must stay. */
export const conversionProblem = 'the server failed to convert it';

/** What values that begin alike are. */
interface Head {
  readonly family: KindFamily;
  readonly version: string;
  readonly type: CompiledType;
  /** Version that is written. */
  readonly written: string;
  /** What the values begin with; nothing where kind and version are elsewhere. */
  readonly start: Buffer;
  /** Values begin with kind and version, in this order. */
  readonly isCanonical: boolean;
}

const noStart = Buffer.alloc(0);
const noBytes = Buffer.alloc(0);
/** A head is two short strings; longer ones are of no kind that is known. */
const maxHeadBytes = 512;
const [comma, openBrace, closeBrace, newline] = [0x2c, 0x7b, 0x7d, 0x0a];
const uidField = Buffer.from('"uid":"');
const revisionField = Buffer.from('","resourceVersion":"');
/** A UUID, as all servers make them. */
const uidLength = 36;
const headPattern = /^\{"kind":"([^"\\]+)","apiVersion":"([^"\\]+)",$/;

/**
 * Reads values of any version of a built-in kind as the storage version has them, with the defaults of theirs, and
 * writes the versions that were asked for. What is in the storage version already is only looked at: its first bytes
 * tell. A value of another kind than its key is for, or one that does not fit its kind, is a problem. What begins as
 * servers write it is taken to be what a server wrote; anything else is decoded in full to find out. Only a value that does
 * not decode is called unfit: another failure is a mistake of the server, which is logged and costs the value nothing.
 */
export function createStoredForms(options: StoredFormsOptions): StoredForms {
  const { dialect, catalog, applyDefaults, writtenVersions } = options;
  const families = createKindFamilies(dialect, catalog);
  const convert = createObjectConverter(dialect, catalog);
  const familyAt = createFamilyLookup(families, options.storageKinds);
  const heads = new Map<string, Head>();
  /** Values of one kind often follow one another. */
  let last: Head | undefined;

  const describe = (apiVersion: string, kind: string): Head | undefined => {
    const parsed = parseGroupVersion(apiVersion);
    const family = parsed && families.find({ ...parsed, kind });
    const type = parsed && catalog.kind({ ...parsed, kind });
    if (family === undefined || type === undefined) return undefined;
    const written = writtenVersions.get(`${family.hub}.${kind}`) ?? family.hub;
    return { family, version: apiVersion, type, written, start: noStart, isCanonical: false };
  };
  const headOf = (bytes: Buffer): Head | undefined => {
    if (last !== undefined && startsWith(bytes, last.start)) return last;
    const text = headText(bytes);
    const known = heads.get(text);
    if (known !== undefined) {
      last = known;
      return known;
    }
    const parts = headPattern.exec(text);
    const [, kind, apiVersion] = parts ?? identify(bytes);
    const head = kind && apiVersion ? describe(apiVersion, kind) : undefined;
    if (head === undefined || parts === null) return head;
    // Only texts that values of known kinds begin with are kept: there are not many.
    last = { ...head, start: Buffer.from(text, 'latin1'), isCanonical: true };
    heads.set(text, last);
    return last;
  };
  const rewrite = (bytes: Buffer, { family, version, type }: Head, to: string): Buffer => {
    const object = type.decode(JSON.parse(bytes.toString('utf8')));
    if (to === family.hub) applyDefaults(type.name, object);
    const target = parseGroupVersion(to);
    const targetType = target && catalog.kind({ ...target, kind: family.kind });
    if (targetType === undefined) throw new RangeError(`no ${family.kind} in version ${to}`);
    const converted = to === version ? object : convert(object, { family, from: version, to });
    return encodeLike(targetType, converted, object);
  };

  return {
    read(bytes, key): ReadForm {
      const head = headOf(bytes);
      const expected = familyAt(key);
      if (expected !== undefined && head?.family !== expected)
        return unreadable(`it is no ${expected.kind} in a version that is known`);
      if (head === undefined) return { bytes, isStale: false };
      const { hub } = head.family;
      const isStale = head.version !== head.written || !head.isCanonical;
      const isPlain = head.version === hub && head.isCanonical;
      if (isPlain && (expected === undefined || looksWritten(bytes))) return { bytes, isStale };
      try {
        if (!isPlain) return { bytes: rewrite(bytes, head, hub), isStale };
        head.type.decode(JSON.parse(bytes.toString('utf8')));
        return { bytes, isStale };
      } catch (error) {
        const isUnfit = error instanceof DecodeError || error instanceof SyntaxError;
        // What is wrong in it is not told: that might tell what is in it.
        if (!isUnfit) options.logger.error('conversion of a stored object failed', { key, error });
        if (expected === undefined) return { bytes, isStale: false };
        return unreadable(isUnfit ? 'it does not fit its kind' : conversionProblem);
      }
    },
    write(bytes) {
      if (writtenVersions.size === 0) return bytes;
      const head = headOf(bytes);
      return head === undefined || head.version === head.written ? bytes : rewrite(bytes, head, head.written);
    },
  };
}

const unreadable = (problem: string): ReadForm => ({ bytes: noBytes, isStale: false, problem });

/** Finds the family that a key is for. Keys of one resource often follow one another. */
function createFamilyLookup(
  families: Pick<KindFamilies, 'find'>,
  storageKinds: ReadonlyMap<string, GroupVersionKind>,
): (key: string) => KindFamily | undefined {
  const byPrefix = new Map([...storageKinds].map(([prefix, kind]) => [prefix, families.find(kind)]));
  let last: { readonly prefix: string; readonly family: KindFamily | undefined } | undefined;
  return (key) => {
    if (last !== undefined && key.startsWith(last.prefix)) return last.family;
    for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      const prefix = key.slice(0, slash + 1);
      if (!byPrefix.has(prefix)) continue;
      last = { prefix, family: byPrefix.get(prefix) };
      return last.family;
    }
    return undefined;
  };
}

/** Whether a value has a uid where servers write it, which nobody writes by hand, and ends as an object does. */
function looksWritten(bytes: Buffer): boolean {
  const end = bytes.at(-1) === newline ? bytes.at(-2) : bytes.at(-1);
  const uidEnd = bytes.indexOf(revisionField);
  const uid = uidEnd - uidLength - uidField.length;
  return end === closeBrace && uid >= 0 && uidField.compare(bytes, uid, uid + uidField.length) === 0;
}

const startsWith = (bytes: Buffer, start: Buffer): boolean =>
  bytes.length > start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0;

/** The beginning of a value up to the second comma, which canonical values have behind their version. */
function headText(bytes: Buffer): string {
  const first = bytes.indexOf(comma);
  const end = first < 0 ? -1 : bytes.indexOf(comma, first + 1);
  return end < 0 || end > maxHeadBytes ? '' : bytes.toString('latin1', 0, end + 1);
}

/** Kind and version of a value that does not begin with them; nothing when it is no object that has both. */
function identify(bytes: Buffer): readonly [string, string, string] | readonly [] {
  if (bytes[0] !== openBrace) return [];
  try {
    // Looked at by name only; whatever else JSON can be has no such fields.
    const { kind, apiVersion } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return typeof kind === 'string' && typeof apiVersion === 'string' ? ['', kind, apiVersion] : [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // What is no JSON is nobody's kind; who reads it says so.
    return [];
  }
}

/** Bytes to store, with the `resourceVersion` of the object that they were made from. */
function encodeLike(type: CompiledType, converted: object, source: object): Buffer {
  const bytes = encodeForStorage(type, converted);
  // Decoded as a kind, which has metadata.
  const { resourceVersion } = (source as { metadata: { resourceVersion?: string } }).metadata;
  return resourceVersion ? stampRevision(bytes, Number(resourceVersion)) : bytes;
}
