import { TemplateError } from './nodes.ts';

/** What a piece of a template is. */
export type TokenType =
  | 'text'
  | 'left'
  | 'right'
  | 'space'
  | 'assign'
  | 'declare'
  | 'pipe'
  | 'string'
  | 'rawString'
  | 'char'
  | 'number'
  | 'bool'
  | 'identifier'
  | 'keyword'
  | 'dot'
  | 'nil'
  | 'field'
  | 'variable'
  | 'leftParen'
  | 'rightParen'
  | 'punctuation'
  | 'end';

/** One piece of a template: its text as it stands there, and where. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly at: number;
}

const keywords = new Set([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
]);
const spaces = ' \t\r\n';
const singles: ReadonlyMap<string, TokenType> = new Map([
  ['=', 'assign'],
  ['|', 'pipe'],
]);
const numberPattern =
  /[+-]?(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(\d[\d_]*)?(\.[\d_]*)?([eE][+-]?\d+)?)/y;

/** Cuts a template into pieces. Text beside `{{-` and `-}}` loses its white space. @throws TemplateError */
export function lex(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf('{{', at);
    const textEnd = open < 0 ? source.length : open;
    const trims = open >= 0 && source[open + 2] === '-' && isSpace(source[open + 3]);
    const raw = source.slice(at, textEnd);
    const text = trims ? raw.replace(/[ \t\r\n]+$/, '') : raw;
    if (text !== '') tokens.push({ type: 'text', text, at });
    if (open < 0) break;
    const inside = open + 2 + (trims ? 2 : 0);
    at = source.startsWith('/*', inside)
      ? skipComment(source, inside)
      : new ActionLexer(source, inside, tokens, open).run();
  }
  tokens.push({ type: 'end', text: '', at: source.length });
  return tokens;
}

function skipComment(source: string, start: number): number {
  const close = source.indexOf('*/', start + 2);
  if (close < 0) throw new TemplateError('unclosed comment', { source, at: start });
  const end = endOfAction(source, close + 2);
  if (end === undefined) {
    throw new TemplateError('comment ends before closing delimiter', { source, at: close });
  }
  return end;
}

/** Where the text after `}}` or ` -}}` begins; undefined when neither stands here. */
function endOfAction(source: string, at: number): number | undefined {
  if (source.startsWith('}}', at)) return at + 2;
  if (!isSpace(source[at]) || !source.startsWith('-}}', at + 1)) return undefined;
  let end = at + 4;
  while (isSpace(source[end])) end++;
  return end;
}

function isSpace(letter: string | undefined): boolean {
  return letter !== undefined && spaces.includes(letter);
}

function isWord(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
}

/** Cuts what stands between two delimiters. */
class ActionLexer {
  readonly #source: string;
  readonly #tokens: Token[];
  #at: number;
  #depth = 0;

  constructor(source: string, at: number, tokens: Token[], open: number) {
    this.#source = source;
    this.#at = at;
    this.#tokens = tokens;
    tokens.push({ type: 'left', text: '{{', at: open });
  }

  /** Returns where the text after the action begins. */
  run(): number {
    for (;;) {
      const end = endOfAction(this.#source, this.#at);
      if (end !== undefined) {
        if (this.#depth > 0) throw this.#error('unclosed left paren');
        this.#tokens.push({ type: 'right', text: '}}', at: this.#at });
        return end;
      }
      this.#next();
    }
  }

  #next(): void {
    const { type, length } = this.#scan();
    this.#tokens.push({ type, text: this.#source.slice(this.#at, this.#at + length), at: this.#at });
    this.#at += length;
  }

  /** What stands here, and how long it is. */
  #scan(): { readonly type: TokenType; readonly length: number } {
    const letter = this.#letterAt(this.#at);
    const next = this.#source[this.#at + 1];
    if (letter === '') throw this.#error('unclosed action');
    if (isSpace(letter)) return { type: 'space', length: this.#spaceLength() };
    const single = singles.get(letter);
    if (single !== undefined) return { type: single, length: 1 };
    switch (letter) {
      case ':':
        if (next !== '=') throw this.#error('expected :=');
        return { type: 'declare', length: 2 };
      case '"':
        return { type: 'string', length: this.#quotedLength(letter, 'unterminated quoted string') };
      case "'":
        return { type: 'char', length: this.#quotedLength(letter, 'unterminated character constant') };
      case '`':
        return { type: 'rawString', length: this.#rawLength() };
      case '(':
        this.#depth++;
        return { type: 'leftParen', length: 1 };
      case ')':
        if (--this.#depth < 0) throw this.#error('unexpected right paren');
        return { type: 'rightParen', length: 1 };
    }
    if (letter === '.' && next === undefined) throw this.#error('illegal number syntax: "."');
    if (/[0-9+-]/.test(letter) || (letter === '.' && /[0-9]/.test(next ?? ''))) {
      return { type: 'number', length: this.#numberLength() };
    }
    if (letter === '.' || letter === '$') return this.#scanName(letter);
    if (isWord(letter)) return this.#scanWord();
    if (/[\x21-\x7e]/.test(letter)) return { type: 'punctuation', length: 1 };
    throw this.#error(`unrecognized character in action: ${codePointText(letter)}`);
  }

  /** Space up to one that is part of ` -}}`. */
  #spaceLength(): number {
    let end = this.#at + 1;
    while (isSpace(this.#source[end]) && endOfAction(this.#source, end) === undefined) end++;
    return end - this.#at;
  }

  #quotedLength(quote: string, problem: string): number {
    for (let end = this.#at + 1; ; end++) {
      const letter = this.#source[end];
      if (letter === undefined || letter === '\n') throw this.#error(problem);
      if (letter === '\\' && this.#source[end + 1] !== '\n') end++;
      else if (letter === quote) return end + 1 - this.#at;
    }
  }

  #rawLength(): number {
    const close = this.#source.indexOf('`', this.#at + 1);
    if (close < 0) throw this.#error('unterminated raw quoted string');
    return close + 1 - this.#at;
  }

  #numberLength(): number {
    numberPattern.lastIndex = this.#at;
    const found = numberPattern.exec(this.#source)?.[0] ?? '';
    const after = this.#letterAt(this.#at + found.length);
    if (!/[0-9]/.test(found) || isWord(after)) {
      throw this.#error(`bad number syntax: ${JSON.stringify(found + after)}`);
    }
    return found.length;
  }

  /** `.`, `$`, `.field` or `$name`. */
  #scanName(lead: '.' | '$'): { type: TokenType; length: number } {
    const length = 1 + this.#wordLength(this.#at + 1);
    this.#checkTerminator(this.#at + length);
    if (length === 1 && lead === '.') return { type: 'dot', length };
    return { type: lead === '.' ? 'field' : 'variable', length };
  }

  #scanWord(): { type: TokenType; length: number } {
    const length = this.#wordLength(this.#at);
    this.#checkTerminator(this.#at + length);
    const word = this.#source.slice(this.#at, this.#at + length);
    if (word === 'nil') return { type: 'nil', length };
    if (word === 'true' || word === 'false') return { type: 'bool', length };
    return { type: keywords.has(word) ? 'keyword' : 'identifier', length };
  }

  #wordLength(start: number): number {
    let end = start;
    while (isWord(this.#letterAt(end))) end += this.#letterAt(end).length;
    return end - start;
  }

  #checkTerminator(at: number): void {
    const letter = this.#letterAt(at);
    if (letter === '' || isSpace(letter) || '.,|:)('.includes(letter) || this.#source.startsWith('}}', at))
      return;
    this.#at = at;
    throw this.#error(`bad character ${codePointText(letter)}`);
  }

  /** The character at an offset; nothing behind the end. */
  #letterAt(at: number): string {
    const code = this.#source.codePointAt(at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #error(text: string): TemplateError {
    return new TemplateError(text, { source: this.#source, at: this.#at });
  }
}

/** `U+0023 '#'`. */
function codePointText(letter: string): string {
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code} '${letter}'`;
}
