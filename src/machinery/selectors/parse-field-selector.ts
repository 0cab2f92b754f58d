import { createFieldSelector, everyField, type FieldSelector, type FieldTerm } from './field-selector.ts';
import { SelectorError } from './selector-error.ts';

/**
 * Parses query syntax: `a=b,c!=d,e==f`; `\,`, `\=` and `\\` in values stand for the second character. An empty text
 * selects everything; terms are sorted.
 *
 * @throws SelectorError with apimachinery's text.
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return everyField;
  const parts = splitTerms(text).filter((part) => part !== '');
  return createFieldSelector(parts.sort().map((part) => parseTerm(part, text)));
}

/** Splits at commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(part: string, whole: string): FieldTerm {
  const operator = /!=|==|=/.exec(part);
  if (operator === null) {
    throw new SelectorError(`invalid selector: '${whole}'; can't understand '${part}'`);
  }
  return {
    field: part.slice(0, operator.index),
    isNegated: operator[0] === '!=',
    value: unescapeFieldValue(part.slice(operator.index + operator[0].length)),
  };
}

/** The inverse of `escapeFieldValue`. @throws SelectorError for a bare `,` or `=` and unknown escapes. */
export function unescapeFieldValue(text: string): string {
  return text.replace(/\\([\s\S]?)|[,=]/gu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      // apimachinery shows the character's number.
      const code = found.codePointAt(0);
      throw new SelectorError(`invalid field selector: unescaped character in value: ${code}`);
    }
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
      throw new SelectorError(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
}
