import { isDigit, isJsonObject, isRawNumber, jsonBytes, rawNumber, setOwn } from '../../base/index.ts';
import { beyondDoubles } from '../go-values/index.ts';
import { findJsonFault } from '../schema/json-syntax.ts';
import { BodySyntaxError } from './body-syntax-error.ts';

/** Deepest nesting that is read; real objects stay below 100. */
export const maxBodyDepth = 1000;

const bigInteger = /^-?\d{16,}$/;
const fraction = /[.eE]/;
const exponent = /[eE]/;

interface ReviverContext {
  readonly source?: string;
}

type Reviver = (key: string, value: unknown, context: ReviverContext) => unknown;

/** Keeps whole numbers that a double would change as their digits, and numbers beyond all doubles as they are written. */
const keepBigNumbers: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value;
  if (!Number.isFinite(value)) return rawNumber(source);
  if (!bigInteger.test(source)) return value;
  return String(value) === source && Number.isSafeInteger(value) ? value : rawNumber(source);
};

/**
 * Keeps numbers with an exponent, and whole numbers that are written as fractions, such as `10.0`, as they are written,
 * too.
 */
const keepFractions: Reviver = (key, value, context) => {
  const { source } = context;
  if (typeof value !== 'number' || source === undefined) return value;
  const isOdd = exponent.test(source) || (Number.isInteger(value) && fraction.test(source));
  return isOdd ? rawNumber(source) : keepBigNumbers(key, value, context);
};

export interface ParseJsonOptions {
  /** Whether numbers with an exponent, and whole ones with a fraction, are to be told from others (`isRawNumber`). */
  readonly keepsFractions?: boolean;
  /**
   * What becomes of a number beyond all doubles: as any that a double would change it keeps its digits, or it is text, as to
   * whatever reads YAML, or is refused, as by Go's reader of any JSON.
   */
  readonly beyondDoubles?: 'kept' | 'text' | 'refused';
}

/**
 * Parses one JSON text. The last of equal keys wins, `__proto__` is an ordinary key, bytes that are not UTF-8
 * and lone surrogates become U+FFFD, whole numbers beyond 2^53 and all numbers beyond a double keep their digits
 * (`isRawNumber`).
 *
 * @throws BodySyntaxError with the text of encoding/json's reader.
 */
export function parseJson(bytes: Buffer, options: ParseJsonOptions = {}): unknown {
  const traits = scanJson(bytes);
  if (traits.depth > maxBodyDepth) {
    throw new BodySyntaxError(findJsonFault(bytes, maxBodyDepth) ?? 'exceeded max depth');
  }
  const text = bytes.toString('utf8');
  const { hasLongNumber, hasOddNumber } = traits;
  const reviver = hasLongNumber || hasOddNumber ? reviverFor(options) : undefined;
  let value: unknown;
  try {
    // The runtime passes a third argument to the reviver; the compiler's library does not know it yet.
    value = JSON.parse(text, reviver as ((key: string, value: unknown) => unknown) | undefined);
  } catch (error) {
    if (error instanceof BodySyntaxError) throw error;
    throw new BodySyntaxError(findJsonFault(bytes) ?? 'text is not JSON');
  }
  if (traits.hasSurrogateEscape) value = wellFormed(value);
  if (options.keepsFractions === true && isJsonObject(value) && saysLess(value, traits))
    unlikeText.add(value);
  return value;
}

/** Objects whose text says more: a member stands twice, or a number is beyond all doubles. */
const unlikeText = new WeakSet<object>();

/** True for an object parsed with `keepsFractions` whose text has a member twice, or a number beyond all doubles. */
export const isUnlikeText = (value: object): boolean => unlikeText.has(value);

const saysLess = (value: object, { members, hasOddNumber, hasLongNumber }: JsonTraits): boolean =>
  members !== countMembers(value) || ((hasOddNumber || hasLongNumber) && hasEndlessNumber(value));

function countMembers(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else if (isJsonObject(value)) for (const name in value) count += 1 + countMembers(value[name]);
  return count;
}

function hasEndlessNumber(value: unknown): boolean {
  if (isRawNumber(value)) return !Number.isFinite(Number(value.rawJSON));
  return typeof value === 'object' && value !== null && Object.values(value).some(hasEndlessNumber);
}

function reviverFor({ keepsFractions, beyondDoubles: fate = 'kept' }: ParseJsonOptions): Reviver {
  const keep = keepsFractions === true ? keepFractions : keepBigNumbers;
  if (fate === 'kept') return keep;
  return (key, value, context) => {
    const { source } = context;
    if (typeof value !== 'number' || Number.isFinite(value) || source === undefined)
      return keep(key, value, context);
    if (fate === 'text') return source;
    throw new BodySyntaxError(beyondDoubles(source));
  };
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(out, key.toWellFormed(), wellFormed(item));
  return out;
}

/** What must be known of JSON bytes before they are parsed. */
interface JsonTraits {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Members of all objects together, one that stands twice counted twice. */
  readonly members: number;
  /** True when a number has so many digits that a double may not hold it. */
  readonly hasLongNumber: boolean;
  /** True when a number has an exponent, or a fraction that may be none: zeros, or more digits than a double holds. */
  readonly hasOddNumber: boolean;
  /** True when a string has an escape of a surrogate, which may stand alone. */
  readonly hasSurrogateEscape: boolean;
}

const { quote, colon, backslash, bracketOpen, bracketClose, braceOpen, braceClose, dot, zero } = jsonBytes;
const longDigits = 16;
/** A double tells numbers of so many digits apart: with a fraction they are no whole numbers. */
const exactDigits = 15;

/** One pass over the bytes, without objects. The bytes need not be JSON; then the answer means nothing. */
function scanJson(bytes: Buffer): JsonTraits {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let digits = 0;
  let hasLongNumber = false;
  let hasOddNumber = false;
  let isInFraction = false;
  let isFractionZero = false;
  let hasSurrogateEscape = false;
  let isInString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const isInNumber = isDigit(byte);
    if (isInFraction && !isInNumber) {
      if (isFractionZero || digits > exactDigits) hasOddNumber = true;
      isInFraction = false;
    }
    if (isInString) {
      if (byte === quote) isInString = false;
      else if (byte === backslash) {
        index++;
        if (bytes[index] === 0x75 && ((bytes[index + 1] ?? 0) | 0x20) === 0x64) hasSurrogateEscape = true;
      }
    } else if (byte === quote) {
      isInString = true;
      digits = 0;
    } else if (byte === braceOpen || byte === bracketOpen) {
      depth++;
      if (depth > deepest) deepest = depth;
      digits = 0;
    } else if (byte === braceClose || byte === bracketClose) {
      depth--;
      digits = 0;
    } else if (isInNumber) {
      digits++;
      if (!isInFraction && digits >= longDigits) hasLongNumber = true;
      if (byte !== zero) isFractionZero = false;
    } else if (byte === dot && digits > 0) {
      isInFraction = true;
      isFractionZero = true;
    } else {
      if (byte === colon) members++;
      else if (digits > 0 && (byte === 0x65 || byte === 0x45)) hasOddNumber = true;
      digits = 0;
    }
  }
  if (isInFraction && (isFractionZero || digits > exactDigits)) hasOddNumber = true;
  return { depth: deepest, members, hasLongNumber, hasOddNumber, hasSurrogateEscape };
}
