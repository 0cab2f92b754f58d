/** Kinds of token in a label selector's query text. */
export type TokenKind =
  | 'end'
  | 'identifier'
  | 'in'
  | 'notin'
  | '!'
  | '='
  | '=='
  | '!='
  | '>'
  | '<'
  | '('
  | ')'
  | ',';

/** One token; `text` is what error messages show (empty for the end). */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const end: Token = { kind: 'end', text: '' };

/**
 * Symbols first, longest first; then everything up to a symbol or white space. As in apimachinery, a NUL ends the token before
 * it, and the text where a token should begin.
 */
const pattern = /[ \t\r\n]+|(\0)|(==|!=|[=!(),<>])\0?|([^\0 \t\r\n=!(),<>]+)\0?/g;

/** Splits query text into tokens; the last one is always the end. */
export function tokenizeLabelSelector(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [, nul, symbol, word] of text.matchAll(pattern)) {
    if (nul !== undefined) break;
    // The pattern's second group matches exactly the symbols of TokenKind.
    if (symbol !== undefined) tokens.push({ kind: symbol as TokenKind, text: symbol });
    else if (word !== undefined) tokens.push({ kind: wordKind(word), text: word });
  }
  tokens.push(end);
  return tokens;
}

const wordKind = (word: string): TokenKind => (word === 'in' || word === 'notin' ? word : 'identifier');
