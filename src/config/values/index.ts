/**
 * Values of options as command lines and files write them: one parser for each type, as Go's flag packages read them,
 * and the words of a program about texts that are none (`ValuePhrases`). It knows no options, only their types.
 */
export { readFieldValue } from './field-value.ts';
export { formatValue, joinValues } from './format-value.ts';
export { formatList, parseList } from './lists.ts';
export { recordOf } from './maps.ts';
export { integerShapes, parseDurationText, parseFloatText, parseInteger } from './numbers.ts';
export { parseValue, type ValueKind, type ValueParser, type ValueSpec } from './parse-value.ts';
export { type Parsed, refuse } from './parsed.ts';
export { type IntegerFault, plainValuePhrases, type ValuePhrases } from './value-phrases.ts';
export {
  type AnyOptionValue,
  isCollection,
  isMap,
  isZeroValue,
  type NodeTaint,
  type OptionType,
  type OptionValues,
  type PortRange,
  type TypedValueType,
  zeroValue,
} from './value-types.ts';
