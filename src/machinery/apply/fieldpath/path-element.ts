import { isJsonObject, parseExact } from '../../../base/index.ts';
import { quoteGo } from '../../errors/index.ts';
import { showValue } from '../../go-values/index.ts';
import { sortedKeys } from '../../schema/index.ts';
import { canonicalText } from '../value/index.ts';

/**
 * One step of a path, as its text in `fieldsV1`: `f:name` a field or map key, `k:{"name":"a"}` a list item by
 * its keys, `v:"a"` a set item by its value, `i:0` an item by its position. The texts that this module makes
 * are canonical, so that equal elements are equal texts.
 */
export type PathElement = string;

/** A path from the root of an object. */
export type FieldPathElements = readonly PathElement[];

/** Element of a field or map key. */
export const fieldElement = (name: string): PathElement => `f:${name}`;

/** Element of a list item that is known by the values of its keys. */
export const keysElement = (keys: Readonly<Record<string, unknown>>): PathElement =>
  `k:${canonicalText(keys)}`;

/** The same for lists with one key, which most are. */
export const keyElement = (name: string, value: unknown): PathElement =>
  `k:{${JSON.stringify(name)}:${typeof value === 'string' ? JSON.stringify(value) : canonicalText(value)}}`;

/** Element of a set item. */
export const valueElement = (value: unknown): PathElement => `v:${canonicalText(value)}`;

/** Element of an item by its position, counted from zero. */
export const indexElement = (index: number): PathElement => `i:${index}`;

/** An element that is not what its prefix promises. */
export class PathElementError extends Error {
  override readonly name = 'PathElementError';
}

/**
 * The canonical element of a text from outside, or undefined for a prefix that this version does not know
 * (structured-merge-diff drops such elements).
 *
 * @throws PathElementError when the text is no element at all.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementError('key must be 2 characters long:');
  if (text.charAt(1) !== ':') throw new PathElementError(`missing colon: '${text}'`);
  const rest = text.slice(2);
  switch (text.charAt(0)) {
    case 'f':
      return text;
    case 'k':
      return parseKeys(rest);
    case 'v':
      return `v:${canonicalText(parseJson(rest))}`;
    case 'i':
      if (!/^(0|-?[1-9]\d{0,18})$/.test(rest)) throw new PathElementError(`invalid index: '${text}'`);
      return text;
    default:
      return undefined;
  }
}

function parseKeys(text: string): PathElement {
  const keys = parseJson(text);
  if (!isJsonObject(keys)) throw new PathElementError(`keys must be an object: '${text}'`);
  return keysElement(keys);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PathElementError(`invalid JSON in path element: '${text}'`, { cause });
  }
}

/** The element as messages show it: `.name`, `[name="a",port=80]`, `[="a"]`, `[0]`. */
export function formatPathElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${rest}`;
    case 'k':
      return `[${formatKeys(rest)}]`;
    case 'v':
      return `[=${showContent(parseExact(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

function formatKeys(text: string): string {
  // Canonical elements hold a JSON object.
  const keys = parseExact(text) as Record<string, unknown>;
  return sortedKeys(keys)
    .map((name) => `${name}=${showContent(keys[name])}`)
    .join(',');
}

/** A value as structured-merge-diff shows it within a path: what is not a scalar is none of a key, but may be sent. */
function showContent(value: unknown): string {
  if (typeof value === 'string') return quoteGo(value);
  if (Array.isArray(value)) return `[${value.map(showContent).join(',')}]`;
  if (!isJsonObject(value)) return value === null ? 'null' : showValue(value);
  return sortedKeys(value)
    .map((name) => `${name}=${showContent(value[name])}`)
    .join('');
}

/** A whole path as messages show it: `.spec.containers[name="c"].image`. */
export const formatPath = (path: FieldPathElements): string => path.map(formatPathElement).join('');
