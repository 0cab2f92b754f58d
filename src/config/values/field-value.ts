import { isJsonObject } from '../../base/index.ts';
import { recordOf } from './maps.ts';
import { integerShapes, parseDurationText } from './numbers.ts';
import { type Parsed, refuse } from './parsed.ts';
import type { ValuePhrases } from './value-phrases.ts';
import type { AnyOptionValue, OptionType } from './value-types.ts';

/** What a field of a typed configuration file may be. */
export interface FieldSpec {
  readonly type: OptionType;
  /** Null means the default. */
  readonly nullable?: boolean;
}

/**
 * A field's value as a typed configuration file holds it; undefined when null stands for a missing field. Unlike
 * `readFileValue`, nothing is converted: the JSON type must be the option's own.
 */
export function readFieldValue(
  { type, nullable = false }: FieldSpec,
  raw: unknown,
  phrases: ValuePhrases,
): Parsed<AnyOptionValue | undefined> {
  if (raw === null) {
    return type === 'duration' && !nullable ? parseDurationText('', phrases) : { value: undefined };
  }
  switch (type) {
    case 'bool':
      return typeof raw === 'boolean' ? { value: raw } : expected('true or false', raw);
    case 'int32':
    case 'int64':
      return readInteger(raw, integerShapes[type]);
    case 'duration':
      return typeof raw === 'string'
        ? parseDurationText(raw, phrases)
        : expected('a duration in quotes or plain, such as 30s', raw);
    case 'strings':
      return isTextList(raw) ? { value: raw } : expected('a list of texts', raw);
    case 'mapStringString':
    case 'thresholds':
      return readMap(raw, 'text', (value) => typeof value === 'string');
    case 'mapStringBool':
      return readMap(raw, 'true or false', (value) => typeof value === 'boolean');
    case 'headers':
      return readMap(raw, 'a list of texts', isTextList);
    default:
      return typeof raw === 'string' ? { value: raw } : expected('text', raw);
  }
}

function readInteger(raw: unknown, { min, max }: { min: bigint; max: bigint }): Parsed<number> {
  if (typeof raw !== 'number' || !Number.isInteger(raw)) return expected('a whole number', raw);
  return raw < Number(min) || raw > Number(max) ? refuse(`${raw} is out of range`) : { value: raw };
}

function readMap(raw: unknown, what: string, fits: (value: unknown) => boolean): Parsed<AnyOptionValue> {
  if (!isJsonObject(raw)) return expected('a map', raw);
  for (const [key, value] of Object.entries(raw)) {
    if (!fits(value)) return refuse(`${key}: ${complaint(what, value)}`);
  }
  return { value: recordOf(Object.entries(raw)) as Record<string, string> }; // every value was looked at
}

function isTextList(raw: unknown): raw is readonly string[] {
  return Array.isArray(raw) && raw.every((item) => typeof item === 'string');
}

function expected(what: string, raw: unknown): { readonly problem: string } {
  return refuse(complaint(what, raw));
}

function complaint(what: string, raw: unknown): string {
  const shown = JSON.stringify(raw) ?? 'nothing';
  return `expected ${what}, but found ${shown.length > 60 ? `${shown.slice(0, 57)}...` : shown}`;
}
