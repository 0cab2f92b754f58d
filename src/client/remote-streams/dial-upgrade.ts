import type http from 'node:http';
import { authHeaders, formatQuery, TransportError, tlsSettings, toTransportError } from '../rest/index.ts';
import type { SpdyDial } from '../spdy/index.ts';
import type { StreamTarget } from './session.ts';
import { readRefusal } from './upgrade-refusal.ts';

/**
 * Sends requests that ask for another protocol, each on a connection of its own.
 *
 * @param protocol version of the protocol of streams, in the spelling of the default dialect
 */
export function upgradeDial(target: StreamTarget, protocol: string): SpdyDial {
  const { connection, userAgent, dialect, signal } = target;
  const query = formatQuery(target.query);
  const url = `${connection.server.replace(/\/+$/, '')}${target.path}${query && `?${query}`}`;
  const { host } = new URL(url);
  return (headers) =>
    new Promise((resolve, reject) => {
      const outgoing = requestOf(url)(url, {
        method: 'POST',
        agent: false,
        ...tlsSettings(connection),
        headers: {
          ...authHeaders(connection.auth),
          ...headers,
          'user-agent': userAgent,
          'content-length': '0',
          'x-stream-protocol-version': dialect.spell(protocol),
        },
        ...(signal === undefined ? {} : { signal }),
      });
      outgoing.once('error', (error) => reject(toTransportError(error, host)));
      outgoing.once('response', (answer) => {
        void readRefusal(answer).then((refusal) => {
          reject(refusal);
          outgoing.destroy();
        });
      });
      outgoing.once('upgrade', (answer, socket, first) => {
        signal?.addEventListener('abort', () => socket.destroy(), { once: true });
        if (signal?.aborted) reject(new TransportError('aborted', 'the connection was given up', { host }));
        else resolve({ answer, socket, first });
      });
      outgoing.end();
    });
}

/** Not by `import`: see `rest/transport.ts`. */
function requestOf(url: string): typeof http.request {
  return url.startsWith('https:')
    ? process.getBuiltinModule('node:https').request
    : process.getBuiltinModule('node:http').request;
}
