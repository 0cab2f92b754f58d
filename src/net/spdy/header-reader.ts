import { constants, createInflate, type Inflate } from 'node:zlib';
import words from './dictionary.json' with { type: 'json' };
import { limits } from './limits.ts';

/** Reads the compressed headers of one connection's frames, in their order. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({
    dictionary: dictionary(),
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  #chunks: Buffer[] = [];
  #size = 0;

  constructor() {
    this.#inflate.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size > limits.maxHeaderBytes) this.#inflate.destroy(new RangeError('too many headers'));
      else this.#chunks.push(chunk);
    });
    this.#inflate.on('error', () => {}); // told to whoever waits for the write
  }

  /** Names are lower-case. @throws Error for what is no compressed headers */
  async read(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
    await new Promise<void>((resolve, reject) => {
      this.#inflate.once('error', reject);
      this.#inflate.write(bytes, (error) => {
        this.#inflate.off('error', reject);
        if (error) reject(error);
        else resolve();
      });
    });
    const text = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    return parseHeaders(text);
  }

  close(): void {
    this.#inflate.destroy();
  }
}

function parseHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const take = (): string => {
    const end = at + 4 + bytes.readUInt32BE(at);
    const text = bytes.toString('latin1', at + 4, end);
    if (end > bytes.length) throw new RangeError('headers that end in the middle');
    at = end;
    return text;
  };
  for (let count = bytes.readUInt32BE(0); count > 0; count--) headers.set(take().toLowerCase(), take());
  return headers;
}

/** Words that both sides of the header compression know: each led by its length, then others in a row. */
function dictionary(): Buffer {
  const led = words.words.flatMap((word) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(word.length);
    return [length, Buffer.from(word, 'latin1')];
  });
  return Buffer.concat([...led, Buffer.from(words.tail, 'latin1')]);
}
