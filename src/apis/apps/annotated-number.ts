import {
  badRequest,
  type FieldError,
  type FieldPath,
  invalidValue,
  quoteGo,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';
import { negativeMessage } from '../validation/index.ts';

/** A number in the spec of older versions, which the others keep as an annotation. */
export interface AnnotatedNumber {
  readonly annotation: string;
  readonly kind: string;
  /** What release 1.20 says of text that is no number. */
  describe(text: string, reason: string): string;
}

/**
 * The number of an object; undefined when there is none.
 *
 * @throws StatusError 400 for text that is no int64.
 */
export function readNumber({ annotations }: ObjectMeta, number: AnnotatedNumber): bigint | undefined {
  const { annotation, kind, describe } = number;
  const text = annotations?.[annotation];
  if (text === undefined) return undefined;
  const value = parseInt64(text);
  if (typeof value === 'bigint') return value;
  const reason = describe(text, `strconv.ParseInt: parsing ${quoteGo(text)}: ${value}`);
  throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${reason}`);
}

/** Writes a number into the annotation as Go does: without a plus, or zeros before it. */
export function writeNumber(metadata: ObjectMeta, annotation: string, value: bigint): void {
  metadata.annotations = { ...metadata.annotations, [annotation]: String(value) };
}

/** The error of a number below zero. `path` is that of the field in release 1.20's own form. */
export function negativeErrors(
  { annotations }: ObjectMeta,
  annotation: string,
  path: FieldPath,
): FieldError[] {
  const text = annotations?.[annotation];
  return text?.startsWith('-') ? [invalidValue(path, new VerbatimValue(text), negativeMessage)] : [];
}

/** Digits of the largest int64. */
const maxDigits = 19;

function parseInt64(text: string): bigint | string {
  const [, sign = '', given] = /^([+-]?)(\d+)$/.exec(text) ?? [];
  if (given === undefined) return 'invalid syntax';
  const digits = given.replace(/^0+/, '') || '0';
  if (digits.length > maxDigits) return 'value out of range';
  const value = BigInt(`${sign === '-' ? '-' : ''}${digits}`);
  return BigInt.asIntN(64, value) === value ? value : 'value out of range';
}
