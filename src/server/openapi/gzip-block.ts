import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { Steps } from '../../base/index.ts';

const compress = promisify(deflateRaw);

/** Compressed bytes that others can be put in front of and behind: whole blocks of RFC 1951, none of them the last. */
export interface GzipBlock {
  readonly deflated: Buffer;
  /** CRC-32 of the bytes as they were. */
  readonly crc: number;
  /** How many they were. */
  readonly byteCount: number;
  /** What moves the CRC of bytes in front of them: x to the power of their bits. Known once, since blocks are joined often. */
  readonly shift: number;
}

/** How much work compression is worth: bytes that are made once, or a few of thousands that come and go. */
export type Compression = 'best' | 'quick';
/** Levels of zlib: half of the time for a quarter more bytes. */
const levels: Readonly<Record<Compression, number>> = { best: 6, quick: 3 };

/** Compresses bytes by themselves, on a thread of the pool. */
export async function makeGzipBlock(bytes: Buffer, compression: Compression = 'best'): Promise<GzipBlock> {
  const level = levels[compression];
  const deflated = await compress(bytes, { finishFlush: constants.Z_SYNC_FLUSH, level });
  // Copied, since what is kept would keep the compressor's whole buffer with it.
  return {
    deflated: Buffer.from(deflated),
    crc: crc32(bytes),
    byteCount: bytes.length,
    shift: shiftBy(bytes.length),
  };
}

/** RFC 1952, section 2.3: magic, method deflate, no flags, no time, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty block that is the last. */
const lastBlock = Buffer.from([3, 0]);
/** CRC-32 and length. */
const trailerBytes = 8;

/** One gzip member that holds the bytes of all blocks in order. Joining costs a copy, and no compression: a step for each block. */
export function* joinGzip(blocks: readonly GzipBlock[]): Steps<Buffer> {
  const sizeBytes = blocks.reduce((sum, { deflated }) => sum + deflated.length, 0);
  const joined = Buffer.allocUnsafe(header.length + sizeBytes + lastBlock.length + trailerBytes);
  let end = header.copy(joined);
  let crc = 0;
  let byteCount = 0;
  for (const block of blocks) {
    end += block.deflated.copy(joined, end);
    // Of two texts one behind the other: the first is moved by the bits of the second.
    crc = (multiply(block.shift, crc) ^ block.crc) >>> 0;
    byteCount += block.byteCount;
    yield;
  }
  end += lastBlock.copy(joined, end);
  end = joined.writeUInt32LE(crc, end);
  joined.writeUInt32LE(byteCount % 2 ** 32, end);
  return joined;
}

/** The reflected polynomial of CRC-32. */
const polynomial = 0xedb88320;

/** Product of two polynomials over GF(2), modulo that of CRC-32; the highest bit is the coefficient of x^0. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return product >>> 0;
}

/** x^(2^n) for each n. */
const powers = [2 ** 30];
for (let n = 1; n < 53; n++) powers.push(multiply(powers[n - 1] ?? 0, powers[n - 1] ?? 0));

/** x^(8 * byteCount). */
function shiftBy(byteCount: number): number {
  let shift = 2 ** 31;
  for (let n = 3, rest = byteCount; rest > 0; n++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = multiply(powers[n] ?? 0, shift);
  }
  return shift;
}
