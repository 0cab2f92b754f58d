const lineWidth = 80;
/** Lines that begin a list are not joined to the one before. */
const listItem = /^\d+\.|^[*-]\s/;

/** The text behind some blanks. */
export const indent = (text: string, width: number): string => ' '.repeat(width) + text;

/** The words of a text in lines of 80 columns, blanks before them included. Empty lines and code are kept. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let words: string[] = [];
  let length = 0;
  const flush = () => {
    if (words.length > 0) lines.push(words.join(' '));
    words = [];
    length = 0;
  };
  for (const source of text.split('\n')) {
    const isCode = source.startsWith('    ');
    const isBlank = source.trim() === '';
    if (isCode || (isBlank && lines.length > 0)) {
      flush();
      lines.push(isCode ? source : '');
      continue;
    }
    if (words.at(-1)?.endsWith(':') || isBlank || listItem.test(source.trim())) flush();
    for (const word of source.split(/\s+/).filter((part) => part !== '')) {
      if (words.length > 0 && length + 1 + word.length > lineWidth - width) flush();
      length += word.length + (words.length > 0 ? 1 : 0);
      words.push(word);
    }
  }
  flush();
  return lines.map((line) => indent(line, width));
}
