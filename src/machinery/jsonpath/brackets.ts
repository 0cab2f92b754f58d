import type { Scanner } from './scanner.ts';
import { type FilterStep, JsonPathError, type SliceStep, type Step } from './syntax.ts';

/** Parses what could stand between braces. */
type ParseSteps = (text: string) => readonly Step[];

/** Reads `*]`, `0:2]`, `'key']` or several of them; the opening bracket was read. @throws JsonPathError */
export function readBrackets(scanner: Scanner, parseSteps: ParseSteps): readonly Step[] {
  scanner.readUntil((character) => character === ']' || character === '\n' || character === '');
  if (scanner.next() !== ']') throw new JsonPathError('unterminated array');
  const inner = scanner.take().slice(1, -1);
  const members = inner.split(',');
  if (members.length > 1) {
    return [
      { kind: 'union', members: members.map((member) => parseSteps(`[${member.replace(/^ +| +$/g, '')}]`)) },
    ];
  }
  // A key may be a path of several.
  const key = /^'([^']*)'$/.exec(inner);
  return key === null ? [parseSlice(inner === '*' ? ':' : inner)] : parseSteps(`.${key[1] ?? ''}`);
}

function parseSlice(text: string): SliceStep {
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const [, first = '', second, third = ''] = match;
  const start = parseIndex(first);
  return {
    kind: 'slice',
    start,
    end: second === undefined ? (start ?? 0) + 1 : parseIndex(second.slice(1)),
    stride: parseIndex(third.slice(1)),
    isIndex: second === undefined,
  };
}

/** Undefined when it is not said. */
function parseIndex(text: string): number | undefined {
  if (text === '') return undefined;
  const index = Number(text);
  if (!Number.isSafeInteger(index)) throw new JsonPathError(`array index ${text} is not a number`);
  return index;
}

/** Reads a filter, `[?(@.a=="b")]`. @throws JsonPathError */
export function readFilterText(scanner: Scanner, parseSteps: ParseSteps): FilterStep {
  scanner.skip('[?('.length);
  scanner.take();
  skipFilter(scanner);
  if (scanner.next() !== ']') throw new JsonPathError('unclosed array expect ]');
  const text = scanner.take().slice(0, -')]'.length);
  const sides = /^([^!<>=]+)([!<>=]+)(.+)$/.exec(text);
  if (sides === null) return { kind: 'filter', left: parseSteps(text), operator: 'exists', right: [] };
  const [, left = '', operator = '', right = ''] = sides;
  return { kind: 'filter', left: parseSteps(left), operator, right: parseSteps(right) };
}

/** Up to the closing parenthesis; one in the first quoted text does not count, and there are no others. */
function skipFilter(scanner: Scanner): void {
  let quote = '';
  let isQuoted = false;
  for (;;) {
    const character = scanner.next();
    if (character === '' || character === '\n') throw new JsonPathError('unterminated filter');
    if (character === ')' && !isQuoted) return;
    if (character !== '"' && character !== "'") continue;
    if (quote === '') {
      quote = character;
      isQuoted = true;
    } else if (character === quote && !scanner.isEscaped) isQuoted = false;
  }
}
