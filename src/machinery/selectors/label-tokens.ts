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

/** Symbols first, longest first; then everything up to a symbol or white space. */
const pattern = /[ \t\r\n]+|(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+)/g;

/** Splits query text into tokens; the last one is always the end. A NUL ends the text, as in apimachinery. */
export function tokenizeLabelSelector(text: string): Token[] {
  const nul = text.indexOf('\0');
  const tokens: Token[] = [];
  for (const [, symbol, word] of (nul < 0 ? text : text.slice(0, nul)).matchAll(pattern)) {
    // The pattern's first group matches exactly the symbols of TokenKind.
    if (symbol !== undefined) tokens.push({ kind: symbol as TokenKind, text: symbol });
    else if (word !== undefined) tokens.push({ kind: wordKind(word), text: word });
  }
  tokens.push(end);
  return tokens;
}

const wordKind = (word: string): TokenKind => (word === 'in' || word === 'notin' ? word : 'identifier');
