import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  getScalarValue,
  parseEvents,
} from 'js-yaml';
import { errorText } from '../../base/index.ts';
import { BodySyntaxError } from './body-syntax-error.ts';
import { maxBodyDepth } from './parse-json.ts';

/** A key of a mapping as it stands in a text. */
export interface YamlKey {
  /** Keys from the root; elements of lists count as `[]`. */
  readonly path: readonly string[];
  /** From 1. */
  readonly line: number;
  /** The same mapping has this key further up. */
  readonly isRepeated: boolean;
}

interface Level {
  readonly path: readonly string[];
  /** Keys so far; a list has none. */
  readonly keys?: Set<string>;
  /** The key whose value comes next. */
  key?: string | undefined;
}

/**
 * The keys of the first document in the order of the text, for messages about them. JSON is YAML, too.
 *
 * @throws BodySyntaxError for text that is not YAML.
 */
export function listYamlKeys(bytes: Buffer): readonly YamlKey[] {
  const text = bytes.toString('utf8');
  try {
    return collect(text);
  } catch (error) {
    throw new BodySyntaxError(`yaml: ${errorText(error)}`);
  }
}

function collect(text: string): YamlKey[] {
  const lineOf = lineCounter(text);
  const keys: YamlKey[] = [];
  const levels: Level[] = [];
  let documents = 0;
  for (const event of parseEvents(text, { maxDepth: maxBodyDepth })) {
    const level = levels.at(-1);
    if (event.type === EVENT_DOCUMENT) {
      documents++;
      if (documents > 1) break;
      levels.push({ path: [] });
    } else if (event.type === EVENT_POP) {
      levels.pop();
    } else if (level?.keys !== undefined && level.key === undefined) {
      const name = event.type === EVENT_SCALAR ? getScalarValue(text, event) : '';
      const at = 'valueStart' in event ? event.valueStart : 'start' in event ? event.start : 0;
      keys.push({ path: [...level.path, name], line: lineOf(at), isRepeated: level.keys.has(name) });
      level.keys.add(name);
      level.key = name;
      if (event.type !== EVENT_SCALAR && event.type !== EVENT_ALIAS) levels.push({ path: level.path });
    } else {
      const path = level === undefined ? [] : [...level.path, ...stepInto(level)];
      if (level !== undefined) level.key = undefined;
      if (event.type === EVENT_MAPPING) levels.push({ path, keys: new Set() });
      else if (event.type !== EVENT_SCALAR && event.type !== EVENT_ALIAS) levels.push({ path });
    }
  }
  return keys;
}

function stepInto(level: Level): string[] {
  if (level.keys !== undefined) return [level.key ?? ''];
  return level.path.length === 0 ? [] : ['[]'];
}

/** Lines of growing offsets, each line break counted once. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let seen = 0;
  return (offset) => {
    for (; seen < offset; seen++) if (text.charCodeAt(seen) === 10) line++;
    return line;
  };
}
