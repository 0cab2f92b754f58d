import { emitScalar, keyColumns } from './yaml-scalar.ts';

/**
 * A JSON value as a YAML document laid out as the reference client does it (go-yaml 2): sorted keys, lists not
 * indented below their key, plain text wherever YAML allows it, long lines folded at 80 columns.
 */
export function formatYaml(value: unknown): string {
  const lines = new YamlWriter();
  lines.writeNode(value, 0, true);
  return lines.text();
}

/** Collects the document. */
class YamlWriter {
  #text = '';

  text(): string {
    return this.#text.endsWith('\n') ? this.#text : `${this.#text}\n`;
  }

  /**
   * Writes a value at the place reached. `indent` is the column of a block's lines; `isInline`: a block may start
   * on the current line (after `- ` and at the start of the document).
   */
  writeNode(value: unknown, indent: number, isInline: boolean): void {
    if (Array.isArray(value) && value.length > 0) this.#writeList(value, indent, isInline);
    else if (isMap(value) && Object.keys(value).length > 0) this.#writeMap(value, indent, isInline);
    else this.#put(this.#scalar(value, indent));
  }

  #writeList(items: readonly unknown[], indent: number, isInline: boolean): void {
    items.forEach((item, index) => {
      if (index > 0 || !isInline) this.#startLine(indent);
      this.#put('- ');
      this.writeNode(item, indent + 2, true);
    });
  }

  #writeMap(map: Readonly<Record<string, unknown>>, indent: number, isInline: boolean): void {
    Object.keys(map)
      .sort(compareNaturally)
      .forEach((key, index) => {
        if (index > 0 || !isInline) this.#startLine(indent);
        this.#writeEntry(key, map[key], indent);
      });
  }

  #writeEntry(key: string, value: unknown, indent: number): void {
    const keyText = emitScalar(key, { column: 0, indent: indent + 2, isKey: true });
    const isLong = keyColumns(key) > 128;
    if (isLong) {
      this.#put(`? ${keyText}`);
      this.#startLine(indent);
    }
    this.#put(isLong ? ':' : `${keyText}:`);
    if (isFilled(value)) {
      // Lists stand at the column of their key, maps two further in.
      this.writeNode(value, Array.isArray(value) ? indent : indent + 2, false);
      return;
    }
    this.#put(' ');
    this.#put(this.#scalar(value, indent));
  }

  #scalar(value: unknown, indent: number): string {
    if (Array.isArray(value)) return '[]';
    if (isMap(value)) return '{}';
    const column = this.#text.length - (this.#text.lastIndexOf('\n') + 1);
    // Text after `- ` belongs to a block two columns further left than its own indent.
    return emitScalar(value, {
      column,
      indent: this.#isAfterDash(indent) ? indent : indent + 2,
      isKey: false,
    });
  }

  #isAfterDash(indent: number): boolean {
    const line = this.#text.slice(this.#text.lastIndexOf('\n') + 1);
    return line.length === indent && line.endsWith('- ');
  }

  #startLine(indent: number): void {
    if (!this.#text.endsWith('\n')) this.#text += '\n';
    this.#text += ' '.repeat(indent);
  }

  #put(text: string): void {
    this.#text += text;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isMap(value) && Object.keys(value).length > 0;
}

const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** Order of keys: other characters before letters, numbers by their value (`a2` before `a10`). */
export function compareNaturally(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const [x, y] = [a[at], b[at]];
  if (x === undefined || y === undefined) return a.length - b.length;
  const [isLetterX, isLetterY] = [letter.test(x), letter.test(y)];
  if (isLetterX && isLetterY) return x < y ? -1 : 1;
  if (isLetterX || isLetterY) return isLetterY ? -1 : 1;
  const [m, n] = [readNumber(a, at), readNumber(b, at)];
  if (m.value !== n.value && !sharesLeadingDigits(a, b, at)) return m.value < n.value ? -1 : 1;
  if (m.length !== n.length) return m.length - n.length;
  return x < y ? -1 : 1;
}

function readNumber(characters: readonly string[], start: number): { value: number; length: number } {
  let end = start;
  while (end < characters.length && digit.test(characters[end] ?? '')) end++;
  return { value: end === start ? 0 : Number(characters.slice(start, end).join('')), length: end - start };
}

/** `a10` and `a1`: the common digits before the difference are part of both numbers. */
function sharesLeadingDigits(a: readonly string[], b: readonly string[], at: number): boolean {
  if (a[at] !== '0' && b[at] !== '0') return false;
  for (let index = at - 1; index >= 0 && digit.test(a[index] ?? ''); index--) {
    if (a[index] !== '0') return readNumber(a, at).length !== readNumber(b, at).length;
  }
  return false;
}
