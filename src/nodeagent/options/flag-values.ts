import { assertNever } from '../../base/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { parseIp } from '../../machinery/formats/index.ts';
import { DurationError, parseDuration } from '../../machinery/values/index.ts';
import type { AgentOption } from './option-table.ts';
import { parseModuleSpec, parseSeverity, parseTraceLocation } from './parse-log-value.ts';
import { parseLabelPairs, parsePairs, recordOf } from './parse-map.ts';
import { integerShapes, parseFloatText, parseInteger } from './parse-number.ts';
import { parseTaint } from './parse-taint.ts';
import { type Parsed, refuse } from './parsed.ts';
import { splitList } from './split-list.ts';
import { type AgentValue, type NodeTaint, valueKind } from './values.ts';

const truths = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falsehoods = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** A flag's value when it is given with these texts, in their order: lists and maps grow, of others the last counts. */
export function parseFlagTexts(option: AgentOption, texts: readonly string[]): Parsed<AgentValue> {
  let value: AgentValue | undefined;
  for (const text of texts) {
    const parsed = parseFlagText(option, text);
    if ('problem' in parsed)
      return refuse(`invalid argument ${quoteGo(text)} for "${flagTitle(option)}" flag: ${parsed.problem}`);
    value = value === undefined ? parsed.value : join(value, parsed.value);
  }
  return { value: value ?? '' };
}

function flagTitle({ flag, short }: AgentOption): string {
  return short === undefined ? `--${flag}` : `-${short}, --${flag}`;
}

function parseFlagText(option: AgentOption, text: string): Parsed<AgentValue> {
  const parsed = parseByKind(option, text);
  return option.terse && 'problem' in parsed ? refuse('parse error') : parsed;
}

function parseByKind(option: AgentOption, text: string): Parsed<AgentValue> {
  const kind = valueKind(option);
  switch (kind) {
    case 'bool':
      return parseBool(text);
    case 'version':
      return text === 'raw' ? { value: text } : parseBool(text);
    case 'int32':
    case 'int64':
    case 'uint':
      return parseInteger(text, integerShapes[kind]);
    case 'float':
      return parseFloatText(text);
    case 'duration':
      return parseDurationText(text);
    case 'string':
      return { value: text };
    case 'strings':
      return splitList(text);
    case 'ips':
      return { value: text === '' ? [] : text.split(',').map((part) => part.trim()) };
    case 'ip':
      return parseIp(text) === undefined
        ? refuse(`${quoteGo(text)} is not a valid IP address`)
        : { value: text };
    case 'severity':
      return parseSeverity(text);
    case 'traceLocation':
      return parseTraceLocation(text);
    case 'moduleSpec':
      return parseModuleSpec(text);
    case 'taints':
      return parseTaints(text);
    case 'mapStringString':
    case 'mapStringBool':
    case 'thresholds':
    case 'headers':
      return parseMap(option, kind, text);
    default:
      return assertNever(kind);
  }
}

function parseBool(text: string): Parsed<boolean> {
  if (truths.has(text)) return { value: true };
  if (falsehoods.has(text)) return { value: false };
  return refuse(`strconv.ParseBool: parsing ${quoteGo(text)}: invalid syntax`);
}

/** Milliseconds of a duration as Go writes it, parts of them included. */
export function parseDurationText(text: string): Parsed<number> {
  try {
    return { value: Number(parseDuration(text)) / 1e6 };
  } catch (error) {
    if (error instanceof DurationError) return refuse(error.message);
    throw error;
  }
}

function parseTaints(text: string): Parsed<readonly NodeTaint[]> {
  const taints: NodeTaint[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const parsed = parseTaint(part);
    if ('problem' in parsed) return parsed;
    taints.push(parsed.value);
  }
  return { value: taints };
}

function parseMap(
  option: AgentOption,
  kind: 'mapStringString' | 'mapStringBool' | 'thresholds' | 'headers',
  text: string,
): Parsed<AgentValue> {
  const keep = (value: string): Parsed<string> => ({ value });
  if (option.key === 'nodeLabels') return { value: recordOf(parseLabelPairs(text)) };
  if (kind === 'headers') return parseHeaders(text);
  const pairs: Parsed<readonly [string, string | boolean][]> =
    kind === 'mapStringBool'
      ? parsePairs(text, { separator: '=', shape: 'string=bool', parse: parseSwitch })
      : kind === 'thresholds'
        ? parsePairs(text, { separator: '<', shape: 'string<string', parse: keep })
        : parsePairs(text, { separator: '=', shape: 'string=string', parse: keep });
  if ('problem' in pairs) return pairs;
  return { value: recordOf(pairs.value) as Record<string, string> }; // all of one kind: text or switches
}

function parseSwitch(text: string, key: string): Parsed<boolean> {
  const parsed = parseBool(text);
  return 'problem' in parsed ? refuse(`invalid value of ${key}: ${text}, err: ${parsed.problem}`) : parsed;
}

function parseHeaders(text: string): Parsed<Record<string, readonly string[]>> {
  const pairs = parsePairs(text, { separator: ':', shape: 'string:string', parse: (value) => ({ value }) });
  if ('problem' in pairs) return pairs;
  const headers: Record<string, string[]> = recordOf([]);
  for (const [name, value] of pairs.value) headers[name] = [...(headers[name] ?? []), value];
  return { value: headers };
}

function join(earlier: AgentValue, later: AgentValue): AgentValue {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  if (typeof earlier !== 'object' || typeof later !== 'object') return later;
  const joined: Record<string, unknown> = recordOf(Object.entries(earlier));
  for (const [key, value] of Object.entries(later)) {
    const before = joined[key];
    joined[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return joined as Record<string, string>; // both came from the same map flag
}
