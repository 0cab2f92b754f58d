/** Follows a body in HTTP/1.1's chunked coding (RFC 7230, section 4.1) without keeping it. */
export class ChunkCounter {
  /** Bytes of the body so far, without the coding. */
  bodyBytes = 0;
  isComplete = false;
  /** Bytes of the present chunk that are still to come, its line end included. */
  #left = 0;
  #line = '';

  take(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, bytes.length - at);
        this.#left -= step;
        at += step;
        continue;
      }
      const end = bytes.indexOf('\n', at);
      this.#line += bytes.toString('latin1', at, end < 0 ? undefined : end + 1);
      at = end < 0 ? bytes.length : end + 1;
      if (end >= 0) this.#endLine();
    }
  }

  /** A line is a chunk's length. After the length 0 the line that ends the body is empty. */
  #endLine(): void {
    const line = this.#line.trim();
    this.#line = '';
    if (line === '') {
      this.isComplete = true;
      return;
    }
    const length = Number.parseInt(line, 16);
    this.bodyBytes += length;
    this.#left = length === 0 ? 0 : length + 2;
  }
}
