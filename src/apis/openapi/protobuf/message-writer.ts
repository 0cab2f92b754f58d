const initialBytes = 64 * 1024;

/**
 * Writes Protobuf messages from start to end. Lengths of nested messages are put in afterwards: one byte is
 * kept for each, and the few messages that need more are moved.
 */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(initialBytes);
  #end = 0;

  /** A copy of what was written; the writer is empty afterwards. */
  take(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(0, this.#end));
    this.#end = 0;
    return bytes;
  }

  /** A field of varints: integers that are not negative, and booleans as 0 and 1. */
  integer(field: number, value: number): void {
    this.#varint(field * 8);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#varint(field * 8 + 1);
    this.#reserve(8);
    this.#buffer.writeDoubleLE(value, this.#end);
    this.#end += 8;
  }

  text(field: number, value: string): void {
    this.#varint(field * 8 + 2);
    // A character takes three bytes at most, as UTF-16 counts them.
    this.#reserve(value.length * 3 + 5);
    this.#nestedBody(() => {
      this.#end += this.#buffer.write(value, this.#end, 'utf8');
    });
  }

  /** A nested message; `write` writes its fields. */
  nested(field: number, write: () => void): void {
    this.#varint(field * 8 + 2);
    this.#nestedBody(write);
  }

  /** The start of a field of `byteCount` bytes, which somebody else writes. */
  header(field: number, byteCount: number): void {
    this.#varint(field * 8 + 2);
    this.#varint(byteCount);
  }

  #nestedBody(write: () => void): void {
    this.#reserve(1);
    const start = ++this.#end;
    write();
    const length = this.#end - start;
    const extra = varintSize(length) - 1;
    if (extra > 0) {
      this.#reserve(extra);
      this.#buffer.copyWithin(start + extra, start, this.#end);
    }
    this.#end = start - 1;
    this.#varint(length);
    this.#end += length;
  }

  #varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#buffer[this.#end++] = (rest % 0x80) | 0x80;
    this.#buffer[this.#end++] = rest;
  }

  #reserve(byteCount: number): void {
    if (this.#end + byteCount <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#end + byteCount));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
