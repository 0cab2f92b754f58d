import { BodySyntaxError } from '../body-syntax-error.ts';
import type { YamlText } from './yaml-text.ts';

/** A place in a text, each number from 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

const breaks = new Set(['\r', '\n', '\x85', '\u2028', '\u2029']);

export const isBreak = (letter: string): boolean => breaks.has(letter);
export const isBlank = (letter: string): boolean => letter === ' ' || letter === '\t';
/** A blank, a line break, or the end, which reads as an empty text. */
export const endsWord = (letter: string): boolean => letter === '' || isBlank(letter) || isBreak(letter);
/** A letter of a name. */
export const isNameLetter = (letter: string): boolean => /^[\w-]$/.test(letter);

/** Where a text that is read from left to right is being read. */
export class Cursor {
  readonly #text: string;
  readonly #fault: string | undefined;
  #index = 0;
  #line = 0;
  #column = 0;

  constructor({ text, fault }: YamlText) {
    this.#text = text;
    this.#fault = fault;
  }

  get mark(): Mark {
    return { index: this.#index, line: this.#line, column: this.#column };
  }

  get column(): number {
    return this.#column;
  }

  /** The letter so far ahead, empty at the end. @throws BodySyntaxError where nothing can be read */
  peek(ahead = 0): string {
    const letter = this.#text[this.#index + ahead];
    if (letter === undefined && this.#fault !== undefined) throw new BodySyntaxError(`yaml: ${this.#fault}`);
    return letter ?? '';
  }

  /** @throws BodySyntaxError where letters up to so far ahead cannot be read */
  peekAll(ahead: number): void {
    for (let at = 0; at <= ahead; at++) this.peek(at);
  }

  /** Whether the text goes on so. */
  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#index);
  }

  /** Whether a line is here that separates documents. */
  isAtDocumentMark(): boolean {
    if (this.#column !== 0) return false;
    return (this.startsWith('---') || this.startsWith('...')) && endsWord(this.peek(3));
  }

  /** Steps over letters of a line. */
  skip(count = 1): void {
    this.#index += count;
    this.#column += count;
  }

  /** Takes letters of a line as long as they are wanted. */
  takeWhile(isWanted: (letter: string) => boolean): string {
    const from = this.#index;
    for (let letter = this.peek(); letter !== '' && isWanted(letter); letter = this.peek()) this.skip();
    return this.#text.slice(from, this.#index);
  }

  /** Takes the line break that is here; all but those of paragraphs read as one letter. */
  takeBreak(): string {
    const letter = this.peek();
    if (!isBreak(letter)) return '';
    this.#index += letter === '\r' && this.peek(1) === '\n' ? 2 : 1;
    this.#line++;
    this.#column = 0;
    return letter === '\u2028' || letter === '\u2029' ? letter : '\n';
  }

  skipComment(): void {
    if (this.peek() === '#') this.takeWhile((letter) => !isBreak(letter));
  }

  /** The end of a text counts as a line of its own. */
  finishLine(): void {
    if (this.#column === 0) return;
    this.#column = 0;
    this.#line++;
  }

  /** @throws BodySyntaxError always, with the line that is being read */
  fail(problem: string): never {
    throw yamlFault(problem, this.mark, this.#line + 1);
  }
}

/** An error at a place; nobody is told of the first line. */
export function yamlFault(problem: string, at: Mark, shownLine = at.line): BodySyntaxError {
  const head = at.line > 0 ? `line ${shownLine}: ` : '';
  return new BodySyntaxError(`yaml: ${head}${problem}`, { line: at.line + 1, column: at.column + 1 });
}
