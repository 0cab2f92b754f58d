import { isIP } from 'node:net';
import { formatDurationMs, parseDurationMs } from './duration.ts';
import type { OptionRecord, OptionSpec, OptionType, OptionValues, PortRange } from './options.ts';

/** A value, or what is wrong with the text. */
export type Parsed = { readonly value: OptionValues[OptionType] } | { readonly problem: string };

type Parser = (text: string) => Parsed;

const trueTexts = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseTexts = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);
const integer = /^[+-]?(?:\d+|0x[\da-fA-F]+)$/;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const quantity = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

const parsers: Readonly<Record<OptionType, Parser>> = {
  bool: parseBool,
  string: (text) => ({ value: text }),
  int: parseInteger,
  uint: (text) =>
    text.startsWith('-') ? { problem: 'must be a whole number that is not negative' } : parseInteger(text),
  float: (text) => (decimal.test(text) ? { value: Number(text) } : { problem: 'must be a number' }),
  duration: parseDuration,
  strings: (text) => ({ value: splitCommaList(text) }),
  stringArray: (text) => ({ value: [text] }),
  mapStringString: (text) => parseMap(text, (value = 'true') => ({ value })),
  mapStringBool: (text) =>
    parseMap(text, (value) => (value === undefined ? { problem: 'is missing' } : parseBool(value))),
  ip: (text) => (isIP(text) === 0 ? { problem: 'must be an IP address' } : { value: text }),
  cidr: (text) => (isCidr(text) ? { value: text } : { problem: 'must be a network such as 10.0.0.0/24' }),
  cidrs: parseCidrs,
  portRange: parsePortRange,
  quantity: (text) =>
    quantity.test(text) ? { value: text } : { problem: 'must be a quantity such as 500m or 1Gi' },
  count: parseInteger,
};

/** Parses one option's text and checks its bounds, allowed values and own rule. */
export function parseOptionValue(spec: OptionSpec, text: string): Parsed {
  const parsed = parsers[spec.type](text);
  return 'problem' in parsed ? parsed : checkValue(spec, parsed.value);
}

/** Takes a value as a YAML file holds it: text is parsed as on the command line, other types must fit. */
export function readFileValue(spec: OptionSpec, raw: unknown): Parsed {
  if (Array.isArray(raw)) return readList(spec, raw);
  if (typeof raw === 'object' && raw !== null) return readMap(spec, raw);
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') {
    return parseOptionValue(spec, String(raw));
  }
  return { problem: 'must have a value' };
}

/** What an option is when nobody says anything. */
export function defaultValue(spec: OptionSpec): OptionRecord[string] {
  if (spec.default === undefined) return emptyValue(spec.type);
  const parsed = readFileValue(spec, spec.default);
  if ('problem' in parsed) throw new TypeError(`default of --${spec.name}: ${parsed.problem}`);
  return parsed.value;
}

/** Whether giving the option again adds to it. */
export function isCollection(type: OptionType): boolean {
  return type === 'strings' || type === 'stringArray' || type === 'cidrs' || isMap(type);
}

/** The value of an option that is given more than once: lists append, maps merge, the last of the others wins. */
export function joinValues(
  type: OptionType,
  earlier: OptionValues[OptionType],
  later: OptionValues[OptionType],
): OptionValues[OptionType] {
  if (!isCollection(type)) return later;
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  // Both came from the same map parser, so both are plain records.
  return Object.assign(Object.create(null), earlier, later) as Record<string, string>;
}

/** The text that parses back to the value; empty for empty lists and maps. */
export function formatOptionValue(type: OptionType, value: OptionRecord[string]): string {
  if (value === undefined) return '';
  if (type === 'duration') return formatDurationMs(Number(value));
  if (type === 'portRange' && isPortRange(value)) return `${value.first}-${value.last}`;
  if (Array.isArray(value)) return value.map(quotePart).join(',');
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, entry]) => quotePart(`${key}=${entry}`))
      .join(',');
  }
  return String(value);
}

function checkValue(spec: OptionSpec, value: OptionValues[OptionType]): Parsed {
  if (typeof value === 'number') {
    const show = (bound: number) => (spec.type === 'duration' ? formatDurationMs(bound) : String(bound));
    if (spec.min !== undefined && value < spec.min) return { problem: `must be at least ${show(spec.min)}` };
    if (spec.max !== undefined && value > spec.max) return { problem: `must be at most ${show(spec.max)}` };
  }
  const texts = Array.isArray(value) ? value : [value];
  const stranger = spec.allowed && texts.find((text) => !spec.allowed?.includes(String(text)));
  if (stranger !== undefined && spec.allowed !== undefined) {
    const which = Array.isArray(value) ? `${quote(String(stranger))} is none of` : 'must be one of';
    return { problem: `${which} ${spec.allowed.join(', ')}` };
  }
  // The table's author wrote `validate` for this option's own type, and `value` was made by that type's parser.
  const problem = spec.validate?.(value as never);
  return problem === undefined ? { value } : { problem };
}

function emptyValue(type: OptionType): OptionRecord[string] {
  if (type === 'bool') return false;
  if (type === 'count') return 0;
  if (isMap(type)) return Object.create(null) as Record<string, string>; // an empty record of either kind
  return isCollection(type) ? [] : undefined;
}

function isMap(type: OptionType): boolean {
  return type === 'mapStringString' || type === 'mapStringBool';
}

function isPortRange(value: unknown): value is PortRange {
  return typeof value === 'object' && value !== null && 'first' in value && 'last' in value;
}

function parseBool(text: string): { value: boolean } | { problem: string } {
  if (trueTexts.has(text)) return { value: true };
  return falseTexts.has(text) ? { value: false } : { problem: 'must be true or false' };
}

function parseInteger(text: string): Parsed {
  const value = integer.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? { value } : { problem: 'must be a whole number' };
}

function parseDuration(text: string): Parsed {
  const value = parseDurationMs(text);
  return value === undefined
    ? { problem: 'must be a duration with its unit, such as 30s, 5m or 1h' }
    : { value };
}

/** An entry without an equals sign has no value. */
function parseMap(text: string, parseEntry: (value: string | undefined) => Parsed): Parsed {
  const entries: Record<string, unknown> = Object.create(null);
  for (const part of splitCommaList(text)) {
    const equals = part.indexOf('=');
    const key = (equals < 0 ? part : part.slice(0, equals)).trim();
    const entry = parseEntry(equals < 0 ? undefined : part.slice(equals + 1).trim());
    if (key === '') return { problem: `${quote(part)} has no name before the equals sign` };
    if ('problem' in entry) return { problem: `the value of ${key} ${entry.problem}` };
    entries[key] = entry.value;
  }
  // Every entry was made by `parseEntry`, whose values are all text or all booleans.
  return { value: entries as Record<string, string> };
}

function parseCidrs(text: string): Parsed {
  const parts = splitCommaList(text);
  const bad = parts.find((part) => !isCidr(part));
  return bad === undefined
    ? { value: parts }
    : { problem: `${quote(bad)} must be a network such as 10.0.0.0/24` };
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const version = isIP(address);
  return (
    version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
}

function parsePortRange(text: string): Parsed {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text);
  if (match === null) return { problem: 'must be a port range such as 30000-32767' };
  const first = Number(match[1]);
  const other = match[3] === undefined ? first : Number(match[3]);
  const last = match[2] === '+' ? first + other : other;
  if (last < first) return { problem: 'must not end before it starts' };
  return last > 65535 ? { problem: 'must not go beyond port 65535' } : { value: { first, last } };
}

function splitCommaList(text: string): string[] {
  if (text === '') return [];
  if (!text.includes('"')) return text.split(',');
  const parts: string[] = [];
  const token = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/gy;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return parts;
  }
  return text.split(','); // an unbalanced quote has no CSV meaning: take it literally
}

function quotePart(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function readList(spec: OptionSpec, raw: readonly unknown[]): Parsed {
  if (!isCollection(spec.type) || isMap(spec.type)) return { problem: 'must be a single value, not a list' };
  if (raw.some((item) => typeof item === 'object')) return { problem: 'must be a list of plain values' };
  const value = raw.map(String);
  const bad = spec.type === 'cidrs' ? value.find((item) => !isCidr(item)) : undefined;
  return bad === undefined
    ? checkValue(spec, value)
    : { problem: `${quote(bad)} must be a network such as 10.0.0.0/24` };
}

function readMap(spec: OptionSpec, raw: object): Parsed {
  if (!isMap(spec.type)) return { problem: 'must be a single value or a list, not a map' };
  const entries: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(raw)) {
    const entry = spec.type === 'mapStringBool' ? parseBool(String(item)) : { value: String(item) };
    if ('problem' in entry) return { problem: `the value of ${key} ${entry.problem}` };
    entries[key] = entry.value;
  }
  // As in parseMap: all entries are of the option's own kind.
  return checkValue(spec, entries as Record<string, string>);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
