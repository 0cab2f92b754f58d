import { isIpText, parseCidr } from '../../machinery/formats/index.ts';
import { parseBool } from '../../machinery/go-values/index.ts';
import { parseQuantity, QuantityError } from '../../machinery/values/index.ts';
import { parseList } from './lists.ts';
import { parseModuleSpec, parseSeverity, parseTraceLocation } from './log-values.ts';
import { parseBoolMap, parseMultiMap, parseTextMap } from './maps.ts';
import { integerShapes, parseDurationText, parseFloatText, parseInteger } from './numbers.ts';
import { type Parsed, refuse } from './parsed.ts';
import { parseTaints } from './taints.ts';
import type { ValuePhrases } from './value-phrases.ts';
import type { AnyOptionValue, OptionType, OptionValues } from './value-types.ts';

/** What a parser has to know of an option. */
export interface ValueSpec {
  readonly type: OptionType;
  /** Of a map of texts: the value of a name that stands alone. Without it such a name is refused. */
  readonly loneValue?: string;
}

type Parsers = {
  readonly [T in OptionType]: (
    text: string,
    phrases: ValuePhrases,
    spec: ValueSpec,
  ) => Parsed<OptionValues[T]>;
};

const parsers: Parsers = {
  bool: parseTruth,
  version: (text, phrases) => (text === 'raw' ? { value: text } : parseTruth(text, phrases)),
  string: (text) => ({ value: text }),
  int: (text, phrases) => parseInteger(text, integerShapes.int, phrases),
  int32: (text, phrases) => parseInteger(text, integerShapes.int32, phrases),
  int64: (text, phrases) => parseInteger(text, integerShapes.int64, phrases),
  uint: (text, phrases) => parseInteger(text, integerShapes.uint, phrases),
  count: (text, phrases) => parseInteger(text, integerShapes.int, phrases),
  float: parseFloatText,
  duration: parseDurationText,
  strings: parseList,
  stringArray: (text) => ({ value: [text] }),
  mapStringString: (text, phrases, { loneValue }) =>
    parseTextMap(text, { separator: '=', loneValue }, phrases),
  mapStringBool: parseBoolMap,
  thresholds: (text, phrases) => parseTextMap(text, { separator: '<' }, phrases),
  headers: (text, phrases) => parseMultiMap(text, { separator: ':' }, phrases),
  ip: (text, phrases) => (isIpText(text) ? { value: text } : refuse(phrases.ip(text))),
  ips: (text) => ({ value: text === '' ? [] : text.split(',').map((part) => part.trim()) }),
  cidrs: parseCidrs,
  portRange: parsePortRange,
  quantity: parseQuantityText,
  taints: parseTaints,
  severity: parseSeverity,
  traceLocation: parseTraceLocation,
  moduleSpec: parseModuleSpec,
};

/** The value of a text as a command line holds it. */
export function parseValue(spec: ValueSpec, text: string, phrases: ValuePhrases): Parsed<AnyOptionValue> {
  return parsers[spec.type](text, phrases, spec);
}

function parseTruth(text: string, phrases: ValuePhrases): Parsed<boolean> {
  const value = parseBool(text);
  return value === undefined ? refuse(phrases.bool(text)) : { value };
}

/** What is wrong with a list of networks; undefined when nothing is. */
export function cidrsProblem(parts: readonly string[]): string | undefined {
  const bad = parts.find((part) => parseCidr(part) === undefined);
  return bad === undefined ? undefined : `${JSON.stringify(bad)} must be a network such as 10.0.0.0/24`;
}

function parseCidrs(text: string, phrases: ValuePhrases): Parsed<readonly string[]> {
  const parts = parseList(text, phrases);
  const problem = 'value' in parts ? cidrsProblem(parts.value) : undefined;
  return problem === undefined ? parts : refuse(problem);
}

function parsePortRange(text: string): Parsed<OptionValues['portRange']> {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text);
  if (match === null) return refuse('must be a port range such as 30000-32767');
  const first = Number(match[1]);
  const other = match[3] === undefined ? first : Number(match[3]);
  const last = match[2] === '+' ? first + other : other;
  if (last < first) return refuse('must not end before it starts');
  return last > 65535 ? refuse('must not go beyond port 65535') : { value: { first, last } };
}

function parseQuantityText(text: string): Parsed<string> {
  try {
    parseQuantity(text);
    return { value: text };
  } catch (error) {
    if (error instanceof QuantityError) return refuse('must be a quantity such as 500m or 1Gi');
    throw error;
  }
}
