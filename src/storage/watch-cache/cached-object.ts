import { parseExact } from '../../base/index.ts';
import { unreadableError } from '../storage-errors.ts';
import type { FieldLocation } from './field-layout.ts';
import { parseLabels, scanField } from './scan-object.ts';

/** Values by name, such as labels or selectable fields. */
export type StringMap = Readonly<Record<string, string>>;

/** Selectable fields of an object, beyond what every kind has. */
export type SelectableFields = (resourcePrefix: string, object: unknown) => StringMap;

const empty: StringMap = Object.freeze({});

/** What the objects of one resource share. */
export interface ObjectScope {
  readonly resourcePrefix: string;
  readonly selectableFields: SelectableFields | undefined;
  /** Fields that can be read without decoding. */
  readonly locate?: ((field: string) => FieldLocation | undefined) | undefined;
  /** Reads values that take more than a JSON parser. It may throw anything for a damaged one. */
  readonly decode?: DecodeValue | undefined;
}

/** Makes a new tree of a stored value. */
export type DecodeValue = (bytes: Buffer) => unknown;

/** One version of one object. Immutable: a write makes another. */
export class CachedObject {
  readonly key: string;
  readonly revision: number;
  /** JSON with the revision stamped in. Shared: never change it. */
  readonly bytes: Buffer;
  /** True when the store has the value in another form: a write that changes nothing is worth while. */
  readonly isStale: boolean;
  readonly #scope: ObjectScope;
  #isCanonical = false;
  #labels: StringMap | undefined;
  #fields: StringMap | undefined;
  /** Texts of single fields that were asked for before. */
  #texts: Record<string, string> | undefined;
  #memos: Map<string, Buffer> | undefined;

  constructor(
    scope: ObjectScope,
    stored: {
      readonly key: string;
      readonly revision: number;
      readonly bytes: Buffer;
      readonly isStale?: boolean | undefined;
    },
  ) {
    this.key = stored.key;
    this.revision = stored.revision;
    this.bytes = stored.bytes;
    this.isStale = stored.isStale === true;
    this.#scope = scope;
  }

  /** True when the bytes are known to be just what this process writes of their object: parts of them may be written again. */
  get isCanonical(): boolean {
    return this.#isCanonical;
  }

  /** For whoever wrote this version. */
  markCanonical(): void {
    this.#isCanonical = true;
  }

  /** `metadata.labels`; empty when there are none. */
  get labels(): StringMap {
    this.#labels ??= this.#readOrNone(() => parseLabels(this.bytes) ?? readLabels(this.decode()));
    return this.#labels;
  }

  /** The fields that field selectors of the resource may name. */
  get fields(): StringMap {
    const { selectableFields, resourcePrefix } = this.#scope;
    this.#fields ??= this.#readOrNone(() => selectableFields?.(resourcePrefix, this.decode()) ?? empty);
    return this.#fields;
  }

  /** One of `fields`, empty when it is not there. Reads only what it must of an object that was not decoded yet. */
  field(name: string): string {
    if (this.#fields !== undefined) return this.#fields[name] ?? '';
    const known = this.#texts?.[name];
    if (known !== undefined) return known;
    const location = this.#scope.locate?.(name);
    const found = location === undefined ? null : scanField(this.bytes, location.path);
    if (location === undefined || found === null) return this.fields[name] ?? '';
    const text = found ?? location.zero;
    this.#texts ??= {};
    this.#texts[name] = text;
    return text;
  }

  /**
   * The parsed object: a new tree on each call, which the caller may change.
   *
   * @throws StorageError `unreadable` when others damaged the value so that its beginning does not show it.
   */
  decode(): unknown {
    try {
      const { decode } = this.#scope;
      return decode === undefined ? parseExact(this.bytes.toString('utf8')) : decode(this.bytes);
    } catch {
      throw unreadableError(this.key, 'it is not JSON');
    }
  }

  /** A damaged value is selected by nothing: it must not keep other objects from those who select them. */
  #readOrNone(read: () => StringMap): StringMap {
    try {
      return read();
    } catch {
      return empty;
    }
  }

  /** The result of the first `make` for `name`; another encoding of this version, say. Shared: never change it. */
  memo(name: string, make: () => Buffer): Buffer {
    this.#memos ??= new Map();
    let made = this.#memos.get(name);
    if (made === undefined) {
      made = make();
      this.#memos.set(name, made);
    }
    return made;
  }
}

function readLabels(object: unknown): StringMap {
  // The store only holds objects of the API, whose metadata and labels have these types; of damaged ones nothing is read.
  const { metadata } = object as { readonly metadata?: { readonly labels?: StringMap } };
  return metadata?.labels ?? empty;
}
