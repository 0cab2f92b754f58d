import { parseDurationText } from './flag-values.ts';
import type { AgentOption } from './option-table.ts';
import { recordOf } from './parse-map.ts';
import { integerShapes } from './parse-number.ts';
import { type Parsed, refuse } from './parsed.ts';
import { isPlainObject } from './plain-object.ts';
import { type AgentValue, valueKind } from './values.ts';

/** A field's value as a file holds it; undefined when null stands for a missing field. Types must fit exactly. */
export function readFieldValue(option: AgentOption, raw: unknown): Parsed<AgentValue | undefined> {
  const kind = valueKind(option);
  if (raw === null) {
    return kind === 'duration' && !option.nullable
      ? refuse('time: invalid duration ""')
      : { value: undefined };
  }
  switch (kind) {
    case 'bool':
      return typeof raw === 'boolean' ? { value: raw } : expected('true or false', raw);
    case 'int32':
    case 'int64':
      return readInteger(raw, integerShapes[kind]);
    case 'duration':
      return typeof raw === 'string'
        ? parseDurationText(raw)
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

function readMap(raw: unknown, what: string, fits: (value: unknown) => boolean): Parsed<AgentValue> {
  if (!isPlainObject(raw)) return expected('a map', raw);
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
