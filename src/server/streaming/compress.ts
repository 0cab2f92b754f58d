import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { AnyRequest, AnyResponse } from '../../net/http/index.ts';

/** Answers beyond this are compressed for clients that take that, as release 1.20 has it. */
export const compressedFromBytes = 128 * 1024;

/** The fastest level: the next ones take twice the time for a tenth of the bytes. */
const level = 1;

/** Headers of a compressed answer. */
export const compressedHeaders = { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } as const;

/** Whether a client takes compressed answers; as release 1.20 reads it, without qualities. */
export function acceptsGzip({ headers }: AnyRequest): boolean {
  const header = headers['accept-encoding'];
  if (header === undefined) return false;
  return String(header)
    .split(',')
    .some((coding) => coding.trim() === 'gzip');
}

/**
 * Sends pieces compressed, at the pace of the client, and ends the answer. The work is done on other threads. A client
 * that leaves ends it without an error.
 */
export async function sendCompressed(response: AnyResponse, pieces: AsyncIterable<Buffer>): Promise<void> {
  try {
    await pipeline(pieces, createGzip({ level }), response);
  } catch (error) {
    if (!isPrematureEnd(error)) throw error;
  }
}

const isPrematureEnd = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
