import { alignments, DbusFormatError, type DbusValue, maxDepth, splitSignature } from './values.ts';

/** Reads the values of a signature from the bytes of a message. @throws DbusFormatError for bytes that are none */
export function readValues(
  signature: string,
  bytes: Buffer,
  { isLittleEndian }: { readonly isLittleEndian: boolean },
): DbusValue[] {
  const reader = new ValueReader(bytes, isLittleEndian);
  return splitSignature(signature).map((type) => reader.read(type, 0));
}

class ValueReader {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;
  #at = 0;

  constructor(bytes: Buffer, isLittleEndian: boolean) {
    this.#bytes = bytes;
    this.#isLittle = isLittleEndian;
  }

  read(type: string, depth: number): DbusValue {
    if (depth > maxDepth) throw new DbusFormatError('values nest too deep');
    const letter = type[0] ?? '';
    this.#align(alignments[letter] ?? 1);
    switch (letter) {
      case 'y':
        return this.#bytes.readUInt8(this.#take(1));
      case 'b':
        return this.#uint32() !== 0;
      case 'n':
      case 'q':
        return this.#short(letter);
      case 'i':
        return this.#uint32() | 0;
      case 'u':
      case 'h':
        return this.#uint32();
      case 'x':
      case 't':
      case 'd':
        return this.#long(letter);
      case 's':
      case 'o':
        return this.#text(this.#uint32());
      case 'g':
        return this.#text(this.#bytes.readUInt8(this.#take(1)));
      case 'v':
        return this.#variant(depth);
      case 'a':
        return this.#array(type.slice(1), depth);
      default:
        return splitSignature(type.slice(1, -1)).map((each) => this.read(each, depth + 1));
    }
  }

  #align(multiple: number): void {
    this.#at = Math.ceil(this.#at / multiple) * multiple;
  }

  #take(size: number): number {
    const at = this.#at;
    if (at + size > this.#bytes.length) throw new DbusFormatError('a message ends within a value');
    this.#at = at + size;
    return at;
  }

  #uint32(): number {
    const at = this.#take(4);
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  #short(letter: 'n' | 'q'): number {
    const at = this.#take(2);
    if (letter === 'q') return this.#isLittle ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
    return this.#isLittle ? this.#bytes.readInt16LE(at) : this.#bytes.readInt16BE(at);
  }

  #long(letter: 'x' | 't' | 'd'): bigint | number {
    const at = this.#take(8);
    const bytes = this.#bytes;
    if (letter === 'd') return this.#isLittle ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at);
    if (letter === 't') return this.#isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at);
    return this.#isLittle ? bytes.readBigInt64LE(at) : bytes.readBigInt64BE(at);
  }

  /** A zero byte follows. */
  #text(size: number): string {
    const at = this.#take(size + 1);
    return this.#bytes.toString('utf8', at, at + size);
  }

  #variant(depth: number): DbusValue {
    const signature = this.#text(this.#bytes.readUInt8(this.#take(1)));
    const [type, ...more] = splitSignature(signature);
    if (type === undefined || more.length > 0) throw new DbusFormatError('a variant holds one value');
    return { signature, value: this.read(type, depth + 1) };
  }

  #array(type: string, depth: number): DbusValue[] {
    const size = this.#uint32();
    this.#align(alignments[type[0] ?? ''] ?? 1);
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new DbusFormatError('a message ends within an array');
    const values: DbusValue[] = [];
    while (this.#at < end) values.push(this.read(type, depth + 1));
    return values;
  }
}
