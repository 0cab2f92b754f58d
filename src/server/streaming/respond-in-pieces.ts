import { setImmediate as afterOthers } from 'node:timers/promises';
import type { AnyResponse, Exchange } from '../request/exchange.ts';
import { respond, warningHeader } from '../request/respond.ts';

/** Bodies beyond this are sent while they are made; smaller ones whole, with their length. */
export const largeBodyBytes = 1024 * 1024;

/** How long making a body may keep other work waiting. */
const sliceMs = 8;

/** A body that is made piece by piece. */
export interface Body {
  /** Bytes of all pieces together, where that is known beforehand. */
  readonly totalBytes?: number;
  /** Pieces in order; an empty one is work without an outcome. */
  readonly pieces: Iterator<Buffer>;
}

/**
 * Answers 200 with a body that may be large: it is made and sent in pieces, at the pace of the client, with other work
 * in between, and no further once the client has left. What the first piece throws is thrown before anything is sent.
 */
export async function respondInPieces(exchange: Exchange, contentType: string, body: Body): Promise<void> {
  const turns = new Turns();
  const held: Buffer[] = [];
  let heldBytes = 0;
  const isLarge = () => heldBytes > largeBodyBytes || (body.totalBytes ?? 0) > largeBodyBytes;
  for (let next = body.pieces.next(); next.done !== true; next = body.pieces.next()) {
    held.push(next.value);
    heldBytes += next.value.length;
    if (isLarge()) return stream(exchange, contentType, { ...body, held, turns });
    if (turns.isOver) await turns.next();
  }
  const [first] = held;
  respond(exchange, {
    code: 200,
    contentType,
    body: held.length === 1 && first !== undefined ? first : Buffer.concat(held),
  });
}

async function stream(
  exchange: Exchange,
  contentType: string,
  { held, pieces, totalBytes, turns }: Body & { readonly held: readonly Buffer[]; readonly turns: Turns },
): Promise<void> {
  const { response } = exchange;
  if (response.headersSent) return;
  response.writeHead(200, {
    'audit-id': exchange.auditId,
    'cache-control': 'no-cache, private',
    'content-type': contentType,
    ...(totalBytes === undefined ? {} : { 'content-length': totalBytes }),
    ...warningHeader(exchange),
  });
  if (exchange.method === 'HEAD') return void response.end();
  const connection = followConnection(response);
  for (const piece of held) response.write(piece);
  for (let next = pieces.next(); next.done !== true && !connection.isClosed; next = pieces.next()) {
    if (next.value.length > 0 && !response.write(next.value)) await connection.drained();
    if (turns.isOver) await turns.next();
  }
  response.end();
}

interface ResponseConnection {
  readonly isClosed: boolean;
  /** Resolves when the client has read enough to be sent more, or has left. */
  drained(): Promise<void>;
}

function followConnection(response: AnyResponse): ResponseConnection {
  // HTTP/2 keeps this on the stream.
  const { stream } = response as unknown as { stream?: { destroyed: boolean } };
  let isClosed = stream?.destroyed ?? response.destroyed;
  let wake = (): void => {};
  response.on('drain', () => wake());
  response.on('close', () => {
    isClosed = true;
    wake();
  });
  return {
    get isClosed() {
      return isClosed;
    },
    drained: () =>
      isClosed
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve;
          }),
  };
}

/** Tells when it is time to let other work pass. */
class Turns {
  #startedAt = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#startedAt > sliceMs;
  }

  async next(): Promise<void> {
    await afterOthers();
    this.#startedAt = performance.now();
  }
}
