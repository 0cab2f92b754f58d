import type { Readable } from 'node:stream';

/** The parts of a stream as bytes. It must have no encoding set, and not be in object mode. */
export const chunksOf = (stream: Readable): AsyncIterable<Buffer> => stream;
