import {
  checkLabelKey,
  createLabelRequirement,
  type LabelOperator,
  type LabelRequirement,
} from './label-requirement.ts';
import { createLabelSelector, everything, type LabelSelector } from './label-selector.ts';
import { type Token, type TokenKind, tokenizeLabelSelector } from './label-tokens.ts';
import { SelectorError } from './selector-error.ts';

/**
 * Parses query syntax: `a=b,c!=d,e in (x,y),f notin (z),!g,h,i>1`. An empty text selects everything.
 *
 * @throws SelectorError with apimachinery's text.
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === '') return everything;
  const reader = new TokenReader(tokenizeLabelSelector(text));
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const { kind, text: found } = reader.peekValue();
    if (kind === 'end') break;
    if (!startsRequirement(kind)) {
      throw new SelectorError(`found '${found}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(reader));
    if (!continues(reader)) break;
  }
  return createLabelSelector(requirements);
}

const startsRequirement = (kind: TokenKind): boolean => kind === 'identifier' || kind === '!';

/** Reads what follows a requirement; false at the end. */
function continues(reader: TokenReader): boolean {
  const { kind, text } = reader.takeValue();
  if (kind === 'end') return false;
  if (kind !== ',') throw new SelectorError(`found '${text}', expected: ',' or 'end of string'`);
  const next = reader.peekValue();
  if (startsRequirement(next.kind)) return true;
  throw new SelectorError(`found '${next.text}', expected: identifier after ','`);
}

/** A cursor over tokens. `in` and `notin` are words like others where no operator can stand. */
class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peekValue(): Token {
    const token = this.#tokens[this.#position] ?? { kind: 'end', text: '' };
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  }

  takeValue(): Token {
    const token = this.peekValue();
    this.#position++;
    return token;
  }

  takeOperator(): Token {
    return this.#tokens[this.#position++] ?? { kind: 'end', text: '' };
  }
}

/** @throws SelectorError whose text says that it was a requirement. */
function parseRequirement(reader: TokenReader): LabelRequirement {
  try {
    return readRequirement(reader);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(`unable to parse requirement: ${error.message}`);
  }
}

function readRequirement(reader: TokenReader): LabelRequirement {
  let token = reader.takeValue();
  const isNegated = token.kind === '!';
  if (isNegated) token = reader.takeValue();
  if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
  const key = token.text;
  checkLabelKey(key);
  if (isNegated) return createLabelRequirement(key, '!', []);
  const next = reader.peekValue().kind;
  if (next === 'end' || next === ',') return createLabelRequirement(key, 'exists', []);
  const operator = readOperator(reader);
  const values = operator === 'in' || operator === 'notin' ? readValues(reader) : [readExactValue(reader)];
  // In a text each counts once; the lists of objects stay as they are.
  return createLabelRequirement(key, operator, [...new Set(values)]);
}

function readOperator(reader: TokenReader): LabelOperator {
  const { kind, text } = reader.takeOperator();
  switch (kind) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
    case '>':
    case '<':
      return kind;
    default:
      throw new SelectorError(`found '${text}', expected: '=', '!=', '==', 'in', notin'`);
  }
}

function readExactValue(reader: TokenReader): string {
  const { kind } = reader.peekValue();
  if (kind === 'end' || kind === ',') return '';
  const token = reader.takeValue();
  if (token.kind === 'identifier') return token.text;
  throw new SelectorError(`found '${token.text}', expected: identifier`);
}

/** Reads `(a,b)`. A missing item, also in `()`, is the empty value. */
function readValues(reader: TokenReader): string[] {
  const open = reader.takeValue();
  if (open.kind !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
  const first = reader.peekValue();
  if (first.kind === ')') {
    reader.takeValue();
    return [''];
  }
  if (first.kind !== 'identifier' && first.kind !== ',') {
    throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values = readValueList(reader);
  reader.takeValue();
  return values;
}

/** Reads items up to the closing parenthesis, which is left. */
function readValueList(reader: TokenReader): string[] {
  const values: string[] = [];
  for (;;) {
    const token = reader.takeValue();
    const next = reader.peekValue();
    if (token.kind === 'identifier') {
      values.push(token.text);
      if (next.kind === ')') return values;
      if (next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
    } else if (token.kind === ',') {
      if (values.length === 0 || next.kind === ')') values.push('');
      if (next.kind === ')') return values;
      if (next.kind === ',') {
        reader.takeValue();
        values.push('');
      }
    } else throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
  }
}
