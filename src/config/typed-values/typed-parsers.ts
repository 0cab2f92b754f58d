import { quoteGo } from '../../machinery/errors/index.ts';
import { isIpText, isLabelValue, isQualifiedName, parseCidr } from '../../machinery/formats/index.ts';
import { parseQuantity, QuantityError } from '../../machinery/values/index.ts';
import { parseList } from '../values/lists.ts';
import { integerShapes, parseInteger } from '../values/numbers.ts';
import type { ValueKind, ValueParser } from '../values/parse-value.ts';
import { type Parsed, refuse } from '../values/parsed.ts';
import type { ValuePhrases } from '../values/value-phrases.ts';
import type { NodeTaint, OptionType, TypedValueType } from '../values/value-types.ts';

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

/** Text of an IPv4 or IPv6 address. */
function parseIp(text: string, phrases: Pick<ValuePhrases, 'ip'>): Parsed<string> {
  return isIpText(text) ? { value: text } : refuse(phrases.ip(text));
}

/** Networks between commas, each written `address/bits`. */
function parseCidrs(text: string, phrases: Pick<ValuePhrases, 'bareQuote'>): Parsed<readonly string[]> {
  const parts = parseList(text, phrases);
  if ('problem' in parts) return parts;
  const bad = parts.value.find((part) => parseCidr(part) === undefined);
  return bad === undefined ? parts : refuse(`${JSON.stringify(bad)} must be a network such as 10.0.0.0/24`);
}

const effects = [
  'NoSchedule',
  'PreferNoSchedule',
  'NoExecute',
] as const satisfies readonly NodeTaint['effect'][];

/** Taints between commas, each written `key=value:effect` or `key:effect`; `key` alone has no effect yet. */
function parseTaints(text: string): Parsed<readonly NodeTaint[]> {
  const taints: NodeTaint[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const parsed = parseTaint(part);
    if ('problem' in parsed) return parsed;
    taints.push(parsed.value);
  }
  return { value: taints };
}

/** What is wrong is told in the order of release 1.20: one thing at a time. */
function parseTaint(text: string): Parsed<NodeTaint> {
  const [pair = '', effectText, ...rest] = text.split(':');
  if (rest.length > 0) return refuse(`invalid taint spec: ${text}`);
  const effect = effectText === undefined ? '' : effects.find((name) => name === effectText);
  if (effect === undefined) return refuse(`invalid taint effect: ${effectText}, unsupported taint effect`);
  const [key = '', value = '', ...more] = effectText === undefined ? [pair] : pair.split('=');
  if (more.length > 0) return refuse(`invalid taint spec: ${text}`);
  const wrong = [isLabelValue(value), isQualifiedName(key)].find((problems) => problems.length > 0);
  if (wrong !== undefined) return refuse(`invalid taint spec: ${text}, ${wrong.join('; ')}`);
  return { value: { key, value, effect } };
}

const severities = ['INFO', 'WARNING', 'ERROR', 'FATAL'];

/** A severity by name or number. */
function parseSeverity(text: string, phrases: Pick<ValuePhrases, 'integer'>): Parsed<number> {
  const index = severities.indexOf(text.toUpperCase());
  return index < 0 ? parseInteger(text, integerShapes.int32, phrases) : { value: index };
}

/** `file.go:234`; empty for none. */
function parseTraceLocation(text: string): Parsed<string> {
  if (text === '') return { value: text };
  const match = /^([^:]*\.[^:]*):([+-]?\d+)$/.exec(text);
  if (match === null) return refuse('syntax error: expect file.go:234');
  return Number(match[2]) > 0 ? { value: text } : refuse('negative or zero value for level');
}

/** `pattern=N,...`: files whose names match are logged at that level. */
function parseModuleSpec(text: string): Parsed<string> {
  for (const part of text.split(',').filter((entry) => entry !== '')) {
    const [pattern = '', level, ...rest] = part.split('=');
    if (pattern === '' || level === undefined || level === '' || rest.length > 0) {
      return refuse('syntax error: expect comma-separated list of filename=N');
    }
    if (!/^[+-]?\d+$/.test(level)) {
      return refuse(
        `syntax error: expect comma-separated list of filename=N: strconv.Atoi: parsing ${quoteGo(level)}`,
      );
    }
    if (level.startsWith('-')) return refuse('negative value for vmodule level');
  }
  return { value: text };
}
