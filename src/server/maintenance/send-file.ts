import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Exchange } from '../request/exchange.ts';

/** A client that takes nothing for so long is given up. */
const stallTimeoutMs = 60_000;

/** Answers with the bytes of a file, whose length is told first. Rejects when they could not all be sent. */
export async function sendFile(exchange: Exchange, path: string, contentType: string): Promise<void> {
  const { response, auditId, signal } = exchange;
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  response.writeHead(200, {
    'audit-id': auditId,
    'cache-control': 'no-store',
    'content-type': contentType,
    'content-length': size,
  });
  response.setTimeout(stallTimeoutMs, () => response.destroy());
  try {
    // Not past what was announced, and the file is closed in one place.
    const bytes = file.createReadStream({
      autoClose: false,
      highWaterMark: 256 * 1024,
      end: Math.max(0, size - 1),
    });
    await pipeline(bytes, response, { signal });
  } finally {
    response.setTimeout(0);
  }
}
