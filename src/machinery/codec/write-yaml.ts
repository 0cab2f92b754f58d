import { isJsonObject } from '../../base/index.ts';
import { compareNaturally } from './natural-order.ts';
import { emitScalar, isSimpleKey } from './yaml-scalar.ts';

/**
 * A JSON value as a YAML document laid out as go-yaml 2 does it: keys in natural order, lists not
 * indented below their key, plain text wherever YAML allows it, long lines folded at 80 columns. As in JSON,
 * `undefined` properties are left out. It takes time in proportion to the document.
 */
export function writeYaml(value: unknown): string {
  const writer = new YamlWriter();
  writer.writeDocument(value);
  return writer.text();
}

/** Collects the document. */
class YamlWriter {
  /** Only ever appended to: looking into it would copy all of it each time. */
  #text = '';
  #endsLine = false;

  text(): string {
    return this.#text;
  }

  writeDocument(value: unknown): void {
    if (isFilled(value)) this.#writeBlock(value, 0, true);
    else this.#put(emitLeaf(value, 0, 2));
    if (!this.#endsLine) this.#put('\n');
  }

  /**
   * Writes a list or map that is not empty. `indent` is the column of its lines; `isInline`: its first line is the
   * current one (after `- ` and at the start of the document).
   */
  #writeBlock(value: Block, indent: number, isInline: boolean): void {
    if (isList(value)) this.#writeList(value, indent, isInline);
    else this.#writeMap(value, indent, isInline);
  }

  #writeList(items: readonly unknown[], indent: number, isInline: boolean): void {
    items.forEach((item, index) => {
      if (index > 0 || !isInline) this.#startLine(indent);
      this.#put('- ');
      const column = indent + 2;
      if (isFilled(item)) this.#writeBlock(item, column, true);
      else this.#put(emitLeaf(item, column, column));
    });
  }

  #writeMap(map: Readonly<Record<string, unknown>>, indent: number, isInline: boolean): void {
    presentKeys(map)
      .sort(compareNaturally)
      .forEach((key, index) => {
        if (index > 0 || !isInline) this.#startLine(indent);
        this.#writeEntry(key, map[key], indent);
      });
  }

  #writeEntry(key: string, value: unknown, indent: number): void {
    if (!isSimpleKey(key)) {
      this.#writeExplicitEntry(key, value, indent);
      return;
    }
    const inner = indent + 2;
    const head = emitScalar(key, { column: 0, indent: inner, isKey: true });
    this.#put(`${head}:`);
    // Lists stand at the column of their key, maps two further in.
    if (isFilled(value)) this.#writeBlock(value, isList(value) ? indent : inner, false);
    else this.#put(` ${emitLeaf(value, inner + head.length, inner)}`);
  }

  /** A line for the key, and one on which its value begins, whatever it is. */
  #writeExplicitEntry(key: string, value: unknown, indent: number): void {
    const inner = indent + 2;
    this.#put(`? ${emitScalar(key, { column: inner, indent: inner, isKey: false })}`);
    this.#startLine(indent);
    this.#put(': ');
    if (isFilled(value)) this.#writeBlock(value, inner, true);
    else this.#put(emitLeaf(value, inner, inner));
  }

  #startLine(indent: number): void {
    this.#put((this.#endsLine ? '' : '\n') + ' '.repeat(indent));
  }

  #put(text: string): void {
    this.#text += text;
    this.#endsLine = /[\n\u2028\u2029]$/.test(text);
  }
}

type Block = readonly unknown[] | Readonly<Record<string, unknown>>;

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isFilled(value: unknown): value is Block {
  return isList(value) ? value.length > 0 : isJsonObject(value) && presentKeys(value).length > 0;
}

function presentKeys(map: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(map).filter((key) => map[key] !== undefined);
}

/** What has nothing in it: a scalar that starts at `column`, or an empty list or map. */
function emitLeaf(value: unknown, column: number, indent: number): string {
  if (isList(value)) return '[]';
  return isJsonObject(value) ? '{}' : emitScalar(value, { column, indent, isKey: false });
}
