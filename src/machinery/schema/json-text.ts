import { isJsonObject, isRawNumber, setOwn } from '../../base/index.ts';

/** `string`, `number`, `bool`, `object`, `array` or `null`: json-iterator's names for kinds of JSON value. */
export function jsonKind(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (isRawNumber(value)) return 'number';
  return typeof value;
}

/** The digits of a number as they came. */
export const numberText = (value: unknown): string =>
  isRawNumber(value) ? value.rawJSON : JSON.stringify(value);

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

/** The same of a value whose type is known. */
export const copyOf = <Value>(value: Value): Value => copyJson(value) as Value; // it has the same members

/** Keys in the order of their UTF-8 bytes. */
export const sortedKeys = (value: object): string[] => sortTexts(Object.keys(value));

/** A copy with the keys of all objects in that order, as Go writes maps. */
export function sortedCopy<Value>(value: Value): Value;
export function sortedCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => sortedCopy(item));
  if (!isJsonObject(value)) return value;
  const out: Record<string, unknown> = {};
  for (const key of sortedKeys(value)) setOwn(out, key, sortedCopy(value[key]));
  return out;
}

/** Sorts texts in the order of their UTF-8 bytes, in place. */
export function sortTexts(texts: string[]): string[] {
  if (texts.length < 2) return texts;
  if (texts.length <= fewTexts) insertionSort(texts);
  else texts.sort();
  // UTF-16 order differs from byte order only where surrogates meet.
  for (const text of texts) {
    if (surrogate.test(text)) return texts.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }
  return texts;
}

/** True when the keys are in the order of `sortedKeys`; false where that takes more than a look. */
export function hasSortedKeys(value: object): boolean {
  let last = '';
  for (const key in value) {
    if (key < last || surrogate.test(key)) return false;
    last = key;
  }
  return true;
}

const surrogate = /[\ud800-\uffff]/;
/** So many are sorted faster one by one, above all where they are sorted already, as most are. */
const fewTexts = 16;

function insertionSort(texts: string[]): void {
  for (let end = 1; end < texts.length; end++) {
    // The loop bounds make the indexes valid.
    const text = texts[end] as string;
    let at = end;
    for (; at > 0 && (texts[at - 1] as string) > text; at--) texts[at] = texts[at - 1] as string;
    texts[at] = text;
  }
}
