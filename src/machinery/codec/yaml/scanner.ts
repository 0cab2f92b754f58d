import { Cursor, endsWord, isBreak, type Mark, yamlFault } from './cursor.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanDirective, scanName, scanTag } from './scan-marks.ts';
import { scanPlain, scanQuoted } from './scan-scalars.ts';
import type { Sign, Token } from './token.ts';
import type { YamlText } from './yaml-text.ts';

/** What may turn out to be a key, when a colon comes. */
interface PossibleKey {
  isPossible: boolean;
  readonly isRequired: boolean;
  /** Tokens before it. */
  readonly number: number;
  readonly mark: Mark;
}

const maxDepth = 10_000;
const tooDeep = `exceeded max depth of ${maxDepth}`;
/** Letters of a key that nothing marks as one. */
const maxKeyLetters = 1024;
const noToken = 'found character that cannot start any token';
/** Letters that begin no plain text. */
const indicators = new Set('-?:,[]{}#&*!|>\'"%@`');

/** Cuts a text into tokens as YAML 1.1 does, one as soon as it is sure. @throws BodySyntaxError */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #queue: Token[] = [];
  #taken = 0;
  #isReady = false;
  #indent = -1;
  readonly #indents: number[] = [];
  /** One for each open bracket, and one outside. */
  readonly #keys: PossibleKey[] = [];
  /** Levels of keys by the number of their first token. */
  readonly #levels = new Map<number, number>();
  #mayStartKey = true;

  constructor(text: YamlText) {
    this.#cursor = new Cursor(text);
    this.#keys.push(this.#newKey(false));
  }

  peek(): Token {
    while (!this.#isReady && this.#needsMore()) this.#fetch();
    this.#isReady = true;
    const [first] = this.#queue;
    if (first === undefined) throw yamlFault('unknown problem parsing YAML content', this.#cursor.mark);
    return first;
  }

  take(): Token {
    const token = this.peek();
    this.#queue.shift();
    this.#taken++;
    this.#isReady = false;
    return token;
  }

  /** The first token is not sure while it may be a key. */
  #needsMore(): boolean {
    if (this.#queue.length === 0) return true;
    const level = this.#levels.get(this.#taken);
    const key = level === undefined ? undefined : this.#keys[level];
    return key !== undefined && this.#isStillKey(key);
  }

  get #isInFlow(): boolean {
    return this.#keys.length > 1;
  }

  get #lastKey(): PossibleKey {
    return this.#keys.at(-1) ?? this.#newKey(false);
  }

  #newKey(isPossible: boolean): PossibleKey {
    const isRequired = isPossible && !this.#isInFlow && this.#indent === this.#cursor.column;
    return { isPossible, isRequired, number: this.#taken + this.#queue.length, mark: this.#cursor.mark };
  }

  #isStillKey(key: PossibleKey): boolean {
    if (!key.isPossible) return false;
    const { line, index } = this.#cursor.mark;
    if (key.mark.line === line && key.mark.index + maxKeyLetters >= index) return true;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
    key.isPossible = false;
    return false;
  }

  #saveKey(): void {
    if (!this.#mayStartKey) return;
    const key = this.#newKey(true);
    this.#removeKey();
    this.#keys[this.#keys.length - 1] = key;
    this.#levels.set(key.number, this.#keys.length - 1);
  }

  #removeKey(): void {
    const key = this.#lastKey;
    if (!key.isPossible) return;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
    key.isPossible = false;
    this.#levels.delete(key.number);
  }

  /** Begins a collection where a line is indented more than what it is in. `number` are the tokens before it. */
  #indentTo(mark: Mark, type: 'block-list' | 'block-map', number?: number): void {
    if (this.#isInFlow || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    if (this.#indents.length > maxDepth) this.#cursor.fail(tooDeep);
    this.#insert({ type, start: mark }, number);
  }

  #unindentTo(column: number): void {
    if (this.#isInFlow) return;
    while (this.#indent > column) {
      this.#queue.push({ type: 'block-end', start: this.#cursor.mark });
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  /** Where the tokens before it are gone, a token comes last. */
  #insert(token: Token, number?: number): void {
    const at = number === undefined ? -1 : number - this.#taken;
    if (at < 0) this.#queue.push(token);
    else this.#queue.splice(at, 0, token);
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#unindentTo(cursor.column);
    const letter = cursor.peek();
    cursor.peekAll(letter === '' ? 0 : 3);
    if (letter === '') this.#fetchEnd();
    else if (cursor.column === 0 && letter === '%') this.#fetchDirective();
    else if (cursor.isAtDocumentMark()) this.#fetchDocumentMark();
    else this.#fetchPiece(letter, endsWord(cursor.peek(1)));
  }

  #fetchPiece(letter: string, isAlone: boolean): void {
    const isInFlow = this.#isInFlow;
    if (letter === '[' || letter === '{') this.#fetchOpening(letter);
    else if (letter === ']' || letter === '}') this.#fetchClosing(letter);
    else if (letter === ',') this.#fetchComma();
    else if (letter === '-' && isAlone) this.#fetchDash();
    else if (letter === '?' && (isInFlow || isAlone)) this.#fetchQuestion();
    else if (letter === ':' && (isInFlow || isAlone)) this.#fetchColon();
    else if (letter === '*' || letter === '&' || letter === '!') this.#fetchMark(letter);
    else if ((letter === '|' || letter === '>') && !isInFlow) this.#fetchBlockScalar();
    else if (letter === '"' || letter === "'" || this.#startsPlain(letter, isAlone))
      this.#fetchScalar(letter);
    else this.#cursor.fail(noToken);
  }

  #startsPlain(letter: string, isAlone: boolean): boolean {
    if (letter === '-') return !isAlone || isBreak(this.#cursor.peek(1));
    if ((letter === '?' || letter === ':') && !this.#isInFlow) return !isAlone;
    return letter !== '\t' && !indicators.has(letter);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.mark.index === 0 && cursor.peek() === '\ufeff') cursor.skip();
      const takesTabs = this.#isInFlow || !this.#mayStartKey;
      cursor.takeWhile((letter) => letter === ' ' || (takesTabs && letter === '\t'));
      cursor.skipComment();
      if (!isBreak(cursor.peek())) return;
      cursor.takeBreak();
      if (!this.#isInFlow) this.#mayStartKey = true;
    }
  }

  #fetchEnd(): void {
    this.#cursor.finishLine();
    this.#endBlocks();
    this.#queue.push({ type: 'stream-end', start: this.#cursor.mark });
  }

  #endBlocks(): void {
    this.#unindentTo(-1);
    this.#removeKey();
    this.#mayStartKey = false;
  }

  #fetchDirective(): void {
    this.#endBlocks();
    const start = this.#cursor.mark;
    this.#queue.push({ start, ...scanDirective(this.#cursor) });
  }

  #fetchDocumentMark(): void {
    this.#endBlocks();
    const start = this.#cursor.mark;
    const type = this.#cursor.peek() === '-' ? 'document-start' : 'document-end';
    this.#cursor.skip(3);
    this.#queue.push({ type, start });
  }

  #fetchSign(type: Sign): void {
    this.#queue.push({ type, start: this.#cursor.mark });
    this.#cursor.skip();
  }

  #fetchOpening(type: '[' | '{'): void {
    this.#saveKey();
    if (this.#keys.length > maxDepth) this.#cursor.fail(tooDeep);
    this.#keys.push(this.#newKey(false));
    this.#mayStartKey = true;
    this.#fetchSign(type);
  }

  #fetchClosing(type: ']' | '}'): void {
    this.#removeKey();
    if (this.#isInFlow) {
      this.#levels.delete(this.#lastKey.number);
      this.#keys.pop();
    }
    this.#mayStartKey = false;
    this.#fetchSign(type);
  }

  #fetchComma(): void {
    this.#removeKey();
    this.#mayStartKey = true;
    this.#fetchSign(',');
  }

  #fetchDash(): void {
    this.#beginBlock('block-list', 'block sequence entries are not allowed in this context');
    this.#removeKey();
    this.#mayStartKey = true;
    this.#fetchSign('-');
  }

  #fetchQuestion(): void {
    this.#beginBlock('block-map', 'mapping keys are not allowed in this context');
    this.#removeKey();
    this.#mayStartKey = !this.#isInFlow;
    this.#fetchSign('?');
  }

  #fetchColon(): void {
    const key = this.#lastKey;
    if (this.#isStillKey(key)) {
      this.#insert({ type: '?', start: key.mark }, key.number);
      this.#indentTo(key.mark, 'block-map', key.number);
      key.isPossible = false;
      this.#levels.delete(key.number);
      this.#mayStartKey = false;
    } else {
      this.#beginBlock('block-map', 'mapping values are not allowed in this context');
      this.#mayStartKey = !this.#isInFlow;
    }
    this.#fetchSign(':');
  }

  #beginBlock(type: 'block-list' | 'block-map', problem: string): void {
    if (this.#isInFlow) return;
    if (!this.#mayStartKey) this.#cursor.fail(problem);
    this.#indentTo(this.#cursor.mark, type);
  }

  #fetchMark(letter: '*' | '&' | '!'): void {
    this.#saveKey();
    this.#mayStartKey = false;
    const start = this.#cursor.mark;
    if (letter === '!') this.#queue.push({ type: 'tag', start, ...scanTag(this.#cursor) });
    else {
      const type = letter === '*' ? 'alias' : 'anchor';
      this.#queue.push({ type, start, name: scanName(this.#cursor) });
    }
  }

  #fetchBlockScalar(): void {
    this.#removeKey();
    this.#mayStartKey = true;
    const start = this.#cursor.mark;
    const text = scanBlockScalar(this.#cursor, this.#indent);
    this.#queue.push({ type: 'scalar', start, text, isPlain: false });
  }

  #fetchScalar(letter: string): void {
    this.#saveKey();
    this.#mayStartKey = false;
    const start = this.#cursor.mark;
    if (letter === '"' || letter === "'") {
      this.#queue.push({ type: 'scalar', start, text: scanQuoted(this.#cursor, letter), isPlain: false });
      return;
    }
    const { text, endsLine } = scanPlain(this.#cursor, this.#indent + 1, this.#isInFlow);
    if (endsLine) this.#mayStartKey = true;
    this.#queue.push({ type: 'scalar', start, text, isPlain: true });
  }
}
