/** Which of a container's streams bytes are of. */
export type OutputStream = 'stdout' | 'stderr';

const headerBytes = 8;
const streams: readonly (OutputStream | undefined)[] = ['stdout', 'stdout', 'stderr'];

/**
 * Demultiplexes the engine's output streams (Docker Engine API, "Stream format"): each frame has a header of 8 bytes,
 * the first for the stream and the last four for the length. Bytes are passed on as they arrive, without waiting for
 * the end of a frame.
 */
export class FrameReader {
  readonly #header = Buffer.alloc(headerBytes);
  #headerSize = 0;
  #remaining = 0;
  #stream: OutputStream = 'stdout';

  /** @throws RangeError for bytes that are no piece */
  read(chunk: Buffer, take: (stream: OutputStream, bytes: Buffer) => void): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#remaining > 0) {
        const bytes = chunk.subarray(at, at + this.#remaining);
        this.#remaining -= bytes.length;
        at += bytes.length;
        take(this.#stream, bytes);
        continue;
      }
      const copied = chunk.copy(this.#header, this.#headerSize, at, at + headerBytes - this.#headerSize);
      at += copied;
      this.#headerSize += copied;
      if (this.#headerSize === headerBytes) this.#begin();
    }
  }

  #begin(): void {
    const number = this.#header.readUInt8(0);
    const stream = streams[number];
    if (stream === undefined) throw new RangeError(`no stream has the number ${number}`);
    this.#stream = stream;
    this.#remaining = this.#header.readUInt32BE(4);
    this.#headerSize = 0;
  }
}
