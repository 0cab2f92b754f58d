import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { errorCode } from '../../base/index.ts';

/** @throws Error for a body of more than `maxBytes`, which is not read to its end. */
export function readAnswer(body: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) body.destroy(tooLong(maxBytes));
      else chunks.push(chunk);
    });
    body.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length)),
    );
    body.on('error', reject);
  });
}

/** What was compressed. @throws Error for what is not, or is more than `maxBytes`. */
export async function unpack(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes);
    throw new Error('gzip: invalid header');
  }
}

const tooLong = (maxBytes: number): Error =>
  new Error(`http: response body too large: more than ${maxBytes} bytes`);
