import { join } from './compare.ts';

/** A key that its map has further up already. */
export interface RepeatedKey {
  /** `spec.rules[0].host`, keys with dots or slashes in brackets. */
  readonly path: string;
  /** Line of the text, from 1. */
  readonly line: number;
}

interface Level {
  readonly path: string;
  /** Keys so far; a list has none. */
  readonly keys: Set<string> | undefined;
  /** The key or position of what comes next. */
  key: string;
  position: number;
}

/** The repeated keys of a text that is known to be JSON, in its order. */
export function listRepeatedJsonKeys(text: string): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  const levels: Level[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    switch (text[at]) {
      case '\n':
        line++;
        break;
      case '{':
      case '[':
        levels.push(openLevel(level, text[at] === '{'));
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level !== undefined) level.position++;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (level?.keys !== undefined && isKey(text, end)) {
          level.key = JSON.parse(text.slice(at, end)) as string; // a string by its quotes
          if (level.keys.has(level.key)) repeated.push({ path: join(level.path, level.key), line });
          level.keys.add(level.key);
        }
        at = end - 1;
        break;
      }
    }
  }
  return repeated;
}

function openLevel(parent: Level | undefined, isMap: boolean): Level {
  return { path: pathOfNext(parent), keys: isMap ? new Set() : undefined, key: '', position: 0 };
}

function pathOfNext(level: Level | undefined): string {
  if (level === undefined) return '';
  return level.keys === undefined ? `${level.path}[${level.position}]` : join(level.path, level.key);
}

/** Offset behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** True when a colon follows. */
function isKey(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++;
  return text[at] === ':';
}
