/** A line of a document: how far it is indented, and what follows. */
interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Where reading stands. */
interface Cursor {
  readonly lines: readonly Line[];
  at: number;
}

/** Thrown, and caught, for what is not plain. */
class NotPlainError extends Error {}

/** Printable ASCII in lines, without the sign that begins comments. */
const plainText = /^[\n\x20-\x22\x24-\x7e]*$/;
const entry = /^([A-Za-z][\w.-]{0,99}):(?: (\S.*))?$/;
/** A text that stands for itself: no number, and nothing that has a meaning in YAML. */
const plainScalar = /^[A-Za-z/](?:[\w./+=@,[\]-]|:(?=\S))*$/;
const quotedScalar = /^(?:"[^"\\]*"|'[^']*')$/;
const namedValue = /^(?:null|true|false)$/i;
const documentMarker = /^(?:---|\.\.\.)/m;

/**
 * The value of a YAML document that consists of nested mappings, lists and short texts, as programs write client configurations.
 * The library that reads all of YAML takes longer to load than some commands to run. Undefined for any other document,
 * wrong ones among them: those are for the library.
 */
export function readPlainYaml(text: string): unknown {
  if (!plainText.test(text) || documentMarker.test(text)) return undefined;
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ indent: line.search(/[^ ]|$/), text: line.trimStart() }));
  const cursor = { lines, at: 0 };
  try {
    const value = lines.length === 0 ? undefined : readBlock(cursor, 0);
    return cursor.at === lines.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotPlainError) return undefined;
    throw error;
  }
}

/** The mapping or list whose lines are indented so far. */
function readBlock(cursor: Cursor, indent: number): unknown {
  const line = cursor.lines[cursor.at];
  if (line?.indent !== indent) throw new NotPlainError();
  return line.text.startsWith('- ') ? readList(cursor, indent) : readMapping(cursor, indent);
}

function readList(cursor: Cursor, indent: number): unknown[] {
  const items: unknown[] = [];
  for (let line = cursor.lines[cursor.at]; isItem(line, indent); line = cursor.lines[cursor.at]) {
    const rest = line.text.slice(2);
    if (entry.test(rest)) items.push(readMapping(cursor, indent + 2, rest));
    else items.push(readScalar(cursor, indent, rest));
  }
  return items;
}

const isItem = (line: Line | undefined, indent: number): line is Line =>
  line?.indent === indent && line.text.startsWith('- ');

/** `first` is the first entry when it follows the dash of a list. */
function readMapping(cursor: Cursor, indent: number, first?: string): Record<string, unknown> {
  const mapping: Record<string, unknown> = {};
  let next = first ?? textAt(cursor, indent);
  while (next !== undefined) {
    const [, key = '', value] = entry.exec(next) ?? [];
    if (key === '' || namedValue.test(key) || Object.hasOwn(mapping, key)) throw new NotPlainError();
    mapping[key] = value === undefined ? readNested(cursor, indent) : readScalar(cursor, indent, value);
    next = textAt(cursor, indent);
  }
  return mapping;
}

/** The text of the next line when it goes on at the same depth; lists end a mapping there. */
function textAt({ lines, at }: Cursor, indent: number): string | undefined {
  const line = lines[at];
  return line?.indent === indent && !line.text.startsWith('- ') ? line.text : undefined;
}

/** What lies below a key. Lists need not be indented. */
function readNested(cursor: Cursor, indent: number): unknown {
  cursor.at++;
  const below = cursor.lines[cursor.at];
  if (below === undefined || below.indent < indent) return null;
  if (below.indent === indent) return isItem(below, indent) ? readList(cursor, indent) : null;
  return readBlock(cursor, below.indent);
}

function readScalar(cursor: Cursor, indent: number, text: string): unknown {
  cursor.at++;
  // A text goes on in lines that are indented further.
  if ((cursor.lines[cursor.at]?.indent ?? 0) > indent) throw new NotPlainError();
  if (text === '{}') return {};
  if (text === '[]') return [];
  if (quotedScalar.test(text)) return text.slice(1, -1);
  if (!plainScalar.test(text) || namedValue.test(text)) throw new NotPlainError();
  return text;
}
