import { rawNumber } from '../../base/index.ts';
import { type JsonNumber, unquote } from '../go-values/index.ts';
import { readBrackets, readFilterText } from './brackets.ts';
import { Scanner } from './scanner.ts';
import { JsonPathError, type Step, type TemplatePart } from './syntax.ts';

/**
 * Parses a template: text with actions in braces (`{.metadata.name}`, `{"\n"}`, `{range .items[*]}...{end}`).
 *
 * @throws JsonPathError
 */
export function parseTemplate(template: string): readonly TemplatePart[] {
  const scanner = new Scanner(template);
  const parts: TemplatePart[] = [];
  while (scanner.peek() !== '') {
    if (scanner.peek() === '{') {
      scanner.next();
      scanner.take();
      parts.push({ kind: 'action', steps: parseAction(scanner) });
    } else {
      scanner.readUntil((character) => character === '' || character === '{');
      parts.push({ kind: 'text', text: scanner.take() });
    }
  }
  return parts;
}

/** Parses a bare path (`.metadata.name`, `{.metadata.name}`, `metadata.name`), as columns and sort keys allow it. @throws JsonPathError */
export function parseRelaxedPath(text: string): readonly TemplatePart[] {
  if (text === '') return [];
  const [, braced, plain] = /^(?:\{\.?([^{}]+)\}|\.?([^{}]+))$/.exec(text) ?? [];
  const path = braced ?? plain;
  if (path === undefined) {
    throw new JsonPathError(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    );
  }
  return parseTemplate(`{.${path}}`);
}

/** Reads steps up to the closing brace. */
function parseAction(scanner: Scanner): readonly Step[] {
  const steps: Step[] = [];
  while (!scanner.sees('}')) readSteps(scanner, steps);
  scanner.next();
  scanner.take();
  return steps;
}

/** The steps between braces that stand around a text. */
const parseSteps = (text: string): readonly Step[] => {
  const [first] = parseTemplate(`{${text}}`);
  return first?.kind === 'action' ? first.steps : [];
};

function readSteps(scanner: Scanner, steps: Step[]): void {
  if (scanner.sees('[?(')) {
    steps.push(readFilterText(scanner, parseSteps));
    return;
  }
  if (scanner.sees('..')) {
    readRecursive(scanner, steps);
    return;
  }
  const character = scanner.next();
  if (character === '' || isEndOfLine(character)) throw new JsonPathError('unclosed action');
  // Both stand for what the steps before found, at the start for the object or the element of a range.
  if (character === ' ' || character === '@' || character === '$') scanner.take();
  else if (character === '[') steps.push(...readBrackets(scanner, parseSteps));
  else if (character === '"' || character === "'") steps.push(readQuoted(scanner, character));
  else if (character === '.') steps.push(readField(scanner));
  else if (/[-+\p{Nd}]/u.test(character)) steps.push(readNumber(scanner));
  else if (isWordCharacter(character)) steps.push(readWord(scanner));
  else throw new JsonPathError(`unrecognized character in action: ${showCharacter(character)}`);
}

function readRecursive(scanner: Scanner, steps: Step[]): void {
  if (steps.at(-1)?.kind === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
  scanner.skip(2);
  steps.push({ kind: 'recursive' });
  if (isWordCharacter(scanner.peek())) steps.push(readField(scanner));
  else scanner.take();
}

function readQuoted(scanner: Scanner, quote: string): Step {
  for (;;) {
    const character = scanner.next();
    if (character === '' || character === '\n') throw new JsonPathError('unterminated quoted string');
    if (character === quote && !scanner.isEscaped) break;
  }
  const quoted = scanner.take();
  const text = unquote(quoted);
  if (text === undefined) throw new JsonPathError(`unquote string ${quoted} error invalid syntax`);
  return { kind: 'text', text };
}

/** Behind the dot, or the two dots, before the name. */
function readField(scanner: Scanner): Step {
  scanner.take();
  while (!isTerminator(scanner.peek())) {
    if (scanner.next() === '\\') scanner.next();
  }
  const name = scanner.take();
  return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
}

function readNumber(scanner: Scanner): Step {
  scanner.readUntil((character) => !/[.\p{Nd}]/u.test(character));
  const text = scanner.take();
  const value = Number(text);
  if (!/\d/.test(text) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
  const isWhole = !text.includes('.');
  return { kind: 'number', value: isWhole ? exactInteger(text, value) : value, isWhole };
}

/** Integers of up to 64 bits that no double holds are kept as their digits. */
function exactInteger(text: string, value: number): JsonNumber {
  const isHeld = Number.isSafeInteger(value) || Math.abs(value) > 2 ** 63;
  return isHeld ? value : rawNumber(String(BigInt(text)));
}

function readWord(scanner: Scanner): Step {
  scanner.readUntil(isTerminator);
  const word = scanner.take();
  return word === 'true' || word === 'false'
    ? { kind: 'truth', value: word === 'true' }
    : { kind: 'word', word };
}

const isEndOfLine = (character: string): boolean => character === '\r' || character === '\n';
const isTerminator = (character: string): boolean =>
  character === '' || /^[ \t\r\n.,[\]$@{}]$/.test(character);
const isWordCharacter = (character: string): boolean => /^[_\p{L}\p{Nd}]$/u.test(character);

/** As Go's `%#U`. */
function showCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return /\p{C}/u.test(character) ? `U+${code}` : `U+${code} '${character}'`;
}
