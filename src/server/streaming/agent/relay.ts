import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { Exchange } from '../../request/exchange.ts';

/** An answer whose body may be another stream than the one it came by. */
export interface BackendAnswer extends Pick<IncomingMessage, 'statusCode' | 'headers'> {
  readonly body: Readable;
}

/** An answer as it came. */
export const bodyApart = (answer: IncomingMessage): BackendAnswer => ({
  statusCode: answer.statusCode,
  headers: answer.headers,
  body: answer,
});

/**
 * Has the body packed on the way when a client says nothing of encodings, as Go's client does; undefined when it says
 * something, or wants a part of the bytes.
 */
export const packingHeaders = (headers: OutgoingHttpHeaders, method: string) =>
  headers['accept-encoding'] === undefined && headers.range === undefined && method !== 'HEAD'
    ? { 'accept-encoding': 'gzip' }
    : undefined;

/** An answer that may have been packed on the way, as its client wants it. */
export function unpacked(answer: IncomingMessage): BackendAnswer {
  const { 'content-encoding': encoding, 'content-length': _length, ...headers } = answer.headers;
  if (encoding !== 'gzip') return bodyApart(answer);
  // Flushed with each chunk: a client may be waiting for an event.
  const unpacking = createGunzip({ flush: constants.Z_SYNC_FLUSH });
  const ignore = (): void => {}; // what reads the body fails with it
  return { statusCode: answer.statusCode, headers, body: pipeline(answer, unpacking, ignore) };
}

/** How a relayed body came to its end. */
export type RelayEnd = 'complete' | 'source-broke' | 'client-left';

/**
 * Sends a stream to the client as it comes, no faster than the client reads. The answer is left open at its end; the
 * source is closed when the client leaves or the server stops.
 */
export function relayBody(source: Readable, { response, signal }: Exchange): Promise<RelayEnd> {
  return new Promise((resolve) => {
    const finish = (end: RelayEnd): void => {
      signal.removeEventListener('abort', onAbort);
      source.unpipe(response);
      if (end !== 'complete') source.destroy();
      resolve(end);
    };
    const onAbort = () => finish('client-left');
    source.once('end', () => finish('complete'));
    source.once('error', () => finish('source-broke'));
    source.once('close', () => finish('source-broke')); // after `end` it changes nothing
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    source.pipe(response, { end: false });
  });
}
