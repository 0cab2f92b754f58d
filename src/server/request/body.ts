import { badRequest, requestEntityTooLarge } from '../../machinery/errors/index.ts';
import type { AnyRequest } from '../../net/http/index.ts';
import type { Exchange } from './exchange.ts';

/** Largest body that is taken, as release 1.20 has it. */
export const maxBodyBytes = 3 * 1024 * 1024;

/**
 * Reads a request's body whole, and waits for the request's turn: most of the work begins with the body.
 *
 * @throws StatusError 413 above the limit, 400 when the client stops in the middle.
 */
export async function readBody({ request, turns }: Pick<Exchange, 'request' | 'turns'>): Promise<Buffer> {
  const body = await readAll(request);
  const turn = turns?.take();
  if (turn !== undefined) await turn;
  return body;
}

function readAll(request: AnyRequest): Promise<Buffer> {
  if (request.destroyed) return Promise.reject(brokenOff());
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
    request.on('error', () => reject(brokenOff()));
    request.on('aborted', () => reject(brokenOff()));
  });
}

const brokenOff = () => badRequest('the request body could not be read to its end');
const tooLarge = () => requestEntityTooLarge(`Request entity too large: limit is ${maxBodyBytes}`);
