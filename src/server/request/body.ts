import { badRequest, requestEntityTooLarge } from '../../machinery/errors/index.ts';
import type { AnyRequest, Exchange } from './exchange.ts';

/** Largest body that is taken, as the reference has it. */
export const maxBodyBytes = 3 * 1024 * 1024;

/**
 * Reads a request's body whole.
 *
 * @throws StatusError 413 above the limit, 400 when the client stops in the middle.
 */
export function readBody({ request, audit }: Pick<Exchange, 'request' | 'audit'>): Promise<Buffer> {
  const reading = readAll(request);
  if (audit === undefined) return reading;
  return reading.then((body) => {
    audit.noteRequestBody(body);
    return body;
  });
}

function readAll(request: AnyRequest): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBodyBytes) {
    request.resume();
    return Promise.reject(tooLarge());
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) {
        chunks.length = 0;
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on('error', () => reject(badRequest('the request body could not be read to its end')));
    request.on('aborted', () => reject(badRequest('the request body could not be read to its end')));
  });
}

const tooLarge = () => requestEntityTooLarge(`Request entity too large: limit is ${maxBodyBytes}`);
