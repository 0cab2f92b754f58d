import {
  createKindFamilies,
  createObjectConverter,
  type KindFamilies,
  type KindFamily,
} from '../apis/conversions/index.ts';
import { type Logger, parseExact } from '../base/index.ts';
import { encodeForStorage } from '../machinery/codec/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  type CompiledType,
  DecodeError,
  type GroupVersionKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../machinery/schema/index.ts';
import { isSealedValue, type ReadForm, type StoredForms, stampRevision } from '../storage/index.ts';
import { type StoredHead, StoredHeads } from './stored-heads.ts';

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
  /** Logs values whose conversion fails by an error of this program. */
  readonly logger: Logger;
}

/** Message for a value that this program fails to convert: the value itself may be right, so it must stay. */
export const conversionProblem = 'the server failed to convert it';

const noBytes = Buffer.alloc(0);
const [closeBrace, newline] = [0x7d, 0x0a];
const uidField = Buffer.from('"uid":"');
const revisionField = Buffer.from('","resourceVersion":"');
/** A UUID, as all servers make them. */
const uidLength = 36;

/**
 * Reads values of any version of a built-in kind as the storage version has them, with the defaults of theirs, and
 * writes the versions that were asked for. What is in the storage version already is only looked at: its first bytes
 * tell. A value of another kind than its key is for, or one that does not fit its kind, is a problem. What begins as
 * servers write it is taken to be what a server wrote; anything else is decoded in full to find out. Only a value that does
 * not decode is called unfit: another failure is a mistake of the server, which is logged and costs the value nothing.
 */
export function createStoredForms(options: StoredFormsOptions): StoredForms {
  return new ConvertedForms(options);
}

class ConvertedForms implements StoredForms {
  readonly #options: StoredFormsOptions;
  readonly #heads: StoredHeads;
  readonly #familyAt: (key: string) => KindFamily | undefined;
  readonly #convert: ReturnType<typeof createObjectConverter>;

  constructor(options: StoredFormsOptions) {
    const { dialect, catalog, writtenVersions, storageKinds } = options;
    const families = createKindFamilies(dialect, catalog);
    this.#options = options;
    this.#heads = new StoredHeads({ families, catalog, writtenVersions });
    this.#familyAt = createFamilyLookup(families, storageKinds);
    this.#convert = createObjectConverter(dialect, catalog);
  }

  read(bytes: Buffer, key: string): ReadForm {
    const head = this.#heads.of(bytes);
    if (head === undefined && isSealedValue(bytes))
      return unreadable('identity transformer tried to read encrypted data');
    const expected = this.#familyAt(key);
    if (expected !== undefined && head?.family !== expected)
      return unreadable(`it is no ${expected.kind} in a version that is known`);
    if (head === undefined) return { bytes, isStale: false };
    const { hub } = head.family;
    const isStale = head.version !== head.written || !head.isCanonical;
    const isPlain = head.version === hub && head.isCanonical;
    if (isPlain && (expected === undefined || looksWritten(bytes))) return { bytes, isStale };
    try {
      if (!isPlain) return { bytes: this.#rewrite(bytes, head, hub), isStale };
      head.type.decode(parseExact(bytes.toString('utf8')));
      return { bytes, isStale };
    } catch (error) {
      const isUnfit = error instanceof DecodeError || error instanceof SyntaxError;
      // The message does not say more: that might reveal contents.
      if (!isUnfit) this.#options.logger.error('conversion of a stored object failed', { key, error });
      if (expected === undefined) return { bytes, isStale: false };
      return unreadable(isUnfit ? 'it does not fit its kind' : conversionProblem);
    }
  }

  write(bytes: Buffer): Buffer {
    if (this.#options.writtenVersions.size === 0) return bytes;
    const head = this.#heads.of(bytes);
    if (head === undefined || head.version === head.written) return bytes;
    return this.#rewrite(bytes, head, head.written);
  }

  /** The value in another version of its kind. */
  #rewrite(bytes: Buffer, { family, version, type }: StoredHead, to: string): Buffer {
    const { catalog } = this.#options;
    const object = type.decode(parseExact(bytes.toString('utf8')));
    if (to === family.hub) this.#options.applyDefaults(type.name, object);
    const target = parseGroupVersion(to);
    const targetType = target && catalog.kind({ ...target, kind: family.kind });
    if (targetType === undefined) throw new RangeError(`no ${family.kind} in version ${to}`);
    const converted = to === version ? object : this.#convert(object, { family, from: version, to });
    return encodeLike(targetType, converted, object);
  }
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

/** Bytes to store, with the `resourceVersion` of the object that they were made from. */
function encodeLike(type: CompiledType, converted: object, source: object): Buffer {
  const bytes = encodeForStorage(type, converted);
  // Decoded as a kind, which has metadata.
  const { resourceVersion } = (source as { metadata: { resourceVersion?: string } }).metadata;
  return resourceVersion ? stampRevision(bytes, Number(resourceVersion)) : bytes;
}
