import type { GroupVersionKind } from './identities.ts';
import type { TypeSource } from './type-data.ts';

/**
 * A type turned into functions, made once and reused. The *canonical form* of a value has the fields of the
 * type only, in the type's order, with what json-iterator's encoder leaves out left out and what it always
 * writes present (`metadata: {creationTimestamp: null}`, `status: {}`, `name: ''`, `containers: null`), map
 * keys sorted, quantities and times in canonical text. `JSON.stringify` of it is the wire form.
 */
export interface CompiledType {
  /** Key in the catalog, for example `v1.PodSpec`. */
  readonly name: string;
  /** Fields in JSON order (inlined fields flattened), for walking a type generically. */
  readonly fields: readonly CompiledField[];
  /** True when server-side apply owns and replaces values of the type as a whole. */
  readonly isAtomic?: boolean;
  /**
   * True for kinds whose objects may have any members. They must name their kind, and clients get them with all members
   * sorted by name, in lists with kind and version too.
   */
  readonly isUnstructured?: boolean;
  /** As `decode`, without the fields of the metadata that do not fit. Kinds that do not have it take no such metadata. */
  decodeLeniently?(value: unknown): Record<string, unknown>;
  /**
   * Parsed JSON to canonical form; unknown fields dropped, nothing of the input shared or changed.
   *
   * @param text the JSON that the value was read from: errors show its blanks and the order of its members
   * @throws DecodeError with json-iterator's text when a value has the wrong JSON type.
   */
  decode(value: unknown, text?: Buffer): Record<string, unknown>;
  /**
   * The value of a JSON text as json-iterator reads it where members stand twice or numbers are beyond all doubles. Types
   * that do not have it take the last of equal members.
   *
   * @throws DecodeError as `decode` does, and for a number that cannot be read, wherever it stands.
   */
  reread?(text: Buffer): unknown;
  /**
   * As `decode`, but what is in canonical form already below the members of an object may be shared with the value: for values
   * that nobody else uses, and results that are only read. Types that do not have it copy everything.
   */
  decodeShared?(value: unknown): Record<string, unknown>;
  /** A fresh canonical copy of a value that is of the type but was changed by code (empty fields dropped again). */
  canonicalize(value: object): Record<string, unknown>;
}

/** One field of a compiled type. */
export interface CompiledField {
  readonly name: string;
  /** Type text of the data: scalar, type key, `list<T>`, `map<string,T>`, `any`. */
  readonly type: string;
  readonly isPointer: boolean;
  readonly omitsEmpty: boolean;
  readonly isRequired: boolean;
  readonly listType?: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys?: readonly string[] | undefined;
  readonly patchStrategies: readonly string[];
  readonly patchMergeKey?: string | undefined;
}

/** All types of the API in one dialect, with their data (`find`). Types are compiled when first asked for. */
export interface TypeCatalog extends TypeSource {
  /** The type of a kind, if the catalog has it. */
  kind(gvk: GroupVersionKind): CompiledType | undefined;
  /** Whether the scheme that serves `ownGroup` knows kinds of this version (`apps/v1`). */
  hasVersion(groupVersion: string, ownGroup: string): boolean;
  /** A type by catalog key (`v1.PodSpec`, `apps/v1.Deployment`). @throws RangeError when there is none. */
  type(name: string): CompiledType;
  /** Allowed values of an enum key (`v1.DNSPolicy`), in declaration order; none for a type whose texts are free. */
  enumValues(name: string): readonly string[];
}

/** A value that does not fit its type; the message is json-iterator's (`v1.ConfigMap.Data: ReadString: expects ...`). */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
