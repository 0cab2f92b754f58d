/**
 * Values of options as command lines and files write them: one parser for each type, as Go's flag packages read them,
 * and the words of a program about texts that are none (`ValuePhrases`). It knows no options, only their types.
 */

import { parseBool } from '../../machinery/go-values/index.ts';
import { parseList } from './lists.ts';
import { parseBoolMap, parseMultiMap, parseTextMap } from './maps.ts';
import { integerShapes, parseDurationText, parseFloatText, parseInteger } from './numbers.ts';
import { type Parsed, refuse } from './parsed.ts';
import type { ValuePhrases } from './value-phrases.ts';
import type { AnyOptionValue, OptionType, OptionValues, TypedValueType } from './value-types.ts';

/** Reads the text of an option of that type. */
export type ValueParser<T extends OptionType = OptionType> = (
  text: string,
  phrases: ValuePhrases,
) => Parsed<OptionValues[T]>;

/** Types that this folder has the parsers of. */
type PlainValueType = Exclude<OptionType, TypedValueType>;

/** A type; one that is read with more than this folder knows comes with its parser. */
export type ValueKind =
  | { readonly type: PlainValueType; readonly parser?: undefined }
  | { readonly type: TypedValueType; readonly parser: ValueParser };

/** What a parser has to know of an option. */
export type ValueSpec = ValueKind & {
  /** Of a map of texts: the value of a name that stands alone. Without it such a name is refused. */
  readonly loneValue?: string;
};

type Parsers = {
  readonly [T in PlainValueType]: (
    text: string,
    phrases: ValuePhrases,
    spec: Pick<ValueSpec, 'loneValue'>,
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
  ips: (text) => ({ value: text === '' ? [] : text.split(',').map((part) => part.trim()) }),
  portRange: parsePortRange,
};

/** The value of a text as a command line holds it. */
export function parseValue(spec: ValueSpec, text: string, phrases: ValuePhrases): Parsed<AnyOptionValue> {
  return spec.parser === undefined ? parsers[spec.type](text, phrases, spec) : spec.parser(text, phrases);
}

function parseTruth(text: string, phrases: ValuePhrases): Parsed<boolean> {
  const value = parseBool(text);
  return value === undefined ? refuse(phrases.bool(text)) : { value };
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
