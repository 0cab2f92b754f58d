import type http from 'node:http';
import type { SpdyDial } from '../../net/spdy/index.ts';
import { authHeaders, formatQuery, TransportError, tlsSettings, toTransportError } from '../rest/index.ts';
import type { StreamTarget } from './session.ts';
import { readRefusal } from './upgrade-refusal.ts';
import { traceUpgrade } from './upgrade-trace.ts';

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
      const request = {
        method: 'POST',
        headers: {
          ...authHeaders(connection.auth),
          ...headers,
          'user-agent': userAgent,
          'content-length': '0',
          'x-stream-protocol-version': dialect.spell(protocol),
        },
      } as const;
      const onAnswer = traceUpgrade(target.trace, { ...request, url });
      const outgoing = requestOf(url)(url, {
        ...request,
        agent: false,
        ...tlsSettings(connection),
        ...(signal === undefined ? {} : { signal }),
      });
      outgoing.once('error', (error) => reject(toTransportError(error, host)));
      outgoing.once('response', (answer) => {
        onAnswer(answer);
        void readRefusal(answer).then((refusal) => {
          reject(refusal);
          outgoing.destroy();
        });
      });
      outgoing.once('upgrade', (answer, socket, first) => {
        onAnswer(answer);
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
