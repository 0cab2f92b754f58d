import { alignments, DbusFormatError, type DbusValue, splitSignature } from './values.ts';

/** Bytes of values in the little-endian form, as they stand at the beginning of a body. @throws DbusFormatError */
export function writeValues(signature: string, values: readonly DbusValue[]): Buffer {
  const writer = new ValueWriter();
  for (const [index, type] of splitSignature(signature).entries()) {
    const value = values[index];
    if (value === undefined) throw new DbusFormatError(`a value of type ${type} is missing`);
    writer.write(type, value);
  }
  return writer.bytes();
}

class ValueWriter {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  write(type: string, value: DbusValue): void {
    const letter = type[0] ?? '';
    this.#align(alignments[letter] ?? 1);
    if (letter === 'y') this.#add(Buffer.of(Number(value)));
    else if ('bu'.includes(letter)) this.#uint32(Number(value));
    else if (letter === 'i') this.#uint32(Number(value) >>> 0);
    else if (letter === 't')
      this.#uint64(BigInt(value as bigint)); // the type says what the value is, here and below
    else if ('so'.includes(letter)) this.#text(String(value));
    else if (letter === 'g') this.#add(Buffer.of(String(value).length), Buffer.from(`${value}\0`));
    else if (letter === 'v') this.#variant(value);
    else if (letter === 'a') this.#array(type.slice(1), value as readonly DbusValue[]);
    else if ('({'.includes(letter)) this.#members(type.slice(1, -1), value as readonly DbusValue[]);
    else throw new DbusFormatError(`values of type ${type} are not written`);
  }

  #text(text: string): void {
    this.#uint32(Buffer.byteLength(text));
    this.#add(Buffer.from(`${text}\0`));
  }

  #align(multiple: number): void {
    const missing = (multiple - (this.#size % multiple)) % multiple;
    if (missing > 0) this.#add(Buffer.alloc(missing));
  }

  #add(...chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.#size += chunk.length;
    this.#chunks.push(...chunks);
  }

  #uint32(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.#add(bytes);
  }

  #uint64(value: bigint): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    this.#add(bytes);
  }

  #variant(value: DbusValue): void {
    if (typeof value !== 'object' || !('signature' in value)) throw new DbusFormatError('no variant');
    this.write('g', value.signature);
    this.write(value.signature, value.value);
  }

  #array(type: string, values: readonly DbusValue[]): void {
    const length = Buffer.alloc(4);
    this.#add(length);
    this.#align(alignments[type[0] ?? ''] ?? 1);
    const begin = this.#size;
    for (const value of values) this.write(type, value);
    length.writeUInt32LE(this.#size - begin);
  }

  #members(signature: string, values: readonly DbusValue[]): void {
    for (const [index, type] of splitSignature(signature).entries()) {
      const value = values[index];
      if (value === undefined) throw new DbusFormatError(`a value of type ${type} is missing`);
      this.write(type, value);
    }
  }
}
