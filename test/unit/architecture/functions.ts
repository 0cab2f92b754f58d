/** A function of a source file. */
export interface FoundFunction {
  /** First line, counted from 1, comments above left out. */
  readonly line: number;
  readonly lineCount: number;
  /** The comment right above it, or on the first line of its body, says why it is as long as it is: `Long: ...`. */
  readonly hasReason: boolean;
}

/** Where a body opens whose header stands on the same line: `name(...): T {`, `(...) => {`. */
const oneLineHeader =
  /(?:=> \{|^\s*(?:(?:export|async|static|get|set|override|function\*?|\*) ?)*(?:#?\w+|\[[\w.]+\])(?:<.*>)?\(.*\)(?:: .+)? \{)$/;
/** Where a body opens whose header began lines before: `): T {`, `}: Options): T {`, `}) => {`. */
const endOfHeader = /^\s*(?:\)|\}\)|\}: .+\)|\]\))(?:: .+)?(?: =>)? \{$/;
const statement = /^\s*(?:\} )?(?:if|else|for|while|switch|catch|do|try|return new|with)\b/;

/**
 * The functions of a text that is formatted as this project's is: a body ends on the first line that is indented as its
 * header and begins with a brace. Functions within others count by themselves and as part of these.
 */
export function findFunctions(text: string): FoundFunction[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const isEnd = endOfHeader.test(line);
    if (!isEnd && (!oneLineHeader.test(line) || (statement.test(line) && !line.endsWith('=> {')))) return [];
    const indent = indentOf(line);
    const start = isEnd ? headerStart(lines, index, indent) : index;
    if (start === undefined) return [];
    const end = lines.findIndex((each, at) => at > index && indentOf(each) === indent && /^\s*\}/.test(each));
    if (end < 0) return [];
    const around = `${commentAbove(lines, start)}\n${lines[index + 1] ?? ''}`;
    return [{ line: start + 1, lineCount: end - start + 1, hasReason: /\bLong: \S/.test(around) }];
  });
}

const indentOf = (line: string): number => (line.trim() === '' ? -1 : line.search(/\S/));

/** The line on which a header of several lines began. Undefined for an ordinary statement, such as `if (`. */
function headerStart(lines: readonly string[], end: number, indent: number): number | undefined {
  for (let at = end - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (indentOf(line) > indent || indentOf(line) < 0) continue;
    return indentOf(line) === indent && !statement.test(line) ? at : undefined;
  }
  return undefined;
}

function commentAbove(lines: readonly string[], start: number): string {
  let first = start;
  while (first > 0 && /^\s*(?:\/\*|\*|\/\/)/.test(lines[first - 1] ?? '')) first -= 1;
  return lines.slice(first, start).join('\n');
}
