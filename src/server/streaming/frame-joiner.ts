/** Bytes that several streams send alike: made for the first, reused while the next ones ask for the same frames. */
export class FrameJoiner {
  #frames: readonly Buffer[] = [];
  #joined: Buffer | undefined;
  #chunk: Buffer | undefined;

  /** The frames as one buffer. */
  join(frames: readonly Buffer[]): Buffer {
    const [first] = frames;
    if (first !== undefined && frames.length === 1) return first;
    this.#remember(frames);
    this.#joined ??= Buffer.concat(frames);
    return this.#joined;
  }

  /** The frames as one chunk of HTTP/1.1's chunked coding (RFC 7230, section 4.1). There must be some. */
  chunk(frames: readonly Buffer[]): Buffer {
    this.#remember(frames);
    if (this.#chunk === undefined) {
      const length = frames.reduce((sum, frame) => sum + frame.length, 0);
      this.#chunk = Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...frames, lineEnd]);
    }
    return this.#chunk;
  }

  #remember(frames: readonly Buffer[]): void {
    const known = this.#frames;
    if (known.length === frames.length && known.every((frame, index) => frame === frames[index])) return;
    this.#frames = frames;
    this.#joined = undefined;
    this.#chunk = undefined;
  }
}

const lineEnd = Buffer.from('\r\n');
