import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AnyResponse, sendHead } from '../../net/http/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { warningHeader } from '../request/respond.ts';
import type { FrameJoiner } from './frame-joiner.ts';
import type { StreamOutlet } from './outlet.ts';

/** Begins the answer to a watch: the head is sent at once, before any event. */
export function openHttpOutlet(exchange: Exchange, contentType: string, joiner: FrameJoiner): StreamOutlet {
  const { response, auditId } = exchange;
  response.writeHead(200, {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'content-type': contentType,
    ...warningHeader(exchange),
  });
  sendHead(response);
  return {
    get bufferedBytes() {
      return bufferedBytes(response);
    },
    write(frames) {
      const recorded = exchange.audit?.noteEvent();
      const socket = chunkedSocket(exchange);
      if (recorded !== undefined) holdUntil(recorded, socket ?? streamOf(response) ?? response);
      if (socket === undefined) response.write(joiner.join(frames));
      else socket.write(joiner.chunk(frames));
    },
    onceDrained(callback) {
      const writable = chunkedSocket(exchange) ?? response;
      writable.once('drain', callback);
      return () => writable.off('drain', callback);
    },
    onClose: (callback) => void response.on('close', callback),
    end: () => void response.end(),
    destroy: () => void response.destroy(),
  };
}

/**
 * The connection of an answer in HTTP/1.1's chunked coding whose head has been sent. Writing whole chunks there costs
 * half of what the answer's own `write` does, which takes four writes for a chunk; `end` closes such an answer as any.
 * Undefined where the answer is something else, or waits for another one on its connection.
 */
function chunkedSocket({ response }: Exchange): Socket | undefined {
  if (response.chunkedEncoding !== true) return undefined;
  return response.socket ?? undefined;
}

/** What is written from now on waits; it counts as buffered meanwhile. */
function holdUntil(settled: Promise<unknown>, writable: Pick<Duplex, 'cork' | 'uncork'>): void {
  writable.cork();
  void settled.finally(() => writable.uncork());
}

/** The stream below an answer in HTTP/2. */
const streamOf = (response: AnyResponse): Duplex | undefined =>
  (response as unknown as { readonly stream?: Duplex }).stream;

/** Bytes that wait to be sent; HTTP/2 buffers them on the stream. */
const bufferedBytes = (response: AnyResponse): number =>
  streamOf(response)?.writableLength ?? response.writableLength;
