import { isJsonObject } from '../../base/index.ts';
import { CompactJsonError } from './compact-json.ts';

const [quote, comma, colon, braceOpen, braceClose, bracketOpen, bracketClose, backslash] = [
  0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d, 0x5c,
];
/** Lists in metadata whose entries have members in another order than that of their names. */
const recordLists: ReadonlySet<string> = new Set(['managedFields', 'ownerReferences']);

/**
 * The compact JSON of an object of the API with its members sorted by name, those of its metadata too, in another version that
 * differs in name only. Members behind the metadata are sorted already, as the canonical form has them. What lies deeper in other
 * members is passed on as it is.
 *
 * @throws CompactJsonError for bytes that are no such JSON.
 */
export function sortObject(bytes: Buffer, apiVersion: string): Buffer {
  // One character for each byte: cut and joined faster than bytes are, and in the order of the bytes.
  const sorted = new SortingReader(bytes.toString('latin1')).readObject(apiVersion);
  return Buffer.from(sorted, 'latin1');
}

/** A member of an object: its name, and its text with the name. */
interface Member {
  readonly name: string;
  readonly text: string;
}

/** Goes through the text of an object once. */
class SortingReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readObject(apiVersion: string): string {
    this.#expect(braceOpen);
    const members: Member[] = [];
    let hasMetadata = false;
    while (this.#code() !== braceClose) {
      const start = this.#at;
      const name = this.#readName();
      // From here on all is in order, to the end.
      if (hasMetadata && name > 'metadata') {
        members.push({ name, text: this.#text.slice(start, -1) });
        break;
      }
      const valueStart = this.#at;
      if (name === 'metadata') {
        hasMetadata = true;
        const head = this.#text.slice(start, valueStart);
        members.push({ name, text: head + this.#readMetadata() });
      } else {
        this.#skipValue();
        const text =
          name === 'apiVersion' ? `"apiVersion":${asLatin(apiVersion)}` : this.#text.slice(start, this.#at);
        members.push({ name, text });
      }
      this.#skipComma();
    }
    return joinSorted(members);
  }

  #readMetadata(): string {
    return this.#readMembers((name, start) => {
      if (!recordLists.has(name) || this.#code() !== bracketOpen) return this.#passOn(start);
      const head = this.#text.slice(start, this.#at);
      return head + this.#readRecords();
    });
  }

  #readRecords(): string {
    this.#expect(bracketOpen);
    const entries: string[] = [];
    while (this.#code() === braceOpen) {
      entries.push(this.#readMembers((_name, start) => this.#passOn(start)));
      this.#skipComma();
    }
    this.#expect(bracketClose);
    return `[${entries.join(',')}]`;
  }

  /** The object that begins here with its members sorted. `read` passes over a value, and gives the member's text. */
  #readMembers(read: (name: string, start: number) => string): string {
    this.#expect(braceOpen);
    const members: Member[] = [];
    while (this.#code() !== braceClose) {
      const start = this.#at;
      const name = this.#readName();
      members.push({ name, text: read(name, start) });
      this.#skipComma();
    }
    this.#at++;
    return joinSorted(members);
  }

  #passOn(start: number): string {
    this.#skipValue();
    return this.#text.slice(start, this.#at);
  }

  /** The name of the member that begins here, up to its value. */
  #readName(): string {
    const start = this.#at + 1;
    this.#skipString();
    const name = this.#text.slice(start, this.#at - 1);
    this.#expect(colon);
    return name.includes('\\') ? unescaped(name) : name;
  }

  #skipValue(): void {
    const first = this.#code();
    if (first === quote) this.#skipString();
    else if (first === braceOpen || first === bracketOpen) this.#skipNested();
    else this.#skipScalar();
  }

  #skipScalar(): void {
    const text = this.#text;
    const start = this.#at;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === comma || code === braceClose || code === bracketClose) break;
    }
    if (this.#at === start) throw new CompactJsonError();
  }

  #skipNested(): void {
    const text = this.#text;
    let depth = 0;
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) at = endOfString(text, at) - 1;
      else if (code === braceOpen || code === bracketOpen) depth++;
      else if ((code === braceClose || code === bracketClose) && --depth === 0) {
        this.#at = at + 1;
        return;
      }
    }
    throw new CompactJsonError();
  }

  #skipString(): void {
    if (this.#code() !== quote) throw new CompactJsonError();
    this.#at = endOfString(this.#text, this.#at);
  }

  #skipComma(): void {
    if (this.#code() === comma) this.#at++;
  }

  #expect(code: number): void {
    if (this.#code() !== code) throw new CompactJsonError();
    this.#at++;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }
}

/** Behind the string whose opening quote is at `from`. @throws CompactJsonError */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  // An even number of backslashes stand for themselves.
  while (end > 0 && text.charCodeAt(end - 1) === backslash && !isEven(countBackslashes(text, end)))
    end = text.indexOf('"', end + 1);
  if (end < 0) throw new CompactJsonError();
  return end + 1;
}

function countBackslashes(text: string, before: number): number {
  let at = before;
  while (text.charCodeAt(at - 1) === backslash) at--;
  return before - at;
}

const isEven = (count: number): boolean => count % 2 === 0;

function joinSorted(members: Member[]): string {
  members.sort((a, b) => (a.name < b.name ? -1 : 1));
  let text = '{';
  for (const member of members) text += text === '{' ? member.text : `,${member.text}`;
  return `${text}}`;
}

/** JSON of a text, one character for each byte. */
const asLatin = (text: string): string => Buffer.from(JSON.stringify(text)).toString('latin1');

/** A name without its escapes, one character for each byte. */
function unescaped(name: string): string {
  const text: unknown = JSON.parse(`"${Buffer.from(name, 'latin1').toString()}"`);
  return Buffer.from(String(text)).toString('latin1');
}

/** The same for an object that is no JSON yet: a new one, which shares what lies deeper. */
export function sortMembers<T extends object>(object: T): T {
  return mapSorted(object, (name, value) => {
    if (name !== 'metadata' || !isJsonObject(value)) return value;
    return mapSorted(value, (field, part) =>
      recordLists.has(field) && Array.isArray(part)
        ? part.map((entry) => (isJsonObject(entry) ? mapSorted(entry, (_, member) => member) : entry))
        : part,
    );
  });
}

function mapSorted<T extends object>(object: T, map: (name: string, value: unknown) => unknown): T {
  const names = Object.keys(object).sort();
  const sorted = Object.fromEntries(names.map((name) => [name, map(name, Reflect.get(object, name))]));
  // The same members, in another order.
  return sorted as T;
}
