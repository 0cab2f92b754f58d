/** A JSON object, whatever its members. */
export type JsonObject = Record<string, unknown>;

// The runtime (Node 22 and later) has it; the compiler's library does not declare it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/**
 * A number beyond what a double holds exactly, kept as its digits, which `JSON.stringify` and templates write. Compared
 * with numbers it is the nearest double, so that rules about ranges need not tell it from others.
 */
export class RawNumber {
  readonly rawJSON: string;

  /** @throws SyntaxError when the text is no JSON number. */
  constructor(digits: string) {
    // Only a check: what it makes cannot be compared with numbers.
    rawJSON(digits);
    this.rawJSON = digits;
  }

  toJSON(): object {
    return rawJSON(this.rawJSON);
  }

  [Symbol.toPrimitive](hint: string): string | number {
    return hint === 'string' ? this.rawJSON : Number(this.rawJSON);
  }
}

/** Keeps digits as they are. @throws SyntaxError when the text is no JSON number. */
export const rawNumber = (digits: string): RawNumber => new RawNumber(digits);

/** True for a number that `rawNumber` made. */
export const isRawNumber = (value: unknown): value is RawNumber => value instanceof RawNumber;

/**
 * Digits of a number that a double may not hold. Digits in strings match too, which does no harm. Every stored object that is
 * read goes through it: written out one by one the digits are found four times as fast as with a counter.
 */
const longNumber = new RegExp(`(?:^|[:,[\\s])-?${'\\d'.repeat(16)}`);
const bigInteger = /^-?\d{16,}$/;

/** Whole numbers that a double would change, as their digits. The runtime passes the text of each value. */
const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' &&
  context?.source !== undefined &&
  bigInteger.test(context.source) &&
  String(value) !== context.source
    ? rawNumber(context.source)
    : value;

/**
 * Parses JSON that this process or its like wrote; whole numbers beyond 2^53 keep their digits (`isRawNumber`).
 *
 * @throws SyntaxError when the text is no JSON.
 */
export function parseExact(text: string): unknown {
  // A reviver takes half as long again, and such numbers are rare.
  return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** True for JSON objects; false for lists, null and scalars, of which a number that is kept as its digits is one. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** True for a list of texts. */
export function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The value where it is a JSON object, else an empty one. */
export const asJsonObject = (value: unknown): Readonly<JsonObject> => (isJsonObject(value) ? value : {});

/** The value where it is a list, else an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value where it is text, else the empty text. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A member that the object itself has, never one that it inherits: keys may come from outside. */
export function ownValue<Value>(
  object: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member as own data, also one called `__proto__`, which plain assignment would take for the prototype. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}

/**
 * Data of a JSON file of the project in the type that code knows it by: the compiler infers one that is too wide, with
 * plain texts for names. Only for files that tests check or scripts make; what comes from outside is decoded.
 */
export function ownData<Data>(json: unknown): Data {
  return json as Data; // as above
}
