import type { LibraryValue } from './library.ts';

/**
 * A value of the expression language: numbers are `bigint` when whole, texts, lists and maps as below; unsigned numbers, times and
 * durations are objects of the library.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | readonly Value[]
  | MapValue
  | Opaque
  | Optional
  | TypeValue
  | LibraryValue;

/** Why an expression has no value; `&&` and `||` may do without it. */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A map of any keys. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract get(key: Value): Value | Failure | undefined;
  abstract keys(): readonly Value[];
}

/** A value of an extension. */
export abstract class Opaque {
  /** The name of its type. */
  abstract readonly typeName: string;
  abstract equals(other: Opaque): boolean;
}

/** A value that may not be there. */
export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A type as a value. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A map that an expression made. Whole numbers of all kinds are one key. */
export class MadeMap extends MapValue {
  readonly #entries = new Map<string, { readonly key: Value; readonly value: Value }>();

  /** False when the key is there already; undefined when it is no key. */
  add(key: Value, value: Value): boolean | undefined {
    const text = keyText(key);
    if (text === undefined) return undefined;
    if (this.#entries.has(text)) return false;
    this.#entries.set(text, { key, value });
    return true;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.value;
  }

  keys(): readonly Value[] {
    return [...this.#entries.values()].map(({ key }) => key);
  }
}

function keyText(key: Value): string | undefined {
  switch (typeof key) {
    case 'string':
      return `"${key}`;
    case 'boolean':
    case 'bigint':
      return String(key);
    case 'number':
      return Number.isInteger(key) ? String(BigInt(key)) : undefined;
    default:
      // An unsigned number of the library.
      return key !== null && 'value' in key && typeof key.value === 'bigint' ? String(key.value) : undefined;
  }
}

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);

/** The name of what a value is. `nameOther` names what only the library knows. */
export function typeName(value: Value, nameOther: (value: LibraryValue) => string): string {
  if (value === null) return 'null_type';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
  }
  if (value instanceof Uint8Array) return 'bytes';
  if (isList(value)) return 'list';
  if (value instanceof MapValue) return 'map';
  if (value instanceof Opaque) return value.typeName;
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  return nameOther(value);
}
