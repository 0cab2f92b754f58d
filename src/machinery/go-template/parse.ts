import { unquote } from '../go-values/index.ts';
import { readNumber } from './constants.ts';
import { lex, type Token, type TokenType } from './lex.ts';
import {
  type Branch,
  type Command,
  type Operand,
  type Pipe,
  showOperand,
  TemplateError,
  type TemplateNode,
} from './nodes.ts';

/** A template and those that it defines, by name. */
export interface ParsedTemplate {
  readonly source: string;
  readonly root: readonly TemplateNode[];
  readonly definitions: ReadonlyMap<string, readonly TemplateNode[]>;
}

/**
 * Reads a template of Go's `text/template`.
 *
 * @throws TemplateError in the words of that package
 */
export function parseTemplate(source: string, functions: ReadonlySet<string>): ParsedTemplate {
  return new Parser(source, functions).parse();
}

/** What ended a list of nodes. */
type ListEnd = 'end' | 'else' | 'eof';

const operandStarts: ReadonlySet<TokenType> = new Set<TokenType>([
  'bool',
  'char',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

class Parser {
  readonly #source: string;
  readonly #functions: ReadonlySet<string>;
  readonly #tokens: readonly Token[];
  readonly #definitions = new Map<string, readonly TemplateNode[]>();
  #at = 0;
  #variables = ['$'];
  #rangeDepth = 0;

  constructor(source: string, functions: ReadonlySet<string>) {
    this.#source = source;
    this.#functions = functions;
    this.#tokens = lex(source);
  }

  parse(): ParsedTemplate {
    const { list, end } = this.#list(true);
    if (end !== 'eof') throw this.#error(`unexpected {{${end}}}`);
    return { source: this.#source, root: list, definitions: this.#definitions };
  }

  #list(isTop: boolean): { list: TemplateNode[]; end: ListEnd } {
    const list: TemplateNode[] = [];
    for (;;) {
      const token = this.#next();
      if (token.type === 'end') {
        if (!isTop) throw this.#error('unexpected EOF');
        return { list, end: 'eof' };
      }
      if (token.type === 'text') {
        list.push({ type: 'text', text: token.text });
        continue;
      }
      const node = this.#action(isTop);
      if (node === 'end' || node === 'else') return { list, end: node };
      if (node !== undefined) list.push(node);
    }
  }

  /** What follows `{{`. Definitions give no node. */
  #action(isTop: boolean): TemplateNode | 'end' | 'else' | undefined {
    const token = this.#nextNonSpace();
    if (token.type !== 'keyword') {
      this.#at--;
      return { type: 'action', pipe: this.#pipe('command', 'right'), at: token.at };
    }
    switch (token.text) {
      case 'if':
      case 'with':
      case 'range':
        return this.#branch(token.text, token.at);
      case 'template':
        return this.#template();
      case 'block':
        return this.#block();
      case 'define':
        if (!isTop) throw this.#unexpected(token, 'command');
        return this.#define();
      case 'break':
      case 'continue':
        if (this.#rangeDepth === 0) throw this.#error(`{{${token.text}}} outside {{range}}`);
        this.#expect('right', `{{${token.text}}}`);
        return { type: token.text, at: token.at };
      case 'end':
        this.#expect('right', 'end');
        return 'end';
      default:
        return this.#else();
    }
  }

  /** After `else`: an `if` stays for the branch to see. */
  #else(): 'else' {
    const peeked = this.#peekNonSpace();
    if (peeked.type === 'keyword' && peeked.text === 'if') return 'else';
    this.#expect('right', 'else');
    return 'else';
  }

  #branch(type: Branch['type'], at: number): Branch {
    const scope = this.#variables.length;
    const pipe = this.#pipe(type, 'right');
    if (type === 'range') this.#rangeDepth++;
    const { list, end } = this.#list(false);
    if (type === 'range') this.#rangeDepth--;
    let otherwise: readonly TemplateNode[] | undefined;
    if (end === 'else') {
      const peeked = this.#peekNonSpace();
      if (type === 'if' && peeked.type === 'keyword' && peeked.text === 'if') {
        this.#nextNonSpace();
        otherwise = [this.#branch('if', peeked.at)];
      } else {
        const rest = this.#list(false);
        if (rest.end !== 'end') throw this.#error('expected end; found {{else}}');
        otherwise = rest.list;
      }
    }
    this.#variables.length = scope;
    return { type, pipe, list, otherwise, at };
  }

  #template(): TemplateNode {
    const { name, at } = this.#templateName('template clause');
    const isBare = this.#peekNonSpace().type === 'right';
    const pipe = isBare ? undefined : this.#pipe('template clause', 'right');
    if (isBare) this.#nextNonSpace();
    return { type: 'template', name, pipe, at };
  }

  #block(): TemplateNode {
    const { name, at } = this.#templateName('block clause');
    const pipe = this.#pipe('block clause', 'right');
    this.#defineList(name);
    return { type: 'template', name, pipe, at };
  }

  #define(): undefined {
    const { name } = this.#templateName('define clause');
    this.#expect('right', 'define clause');
    this.#defineList(name);
  }

  #defineList(name: string): void {
    const outer = this.#variables;
    this.#variables = ['$'];
    const { list, end } = this.#list(false);
    if (end !== 'end') throw this.#error(`unexpected {{${end}}} in define clause`);
    this.#variables = outer;
    this.#definitions.set(name, list);
  }

  #templateName(context: string): { name: string; at: number } {
    const token = this.#nextNonSpace();
    if (token.type !== 'string' && token.type !== 'rawString') throw this.#unexpected(token, context);
    return { name: this.#unquote(token), at: token.at };
  }

  #pipe(context: string, end: TokenType): Pipe {
    const at = this.#peekNonSpace().at;
    const { variables, isAssignment } = this.#declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#nextNonSpace();
      if (token.type === end) {
        this.#checkStages(commands, context);
        return { variables, isAssignment, commands, at };
      }
      if (!operandStarts.has(token.type)) throw this.#unexpected(token, context);
      this.#at--;
      commands.push(this.#command());
    }
  }

  #checkStages(commands: readonly Command[], context: string): void {
    if (commands.length === 0) throw this.#error(`missing value for ${context}`);
    for (const [index, { args }] of commands.entries()) {
      const [first] = args;
      if (
        index > 0 &&
        first !== undefined &&
        ['bool', 'dot', 'nil', 'number', 'string'].includes(first.type)
      ) {
        throw this.#error(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  /** `$x :=`, `$x =`, and for ranges `$i, $x :=`. */
  #declarations(context: string): { variables: string[]; isAssignment: boolean } {
    const variables: string[] = [];
    for (;;) {
      const start = this.#at;
      const variable = this.#nextNonSpace();
      const next = variable.type === 'variable' ? this.#nextNonSpace() : undefined;
      if (next?.type === 'declare' || next?.type === 'assign') {
        variables.push(variable.text);
        if (next.type === 'declare') this.#variables.push(...variables);
        else for (const name of variables) this.#checkVariable(name);
        return { variables, isAssignment: next.type === 'assign' };
      }
      if (next?.type === 'punctuation' && next.text === ',') {
        variables.push(variable.text);
        const { type } = this.#peekNonSpace();
        if (context === 'range' && variables.length < 2) {
          if (type === 'variable' || type === 'right' || type === 'rightParen') continue;
          throw this.#error('range can only initialize variables');
        }
        throw this.#error(`too many declarations in ${context}`);
      }
      this.#at = start;
      return { variables: [], isAssignment: false };
    }
  }

  #command(): Command {
    const args: Operand[] = [];
    const at = this.#peekNonSpace().at;
    for (;;) {
      this.#skipSpace();
      const operand = this.#operand();
      if (operand !== undefined) args.push(operand);
      const token = this.#next();
      if (token.type === 'space') continue;
      if (token.type === 'right' || token.type === 'rightParen') this.#at--;
      else if (token.type !== 'pipe') throw this.#unexpected(token, 'operand');
      break;
    }
    if (args.length === 0) throw this.#error('empty command');
    return { args, at };
  }

  #operand(): Operand | undefined {
    const term = this.#term();
    if (term === undefined || this.#peek().type !== 'field') return term;
    const { at } = this.#peek();
    const names: string[] = [];
    while (this.#peek().type === 'field') names.push(this.#next().text.slice(1));
    if (term.type === 'field' || term.type === 'variable') {
      return { type: term.type, names: [...term.names, ...names], at };
    }
    if (['bool', 'string', 'number', 'nil', 'dot'].includes(term.type)) {
      throw this.#error(`unexpected . after term ${JSON.stringify(showOperand(term))}`);
    }
    return { type: 'chain', of: term, names, at };
  }

  #term(): Operand | undefined {
    const token = this.#nextNonSpace();
    const { at, text, type } = token;
    switch (type) {
      case 'identifier':
        if (!this.#functions.has(text)) throw this.#error(`function ${JSON.stringify(text)} not defined`);
        return { type, name: text, at };
      case 'dot':
      case 'nil':
        return { type, at };
      case 'variable':
        this.#checkVariable(text);
        return { type, names: [text], at };
      case 'field':
        return { type, names: [text.slice(1)], at };
      case 'bool':
        return { type, value: text === 'true', at };
      case 'number':
      case 'char': {
        const value = readNumber(text);
        if (value === undefined) throw this.#error(`illegal number syntax: ${JSON.stringify(text)}`);
        return { type: 'number', value, text, at };
      }
      case 'string':
      case 'rawString':
        return { type: 'string', value: this.#unquote(token), quoted: text, at };
      case 'leftParen':
        return { type: 'pipe', pipe: this.#pipe('parenthesized pipeline', 'rightParen'), at };
      default:
        this.#at--;
        return undefined;
    }
  }

  #checkVariable(name: string): void {
    if (!this.#variables.includes(name)) throw this.#error(`undefined variable ${JSON.stringify(name)}`);
  }

  #unquote(token: Token): string {
    const value = unquote(token.text);
    if (value === undefined) throw this.#error('invalid syntax');
    return value;
  }

  #peek(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (token === undefined) throw new RangeError('a template has no end');
    return token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #skipSpace(): void {
    while (this.#peek().type === 'space') this.#at++;
  }

  #peekNonSpace(): Token {
    this.#skipSpace();
    return this.#peek();
  }

  #nextNonSpace(): Token {
    this.#skipSpace();
    return this.#next();
  }

  #expect(type: TokenType, context: string): void {
    const token = this.#nextNonSpace();
    if (token.type !== type) throw this.#unexpected(token, context);
  }

  #unexpected({ type, text }: Token, context: string): TemplateError {
    const shown =
      type === 'end'
        ? 'EOF'
        : type === 'keyword'
          ? `<${text}>`
          : text.length > 10
            ? `${JSON.stringify(text.slice(0, 10))}...`
            : JSON.stringify(text);
    return this.#error(`unexpected ${shown} in ${context}`);
  }

  #error(text: string): TemplateError {
    const { at } = this.#tokens[Math.max(0, this.#at - 1)] ?? { at: 0 };
    return new TemplateError(text, { source: this.#source, at });
  }
}
