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

/** First character of the value's JSON text; what json-iterator's errors show as "found". */
export function firstCharacter(value: unknown): string {
  return (JSON.stringify(value) ?? 'n').charAt(0);
}

/** `string`, `number`, `bool`, `object`, `array` or `null`: json-iterator's names for kinds of JSON value. */
export function jsonKind(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (isRawNumber(value)) return 'number';
  return typeof value;
}

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Sets a property as own data, whatever its name (`__proto__` is an ordinary key here). */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** A deep copy of parsed JSON, keys in the same order; `undefined` properties are left out. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : copyJson(item)));
  if (isRawNumber(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setOwn(copy, key, copyJson(item));
  }
  return copy;
}

/** Keys in the order of their UTF-8 bytes. */
export function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length < 2) return keys;
  if (keys.length <= fewKeys) insertionSort(keys);
  else keys.sort();
  // UTF-16 order differs from byte order only where surrogates meet.
  for (const key of keys) {
    if (surrogate.test(key)) return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }
  return keys;
}

const surrogate = /[\ud800-\uffff]/;
/** So many are sorted faster one by one, above all where they are sorted already, as most are. */
const fewKeys = 16;

function insertionSort(texts: string[]): void {
  for (let end = 1; end < texts.length; end++) {
    // The loop bounds make the indexes valid.
    const text = texts[end] as string;
    let at = end;
    for (; at > 0 && (texts[at - 1] as string) > text; at--) texts[at] = texts[at - 1] as string;
    texts[at] = text;
  }
}
