/**
 * Buffers for the pieces of large bodies, which are used again once their piece is sent: new ones of this size come from
 * the system, which takes longer to hand them out than it takes to fill them.
 */
export interface PiecePool {
  /** Bytes of a piece. */
  readonly pieceBytes: number;
  /** A buffer of that size, with anything in it. */
  take(): Buffer;
  /** Gives back a buffer of `take`, or a part of it, that nobody reads any more. Others are left alone. */
  giveBack(piece: Buffer): void;
}

/** Size of a buffer in bytes, and how many unused ones keep their memory. */
export interface PiecePoolOptions {
  readonly pieceBytes: number;
  /** Buffers that are kept for the next bodies. */
  readonly maxKept: number;
}

/** A pool that is empty at first. */
export function createPiecePool({ pieceBytes, maxKept }: PiecePoolOptions): PiecePool {
  const own = new WeakMap<ArrayBufferLike, Buffer>();
  const free: Buffer[] = [];
  return {
    pieceBytes,
    take() {
      const kept = free.pop();
      if (kept !== undefined) return kept;
      const made = Buffer.allocUnsafeSlow(pieceBytes);
      own.set(made.buffer, made);
      return made;
    },
    giveBack({ buffer }) {
      const piece = own.get(buffer);
      if (piece !== undefined && free.length < maxKept && !free.includes(piece)) free.push(piece);
    },
  };
}

/** Puts parts of a body one after another into pieces of a pool. */
export class PiecePacker {
  readonly #pool: PiecePool;
  #piece: Buffer;
  #end = 0;

  constructor(pool: PiecePool) {
    this.#pool = pool;
    this.#piece = pool.take();
  }

  /** Takes a part. Gives the piece before it, to be sent now, when the part has no room in that. */
  add(part: Buffer): Buffer | undefined {
    if (this.#end + part.length <= this.#piece.length) {
      this.#end += part.copy(this.#piece, this.#end);
      return undefined;
    }
    const full = this.end();
    if (part.length > this.#pool.pieceBytes) {
      // Sent as it is. Nobody writes into it, as it is full.
      this.#piece = part;
      this.#end = part.length;
    } else {
      this.#piece = this.#pool.take();
      this.#end = part.copy(this.#piece);
    }
    return full;
  }

  /** The last piece. */
  end(): Buffer {
    return this.#piece.subarray(0, this.#end);
  }
}
