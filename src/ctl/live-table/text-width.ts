import stringWidth from 'string-width';

const ascii = /^[\x20-\x7e]*$/;
/** What turns the direction of the text around it, or ends lines: it could show a row other than it is. */
const directing = /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns of a terminal that a text takes: two for each wide character, none for marks on others. */
export function textWidth(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text);
}

/** The text without what could change how its surroundings are shown; control characters must be gone already. */
export function tame(text: string): string {
  return ascii.test(text)
    ? text
    : text.replace(directing, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** As much of a text as fits into so many columns; where some is missing it ends with `…`. */
export function fitText(text: string, columns: number): string {
  if (columns <= 0) return '';
  // A character takes several code units at times, and no column now and then: a text far beyond is not measured.
  const head = text.slice(0, columns * 16);
  if (head.length === text.length && textWidth(head) <= columns) return text;
  if (ascii.test(head)) return `${head.slice(0, columns - 1)}…`;
  let fitted = '';
  let width = 0;
  for (const { segment } of segmenter.segment(head)) {
    width += textWidth(segment);
    if (width > columns - 1) break;
    fitted += segment;
  }
  return `${fitted}…`;
}
