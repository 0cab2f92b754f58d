import type { Socket } from 'node:net';
import { type AnyResponse, sendHead } from '../../net/http/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { warningHeader } from '../request/respond.ts';
import type { FrameJoiner } from './frame-joiner.ts';
import type { StreamOutlet } from './outlet.ts';

/** Begins the answer to a watch: the head is sent at once, before any event. */
export function openHttpOutlet(exchange: Exchange, contentType: string, joiner: FrameJoiner): StreamOutlet {
  const { response, auditId } = exchange;
  exchange.answerType = contentType;
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
      exchange.audit?.noteFirstEvent();
      const socket = chunkedSocket(exchange);
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

/** Bytes that wait to be sent; HTTP/2 buffers them on the stream. */
function bufferedBytes(response: AnyResponse): number {
  const { stream } = response as unknown as { stream?: { writableLength: number } };
  return stream?.writableLength ?? response.writableLength;
}
