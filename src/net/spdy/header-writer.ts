/**
 * Head of the compressed data of a connection: deflate with 32 KiB, and the number of the dictionary that the protocol
 * names (draft 3, section 2.6.10.1). Stored blocks refer to nothing in it.
 */
const compressionHead = Buffer.from('78bbe3c6a7c2', 'hex');
/** An empty stored block: with it a reader hands over what came before. */
const flush = Buffer.from('000000ffff', 'hex');
/** Longest stored block (RFC 1951, section 3.2.4). */
const maxStoredBytes = 0xffff;

/** Writes the headers of streams. All blocks of a connection are one compressed stream, so that the first has its head. */
export class HeaderWriter {
  #isFirst = true;

  /** @throws RangeError for more than 64 KiB of headers */
  write(headers: Readonly<Record<string, string>> = {}): Buffer {
    const content = encodeHeaders(headers);
    if (content.length > maxStoredBytes) throw new RangeError('too many headers');
    const stored = Buffer.alloc(5); // a stored block that is not the last one: its length, and that inverted
    stored.writeUInt16LE(content.length, 1);
    stored.writeUInt16LE(content.length ^ 0xffff, 3);
    const head = this.#isFirst ? compressionHead : Buffer.alloc(0);
    this.#isFirst = false;
    return Buffer.concat([head, stored, content, flush]);
  }
}

/** Number of headers, then names in lower case and values, each with its length in front. */
function encodeHeaders(headers: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(headers);
  const texts = entries.flatMap(([name, value]) => [name.toLowerCase(), value]);
  return Buffer.concat([
    uint32(entries.length),
    ...texts.flatMap((text) => [uint32(Buffer.byteLength(text)), Buffer.from(text, 'utf8')]),
  ]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
