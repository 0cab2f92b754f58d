import { parseQuantity, QuantityError } from '../../machinery/values/index.ts';
import {
  type OptionType,
  type Parsed,
  refuse,
  type TypedValueType,
  type ValueKind,
  type ValueParser,
} from '../values/index.ts';
import { parseModuleSpec, parseSeverity, parseTraceLocation } from './log-values.ts';
import { parseCidrs, parseIp } from './networks.ts';
import { parseTaints } from './taints.ts';

/** The parsers of the types that bring their own. */
export const typedParsers = {
  ip: parseIp,
  cidrs: parseCidrs,
  quantity: parseQuantityText,
  taints: parseTaints,
  severity: parseSeverity,
  traceLocation: parseTraceLocation,
  moduleSpec: parseModuleSpec,
} as const satisfies { readonly [T in TypedValueType]: ValueParser<T> };

/** A type with the parser that it needs, for options whose types come from data. */
export function valueKind(type: OptionType): ValueKind {
  return isTyped(type) ? { type, parser: typedParsers[type] } : { type };
}

function isTyped(type: OptionType): type is TypedValueType {
  return Object.hasOwn(typedParsers, type);
}

/** The text is kept as it was written. */
function parseQuantityText(text: string): Parsed<string> {
  try {
    parseQuantity(text);
    return { value: text };
  } catch (error) {
    if (error instanceof QuantityError) return refuse('must be a quantity such as 500m or 1Gi');
    throw error;
  }
}
