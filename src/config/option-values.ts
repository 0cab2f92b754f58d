import type { OptionRecord, OptionSpec } from './options.ts';
import { formatValue } from './values/format-value.ts';
import { formatList } from './values/lists.ts';
import { recordOf } from './values/maps.ts';
import { parseValue } from './values/parse-value.ts';
import { type Parsed, refuse } from './values/parsed.ts';
import { plainValuePhrases, type ValuePhrases } from './values/value-phrases.ts';
import { type AnyOptionValue, isCollection, isMap, zeroValue } from './values/value-types.ts';

/** Parses one option's text and checks its bounds, allowed values and own rule. */
export function parseOptionValue(
  spec: OptionSpec,
  text: string,
  phrases: ValuePhrases = plainValuePhrases,
): Parsed<AnyOptionValue> {
  const parsed = parseValue(spec, text, phrases);
  return 'problem' in parsed ? parsed : checkValue(spec, parsed.value);
}

/** Takes a value as a YAML file holds it: text is parsed as on the command line, other types must fit. */
export function readFileValue(spec: OptionSpec, raw: unknown): Parsed<AnyOptionValue> {
  if (Array.isArray(raw)) return readList(spec, raw);
  if (typeof raw === 'object' && raw !== null) return readMap(spec, raw);
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') {
    return parseOptionValue(spec, String(raw));
  }
  return refuse('must have a value');
}

/** What an option is when nobody says anything. @throws TypeError for a default that is no value of its type */
export function defaultValue(spec: OptionSpec): OptionRecord[string] {
  if (spec.default === undefined) {
    const hasZero = spec.type === 'bool' || spec.type === 'count' || isCollection(spec.type);
    return hasZero ? zeroValue(spec.type) : undefined;
  }
  const parsed = readFileValue(spec, spec.default);
  if ('problem' in parsed) throw new TypeError(`default of --${spec.name}: ${parsed.problem}`);
  return parsed.value;
}

function checkValue(spec: OptionSpec, value: AnyOptionValue): Parsed<AnyOptionValue> {
  if (typeof value === 'number') {
    if (spec.min !== undefined && value < spec.min)
      return refuse(`must be at least ${formatValue(spec.type, spec.min)}`);
    if (spec.max !== undefined && value > spec.max)
      return refuse(`must be at most ${formatValue(spec.type, spec.max)}`);
  }
  const texts = Array.isArray(value) ? value : [value];
  const unsupported = spec.allowed && texts.find((text) => !spec.allowed?.includes(String(text)));
  if (unsupported !== undefined && spec.allowed !== undefined) {
    const which = Array.isArray(value)
      ? `${JSON.stringify(String(unsupported))} is none of`
      : 'must be one of';
    return refuse(`${which} ${spec.allowed.join(', ')}`);
  }
  // The table's author wrote `validate` for this option's own type, and `value` was made by that type's parser.
  const problem = spec.validate?.(value as never);
  return problem === undefined ? { value } : refuse(problem);
}

function readList(spec: OptionSpec, raw: readonly unknown[]): Parsed<AnyOptionValue> {
  if (!isCollection(spec.type) || isMap(spec.type)) return refuse('must be a single value, not a list');
  if (raw.some((item) => typeof item === 'object')) return refuse('must be a list of plain values');
  const parts = raw.map(String);
  if (spec.parser === undefined) return checkValue(spec, parts);
  // A part without a text stands in quotes: alone it would be a list without parts.
  return parseOptionValue(spec, parts.map((part) => (part === '' ? '""' : formatList([part]))).join(','));
}

function readMap(spec: OptionSpec, raw: object): Parsed<AnyOptionValue> {
  if (!isMap(spec.type)) return refuse('must be a single value or a list, not a map');
  const valueType = spec.type === 'mapStringBool' ? 'bool' : 'string';
  const entries: [string, AnyOptionValue][] = [];
  for (const [key, item] of Object.entries(raw)) {
    const parsed = parseValue({ type: valueType }, String(item), plainValuePhrases);
    if ('problem' in parsed) return refuse(`the value of ${key} ${parsed.problem}`);
    entries.push([key, parsed.value]);
  }
  return checkValue(spec, recordOf(entries) as Record<string, string>); // all entries are of the option's own kind
}
