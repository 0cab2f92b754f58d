import { isJsonObject, isRawNumber, type JsonObject } from '../../base/index.ts';
import { LibraryFault, libraryCall } from './library.ts';
import type { Meter } from './meter.ts';
import { type CelType, dyn } from './types.ts';
import { Failure, MapValue, type Value } from './values.ts';

/** Members that are read per step. */
const membersPerStep = 16;

/**
 * JSON as a value of a type: numbers are whole ones or not as their type says, or, where it does not, as they are written. Objects
 * are taken apart as far as an expression looks; lists at once, for which the meter is charged.
 *
 * @throws CostExceeded
 */
export function jsonValue(json: unknown, type: CelType, meter: Meter): Value | Failure {
  if (json === null || json === undefined) return null;
  switch (typeof json) {
    case 'boolean':
      return json;
    case 'string':
      return textValue(json, type);
    case 'number':
      return numberValue(json, type);
  }
  if (isRawNumber(json)) return isDouble(type) ? Number(json.rawJSON) : BigInt(json.rawJSON);
  if (Array.isArray(json)) {
    meter.charge(1 + json.length);
    const element = type.kind === 'list' ? type.element : dyn;
    const items: Value[] = [];
    for (const each of json) {
      const item = jsonValue(each, element, meter);
      if (item instanceof Failure) return item;
      items.push(item);
    }
    return items;
  }
  if (isJsonObject(json)) return new JsonMap(json, type, meter);
  return new Failure(`unsupported value of type ${typeof json}`);
}

const isDouble = (type: CelType): boolean => type.kind === 'simple' && type.name === 'double';

function numberValue(number: number, type: CelType): Value {
  return isDouble(type) || !Number.isInteger(number) ? number : BigInt(number);
}

function textValue(text: string, type: CelType): Value | Failure {
  if (type.kind !== 'simple') return text;
  switch (type.name) {
    case 'timestamp':
    case 'duration': {
      const made = libraryCall(type.name, 1, false)([text]);
      return made instanceof LibraryFault ? new Failure(made.message) : made;
    }
    case 'bytes':
      return Uint8Array.from(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}

/** An object of JSON. Field names that are no identifiers have an escaped one in the types of schemas. */
export class JsonMap extends MapValue {
  readonly json: JsonObject;
  readonly #type: CelType;
  readonly #meter: Meter;
  readonly #known = new Map<string, Value | Failure>();
  #keys: readonly string[] | undefined;

  constructor(json: JsonObject, type: CelType, meter: Meter) {
    super();
    this.json = json;
    this.#type = type;
    this.#meter = meter;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: Value): Value | Failure | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.#type.kind === 'object' ? unescapeName(key) : key;
    if (!Object.hasOwn(this.json, name) || this.json[name] === undefined) return undefined;
    // A null stands for a field that is not there, unless its type is open.
    const value = jsonValue(this.json[name], this.#typeOf(key), this.#meter);
    this.#known.set(key, value);
    return value;
  }

  keys(): readonly string[] {
    if (this.#keys === undefined) {
      this.#keys = Object.keys(this.json).filter((name) => this.json[name] !== undefined);
      this.#meter.charge(this.#keys.length / membersPerStep);
    }
    return this.#keys;
  }

  #typeOf(key: string): CelType {
    if (this.#type.kind === 'object') return this.#type.field(key) ?? dyn;
    return this.#type.kind === 'map' ? this.#type.value : dyn;
  }
}

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const escapes: ReadonlyArray<readonly [text: string, escaped: string]> = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
];

/** How an expression spells a field: letters that an identifier cannot have are written out; undefined when it cannot be said. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  const escaped = name.replace(
    /__|[./-]/g,
    (found) => escapes.find(([text]) => text === found)?.[1] ?? found,
  );
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

function unescapeName(name: string): string {
  if (!name.includes('__')) return name;
  const word = /^__([a-z]+)__$/.exec(name)?.[1];
  if (word !== undefined && reserved.has(word)) return word;
  return name.replace(
    /__(underscores|dot|dash|slash)__/g,
    (found) => escapes.find(([, escaped]) => escaped === found)?.[0] ?? found,
  );
}
