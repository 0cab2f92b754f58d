import { type FilterOperator, JsonPathError, type Operand, type Step, type TemplateNode } from './syntax.ts';

/** A template nests ranges no deeper than this. */
const maxDepth = 64;

/**
 * Parses a template: text with paths in braces (`{.metadata.name}`), quoted text (`{"\n"}`) and
 * `{range PATH}...{end}`.
 *
 * @throws JsonPathError
 */
export function parseTemplate(template: string): readonly TemplateNode[] {
  const parser = new TemplateParser(template);
  const nodes = parser.readNodes(0);
  return nodes;
}

/** Parses a bare path (`.metadata.name`, `{.metadata.name}`, `metadata.name`), as columns and sort keys allow it. */
export function parseRelaxedPath(text: string): readonly TemplateNode[] {
  const match = /^\{?\.?([^{}]*)\}?$/.exec(text.trim());
  const isBalanced = text.trim().startsWith('{') === text.trim().endsWith('}');
  if (match === null || !isBalanced) {
    throw new JsonPathError(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    );
  }
  return parseTemplate(`{.${match[1] ?? ''}}`);
}

/** Reads a template from left to right. */
class TemplateParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readNodes(depth: number): TemplateNode[] {
    if (depth > maxDepth) throw new JsonPathError('ranges are nested too deep');
    const nodes: TemplateNode[] = [];
    while (this.#at < this.#text.length) {
      const open = this.#text.indexOf('{', this.#at);
      const text = this.#text.slice(this.#at, open < 0 ? undefined : open);
      if (text !== '') nodes.push({ kind: 'text', text });
      this.#at = open < 0 ? this.#text.length : open + 1;
      if (open < 0) break;
      const action = this.#readAction();
      if (action === 'end') {
        if (depth === 0) throw new JsonPathError('not in range, nothing to end');
        return nodes;
      }
      const range = /^range\s+/.exec(action);
      if (range !== null) {
        const steps = parseSteps(action.slice(range[0].length));
        nodes.push({ kind: 'range', steps, body: this.readNodes(depth + 1) });
      } else nodes.push(...parseAction(action));
    }
    if (depth > 0) throw new JsonPathError('unclosed range');
    return nodes;
  }

  /** The text up to the closing brace; braces in quotes do not count. */
  #readAction(): string {
    const start = this.#at;
    let quote = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? '';
      if (quote !== '') {
        if (character === '\\') this.#at++;
        else if (character === quote) quote = '';
      } else if (character === '"' || character === "'") quote = character;
      else if (character === '}') return this.#text.slice(start, this.#at++).trim();
    }
    throw new JsonPathError(
      quote === '' ? unclosedPart(this.#text.slice(start)) : 'unterminated quoted string',
    );
  }
}

/** What an action that does not end leaves open. */
function unclosedPart(action: string): string {
  const bracket = action.lastIndexOf('[');
  if (bracket <= action.lastIndexOf(']')) return 'unclosed action';
  return action.startsWith('[?(', bracket) ? 'unterminated filter' : 'unterminated array';
}

/** One action may hold several paths and texts side by side: `{.a "\t" .b}`. */
function parseAction(action: string): TemplateNode[] {
  const nodes: TemplateNode[] = [];
  let rest = action;
  while (rest !== '') {
    if (rest.startsWith('"') || rest.startsWith("'")) {
      const end = endOfQuote(rest);
      nodes.push({ kind: 'text', text: unquote(rest.slice(0, end)) });
      rest = rest.slice(end).trimStart();
      continue;
    }
    const end = endOfPath(rest);
    nodes.push({ kind: 'path', steps: parseSteps(rest.slice(0, end)) });
    rest = rest.slice(end).trimStart();
  }
  return nodes;
}

function endOfPath(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (depth > 0 && (character === '"' || character === "'")) index += endOfQuote(text.slice(index)) - 1;
    else if (character === '\\') index++;
    else if (character === '[' || character === '(') depth++;
    else if (character === ']' || character === ')') depth--;
    else if (depth === 0 && /\s/.test(character)) return index;
  }
  return text.length;
}

const identifierEnd = /[\s.,[\]$@{}]/;

/** Parses a path: `.a.b`, `['a']`, `[0]`, `[*]`, `[1:3]`, `[?(@.a=="b")]`, `..a`, `$`, `@`. @throws JsonPathError */
function parseSteps(path: string): readonly Step[] {
  const steps: Step[] = [];
  let rest = path.trim();
  while (rest !== '') {
    if (rest.startsWith('..')) {
      steps.push({ kind: 'recursive' });
      rest = rest.slice(2);
      if (rest !== '' && !/^[.[$@]/.test(rest)) rest = `.${rest}`;
    } else if (rest.startsWith('.')) {
      const { name, length } = readIdentifier(rest.slice(1));
      if (name !== '') steps.push(name === '*' ? { kind: 'wildcard' } : { kind: 'field', name });
      rest = rest.slice(1 + length);
    } else if (rest.startsWith('[')) {
      const end = endOfBracket(rest);
      steps.push(parseBracket(rest.slice(1, end)));
      rest = rest.slice(end + 1);
    } else if (rest.startsWith('$') || rest.startsWith('@')) {
      steps.push({ kind: rest.startsWith('$') ? 'root' : 'current' });
      rest = rest.slice(1);
    } else {
      throw new JsonPathError(`unrecognized identifier ${rest.split(identifierEnd)[0] ?? rest}`);
    }
  }
  return steps;
}

function readIdentifier(text: string): { name: string; length: number } {
  let name = '';
  let index = 0;
  for (; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '\\') name += text[++index] ?? '';
    else if (identifierEnd.test(character)) break;
    else name += character;
  }
  return { name, length: index };
}

function endOfBracket(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '"' || character === "'") index += endOfQuote(text.slice(index)) - 1;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) return index;
  }
  throw new JsonPathError('unterminated array');
}

function parseBracket(inner: string): Step {
  const text = inner.trim();
  if (text === '*') return { kind: 'slice' };
  const filter = /^\?\((.*)\)$/s.exec(text);
  if (filter !== null) return parseFilter(filter[1] ?? '');
  const members = splitOutsideQuotes(text, ',');
  if (members.length > 1) return { kind: 'union', members: members.map((member) => [parseBracket(member)]) };
  if (text.startsWith("'") || text.startsWith('"')) return { kind: 'field', name: unquote(text) };
  const slice = /^(-?\d*)(?:(:)(-?\d*))?(?:(:)(-?\d*))?$/.exec(text);
  if (slice === null || text === '') throw new JsonPathError(`invalid array index ${text}`);
  const [, first = '', colon, second = '', , third = ''] = slice;
  if (colon === undefined) {
    const index = Number(first);
    // -1 has no end to name, and 0 would be before it.
    return { kind: 'slice', start: index, ...(index === -1 ? {} : { end: index + 1 }), step: 0 };
  }
  return {
    kind: 'slice',
    ...(first === '' ? {} : { start: Number(first) }),
    ...(second === '' ? {} : { end: Number(second) }),
    ...(third === '' ? {} : { step: Number(third) }),
  };
}

function parseFilter(text: string): Step {
  const operators = ['==', '!=', '<=', '>=', '<', '>'] as const satisfies readonly FilterOperator[];
  for (const operator of operators) {
    const [left, right, extra] = splitOutsideQuotes(text, operator);
    if (left === undefined || right === undefined || extra !== undefined) continue;
    return { kind: 'filter', operator, left: parseOperand(left), right: parseOperand(right) };
  }
  return { kind: 'filter', operator: 'exists', left: parseOperand(text) };
}

function parseOperand(raw: string): Operand {
  const text = raw.trim();
  if (text.startsWith("'") || text.startsWith('"')) return { kind: 'constant', value: unquote(text) };
  if (text === 'true' || text === 'false') return { kind: 'constant', value: text === 'true' };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { kind: 'constant', value: Number(text) };
  return { kind: 'path', steps: parseSteps(text) };
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '"' || character === "'") index += endOfQuote(text.slice(index)) - 1;
    else if (character === '[' || character === '(') depth++;
    else if (character === ']' || character === ')') depth--;
    else if (depth === 0 && text.startsWith(separator, index)) {
      parts.push(text.slice(start, index));
      start = index + separator.length;
      index = start - 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Position after the quote that ends the text's first one. */
function endOfQuote(text: string): number {
  const quote = text[0];
  for (let index = 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === quote) return index + 1;
  }
  throw new JsonPathError('unterminated quoted string');
}

function unquote(text: string): string {
  if (text.length < 2 || endOfQuote(text) !== text.length)
    throw new JsonPathError(`invalid quoted text ${text}`);
  const named: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    r: '\r',
    f: '\f',
    v: '\v',
    b: '\b',
    a: '\u0007',
  };
  return text.slice(1, -1).replace(/\\(u[\da-fA-F]{4}|x[\da-fA-F]{2}|.)/gs, (_, escaped: string) => {
    if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return named[escaped] ?? escaped;
  });
}
