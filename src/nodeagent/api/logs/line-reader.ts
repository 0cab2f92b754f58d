import type { FileHandle } from 'node:fs/promises';

const blockBytes = 64 * 1024;
/** A longer line is no line of a log. */
const maxLineBytes = 4 * 1024 * 1024;
const newline = 0x0a;

/** Receives lines with their ends; returns false to stop reading. */
export type TakeLines = (lines: readonly Buffer[]) => Promise<boolean>;

/** Cuts a file that grows into lines. The buffers are valid until the next call. */
export class LineReader {
  readonly #block = Buffer.alloc(blockBytes);
  #rest: Buffer = Buffer.alloc(0);

  /**
   * Passes on every complete line from a position to the end of the file; resolves with the position after the last
   * one.
   *
   * @throws Error for a line without end
   */
  async read(file: FileHandle, from: number, take: TakeLines): Promise<number> {
    for (let position = from; ; ) {
      const { bytesRead } = await file.read(this.#block, 0, blockBytes, position);
      if (bytesRead === 0) return position;
      position += bytesRead;
      const lines = this.#cut(this.#block.subarray(0, bytesRead));
      if (lines.length > 0 && !(await take(lines))) return position;
    }
  }

  /** Hands on a last line that has no end. */
  async finish(take: TakeLines): Promise<void> {
    if (this.#rest.length > 0) await take([this.#rest]);
    this.#rest = Buffer.alloc(0);
  }

  #cut(bytes: Buffer): Buffer[] {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = text.indexOf(newline); end >= 0; end = text.indexOf(newline, start)) {
      lines.push(text.subarray(start, end + 1));
      start = end + 1;
    }
    this.#rest = Buffer.from(text.subarray(start));
    if (this.#rest.length > maxLineBytes)
      throw new Error('failed to get parse function: unsupported log format: a line without end');
    return lines;
  }
}
