import { isFailureStatus, type Status, StatusError } from '../../machinery/errors/index.ts';
import type { RestClient } from './client.ts';
import { type EncodedEvent, type EventReader, isEncoded } from './object-encoding.ts';
import type { RestRequest } from './request.ts';
import { TransportError } from './transport-error.ts';

/** One change that a watch reports. `object` is the object after it, or before a deletion. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: unknown;
}

/** A line above this is no event of this API. */
const maxEventBytes = 64 * 1024 * 1024;
const newline = 0x0a;

/**
 * Watches: yields events until the server ends the stream or `request.signal` aborts. Leaving the loop closes it.
 *
 * @throws StatusError for an ERROR event or a refused request, TransportError when the connection breaks or a line
 *   is no event.
 */
export async function* watchEvents(client: RestClient, request: RestRequest): AsyncGenerator<WatchEvent> {
  const { encoding } = client;
  const accept = request.accept ?? encoding?.accept;
  const stream = await client.stream({ ...request, accept, query: { ...request.query, watch: true } });
  const reader = isEncoded(encoding, stream.headers) ? encoding.events : jsonEvents;
  try {
    for await (const bytes of reader.split(stream.chunks)) yield decodeEvent(bytes, reader);
  } finally {
    stream.close();
  }
}

/** Events as lines of JSON. */
const jsonEvents: EventReader = {
  split: splitLines,
  decode: (line) => JSON.parse(line.toString('utf8')) ?? {}, // read by name, checked where it is
};

/** Cuts a byte stream at line feeds; the last line needs none. @throws TransportError for a line without end. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = chunk.subarray(start, end);
      start = end + 1;
      yield pending.length === 0 ? line : Buffer.concat([...pending, line]);
      pending = [];
      pendingBytes = 0;
    }
    if (start === chunk.length) continue;
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > maxEventBytes) throw badEvent('a line is too long');
  }
  if (pendingBytes > 0) yield Buffer.concat(pending);
}

function decodeEvent(bytes: Buffer, reader: EventReader): WatchEvent {
  let event: EncodedEvent;
  try {
    event = reader.decode(bytes);
  } catch (cause) {
    throw badEvent(reader === jsonEvents ? 'a line is no JSON' : 'a frame is no event', cause);
  }
  const { type, object } = event;
  if (type === 'ERROR') throw new StatusError(isFailureStatus(object) ? object : unknownFailure());
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK')
    return { type, object };
  throw badEvent(`unknown type ${JSON.stringify(type)}`);
}

function badEvent(detail: string, cause?: unknown): TransportError {
  return new TransportError('protocol', `unable to decode an event from the watch stream: ${detail}`, {
    host: '',
    cause,
  });
}

function unknownFailure(): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'unknown', code: 500 };
}
