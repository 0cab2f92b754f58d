import type { Slice } from '../../base/index.ts';
import type { AnyResponse } from '../../net/http/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { mayAnswer, respond, warningHeader } from '../request/respond.ts';
import { acceptsGzip, compressedFromBytes, compressedHeaders, sendCompressed } from './compress.ts';
import type { PiecePool } from './piece-pool.ts';

/** Bodies beyond this are sent while they are made; smaller ones whole, with their length. */
export const largeBodyBytes = 1024 * 1024;

/** A body that is made piece by piece. */
export interface Body {
  /** Bytes of all pieces together, where that is known beforehand. */
  readonly totalBytes?: number;
  /** Pieces in order; an empty one only gives other requests a turn. */
  readonly pieces: Iterator<Buffer>;
  /**
   * Called with pieces that were sent, which nothing reads any more, though not with every one. A body with this is sent
   * while it is made, however small it is.
   */
  readonly recycle?: ((piece: Buffer) => void) | undefined;
}

/** Whether a body of known size is worth pieces of a pool. One that is recorded is kept whole as long as others are. */
export const fillsPieces = ({ audit }: Exchange, totalBytes: number, pool: PiecePool): boolean =>
  totalBytes > (audit === undefined ? pool.pieceBytes : largeBodyBytes);

/** A body that is made piece by piece while it is sent. */
export interface PiecesOptions {
  readonly contentType: string;
  readonly body: Body;
  /** Tells after each piece whether to pause for other requests. */
  readonly slice: Slice;
  /** Whether a large body is compressed for clients that take that. */
  readonly compresses: boolean;
}

/** An answer whose body is there. */
export interface WholeAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** As in `PiecesOptions`. */
  readonly compresses: boolean;
}

/** Answers with a body at once; a large one may be compressed, which takes a while. */
export function respondWhole(exchange: Exchange, answer: WholeAnswer): Promise<void> | undefined {
  const { code, contentType, body, compresses } = answer;
  if (!compresses || body.length <= compressedFromBytes || !acceptsGzip(exchange.request)) {
    respond(exchange, { code, contentType, body });
    return undefined;
  }
  exchange.audit?.noteResponseBody(body);
  return compress(exchange, { code, contentType }, onePiece(body));
}

async function* onePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

/**
 * Answers 200 with a body that may be large: it is made and sent in pieces, at the pace of the client, with other work
 * in between, and no further once the client has left. What the first piece throws is thrown before anything is sent.
 */
export async function respondInPieces(exchange: Exchange, options: PiecesOptions): Promise<void> {
  const { contentType, body, slice } = options;
  const isCompressed = options.compresses && acceptsGzip(exchange.request);
  const largeBytes = isCompressed ? compressedFromBytes : largeBodyBytes;
  const held: Buffer[] = [];
  let heldBytes = 0;
  const isLarge = () =>
    body.recycle !== undefined || heldBytes > largeBytes || (body.totalBytes ?? 0) > largeBytes;
  for (let next = body.pieces.next(); next.done !== true; next = body.pieces.next()) {
    held.push(next.value);
    heldBytes += next.value.length;
    if (isLarge()) {
      exchange.audit?.noteResponseBody(undefined);
      if (!isCompressed) return stream(exchange, held, options);
      return compress(exchange, { code: 200, contentType }, paced(held, options));
    }
    if (slice.isSpent()) await slice.rest();
  }
  const [first] = held;
  respond(exchange, {
    code: 200,
    contentType,
    body: held.length === 1 && first !== undefined ? first : Buffer.concat(held),
  });
}

/** Goes on after the pieces that were held back. */
async function stream(
  exchange: Exchange,
  held: readonly Buffer[],
  { contentType, body: { pieces, totalBytes, recycle }, slice }: PiecesOptions,
): Promise<void> {
  const { response } = exchange;
  if (response.headersSent || !(await mayAnswer(exchange, 200))) return;
  exchange.answerBytes = totalBytes;
  exchange.answerType = contentType;
  response.writeHead(200, {
    'audit-id': exchange.auditId,
    'cache-control': 'no-cache, private',
    'content-type': contentType,
    ...(totalBytes === undefined ? {} : { 'content-length': totalBytes }),
    ...warningHeader(exchange),
    ...exchange.flowHeaders,
  });
  const connection = followConnection(response);
  const write = (piece: Buffer): boolean =>
    response.write(piece, (error) => {
      // After a failed write the socket may still read the piece.
      if (error == null) recycle?.(piece);
    });
  for (const piece of held) write(piece);
  for (let next = pieces.next(); next.done !== true && !connection.isClosed; next = pieces.next()) {
    if (next.value.length > 0 && !write(next.value)) await connection.drained();
    if (slice.isSpent()) await slice.rest();
  }
  response.end();
}

/** The held pieces and those that follow, with rests in between. */
async function* paced(
  held: readonly Buffer[],
  { body: { pieces }, slice }: PiecesOptions,
): AsyncGenerator<Buffer> {
  yield* held;
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    if (next.value.length > 0) yield next.value;
    if (slice.isSpent()) await slice.rest();
  }
}

async function compress(
  exchange: Exchange,
  { code, contentType }: Pick<WholeAnswer, 'code' | 'contentType'>,
  pieces: AsyncGenerator<Buffer>,
): Promise<void> {
  const { response } = exchange;
  if (response.headersSent || !(await mayAnswer(exchange, code))) return;
  exchange.answerType = contentType;
  response.writeHead(code, {
    'audit-id': exchange.auditId,
    'cache-control': 'no-cache, private',
    'content-type': contentType,
    ...compressedHeaders,
    ...warningHeader(exchange),
    ...exchange.flowHeaders,
  });
  await sendCompressed(response, pieces);
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
