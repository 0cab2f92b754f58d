import { createKindFamilies, createObjectConverter, type KindFamily } from '../apis/conversions/index.ts';
import { encodeForStorage } from '../machinery/codec/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { type CompiledType, parseGroupVersion, type TypeCatalog } from '../machinery/schema/index.ts';
import { type ReadForm, type StoredForms, stampRevision } from '../storage/index.ts';

/** What stored forms depend on. */
export interface StoredFormsOptions {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** Sets the defaults of a kind in place; named by catalog key. */
  applyDefaults(typeName: string, object: object): void;
  /** Versions (`group/version`) to write, by `group/version.Kind` of the storage version, where that is not it. */
  readonly writtenVersions: ReadonlyMap<string, string>;
  /** Told of every value that is of a known kind and cannot be read as one. */
  onUnreadable(key: string, error: unknown): void;
}

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
/** A head is two short strings; longer ones are of no kind that is known. */
const maxHeadBytes = 512;
const [comma, openBrace] = [0x2c, 0x7b];
const headPattern = /^\{"kind":"([^"\\]+)","apiVersion":"([^"\\]+)",$/;

/**
 * Reads values of any version of a built-in kind as the storage version has them, with the defaults of theirs, and
 * writes the versions that were asked for. What is in the storage version already is only looked at: its first bytes
 * tell. Values of other kinds, and those that do not fit their kind, stay as they are.
 */
export function createStoredForms(options: StoredFormsOptions): StoredForms {
  const { dialect, catalog, applyDefaults, writtenVersions, onUnreadable } = options;
  const families = createKindFamilies(dialect, catalog);
  const convert = createObjectConverter(dialect, catalog);
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
      if (head === undefined) return { bytes, isStale: false };
      const { hub } = head.family;
      const isStale = head.version !== head.written || !head.isCanonical;
      if (head.version === hub && head.isCanonical) return { bytes, isStale };
      try {
        return { bytes: rewrite(bytes, head, hub), isStale };
      } catch (error) {
        onUnreadable(key, error);
        return { bytes, isStale: false };
      }
    },
    write(bytes) {
      if (writtenVersions.size === 0) return bytes;
      const head = headOf(bytes);
      return head === undefined || head.version === head.written ? bytes : rewrite(bytes, head, head.written);
    },
  };
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
  } catch {
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
