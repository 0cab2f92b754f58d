import { isJsonObject } from '../../../base/index.ts';
import { sortedKeys, sortTexts } from '../../schema/index.ts';
import { compareTexts, compareValues } from '../value/index.ts';
import type { PathElement } from './path-element.ts';

const prefixes = 'fkvi';

/** Order of elements in `fieldsV1`: fields, keys, values, positions; each by its content. */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const prefix = left.charAt(0);
  const rank = prefixes.indexOf(prefix) - prefixes.indexOf(right.charAt(0));
  if (rank !== 0) return rank;
  return prefix === 'f' ? compareTexts(left, right) : compareValues(knownContent(left), knownContent(right));
}

/** Contents of recent elements: those of one list are compared with one another many times. */
const contents = new Map<PathElement, unknown>();
const maxContents = 5000;
const maxKeptLength = 200;

function knownContent(element: PathElement): unknown {
  let content = contents.get(element);
  if (content === undefined) {
    content = contentOf(element);
    if (contents.size >= maxContents) contents.clear();
    if (element.length <= maxKeptLength) contents.set(element, content);
  }
  return content;
}

/** Canonical elements hold valid JSON. */
const contentOf = (element: PathElement): unknown => JSON.parse(element.slice(2));

/** So many are compared one with the other; of more it pays to find out first how they are to be compared. */
const fewElements = 16;

/** Sorts elements in place, as `comparePathElements` has them. */
export function sortPathElements(elements: PathElement[]): readonly PathElement[] {
  if (elements.length <= fewElements) return insertionSort(elements);
  if (elements.every(isPlain)) return elements.sort();
  return [...prefixes].flatMap((prefix) => {
    const alike = elements.filter((element) => element.charAt(0) === prefix);
    return prefix === 'f' ? sortTexts(alike) : sortByContent(alike);
  });
}

/** Most levels have a few elements, and many have them in order already. */
function insertionSort(elements: PathElement[]): PathElement[] {
  for (let end = 1; end < elements.length; end++) {
    const element = elements[end] ?? '';
    let at = end;
    let before = elements[at - 1];
    while (before !== undefined && comparePathElements(before, element) > 0) {
      elements[at] = before;
      at--;
      before = elements[at - 1];
    }
    elements[at] = element;
  }
  return elements;
}

/**
 * True for fields, items by one key that is a text, and texts of sets, all without characters before the quote that ends them:
 * in the order of such elements as texts `"a"` comes before `"ab"` as well.
 */
const isPlain = (element: PathElement): boolean => plain.test(element);
const plain = /^(?:f:[^\ud800-\uffff]*$|(?:k:\{"[#-[\]-\ud7ff]*":|v:)"[#-[\]-\ud7ff]*"\}?$)/;

interface Keyed {
  readonly element: PathElement;
  readonly content: unknown;
  /** A text that is in the order of the contents; undefined where there is none. */
  readonly key: string | undefined;
}

function sortByContent(elements: readonly PathElement[]): PathElement[] {
  const keyed = elements.map((element): Keyed => {
    const content = contentOf(element);
    return { element, content, key: orderKey(content) };
  });
  const haveKeys = keyed.every(({ key }) => key !== undefined);
  keyed.sort(haveKeys ? compareKeys : (left, right) => compareValues(left.content, right.content));
  return keyed.map(({ element }) => element);
}

/** Only of such as have keys. */
function compareKeys({ key: left = '' }: Keyed, { key: right = '' }: Keyed): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const [endOfObject, endOfText] = ['\u0000', '\u0001'];
/** Characters that stand for ends here, and those whose order as units is not that of their bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unfit = /[\u0000\u0001\ud800-\uffff]/;

/** As `compareValues` orders scalars, and objects of scalars. */
function orderKey(content: unknown): string | undefined {
  if (!isJsonObject(content)) return scalarKey(content);
  let text = '';
  for (const name of sortedKeys(content)) {
    const key = scalarKey(content[name]);
    if (key === undefined || unfit.test(name)) return undefined;
    text += name + endOfText + key + endOfText;
  }
  return `4${text}${endOfObject}`;
}

function scalarKey(value: unknown): string | undefined {
  switch (typeof value) {
    case 'number':
      return `0${numberKey(value)}`;
    case 'string':
      return unfit.test(value) ? undefined : `1${value}`;
    case 'boolean':
      return `2${Number(value)}`;
    default:
      return value === null ? '5' : undefined;
  }
}

const double = new DataView(new ArrayBuffer(8));

/** Digits in the order of the numbers: the bits of doubles, of which those of negative ones are in reverse order. */
function numberKey(value: number): string {
  // There is one zero.
  double.setFloat64(0, value + 0);
  const [high, low] = [double.getUint32(0), double.getUint32(4)];
  const isNegative = high >>> 31 === 1;
  return hex(isNegative ? ~high : high | 0x80000000) + hex(isNegative ? ~low : low);
}

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0');
