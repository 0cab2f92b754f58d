/** A JSON object, whatever its members. */
export type JsonObject = Record<string, unknown>;

/** A number beyond what a double holds exactly, kept as its digits. `JSON.stringify` writes the digits. */
export interface RawNumber {
  readonly rawJSON: string;
}

interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

// The runtime (Node 22 and later) has both; the compiler's library does not declare them yet.
const json = JSON as unknown as RawJson;

/** Keeps digits as they are. @throws SyntaxError when the text is no JSON scalar. */
export const rawNumber = (digits: string): RawNumber => json.rawJSON(digits);

/** True for a number that `rawNumber` made. */
export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value);

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
