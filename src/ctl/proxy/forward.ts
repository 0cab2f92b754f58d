import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { errorText } from '../../base/index.ts';
import { authHeaders, type Connection, tlsSettings } from '../../client/rest/index.ts';

/** A server that requests are passed on to, with the credentials of this client. */
export interface Upstream {
  readonly connection: Connection;
  /** Put before paths; empty for none. */
  readonly pathPrefix: string;
}

/** Headers that are about one connection, and those that would say who asks. Source: RFC 7230 section 6.1 */
const notPassedOn = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'authorization',
  'host',
];

/** Passes requests on to one server over kept connections. */
export class Forwarder {
  readonly #upstream: Upstream;
  readonly #agent: http.Agent;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
    const isPlain = upstream.connection.server.startsWith('http:');
    this.#agent = isPlain
      ? new http.Agent({ keepAlive: true })
      : new https.Agent({ keepAlive: true, ...tlsSettings(upstream.connection) });
  }

  /** Passes a request and its answer on as they come. A server that cannot be reached is a 502. */
  pass(incoming: http.IncomingMessage, response: http.ServerResponse, path: string): void {
    const outgoing = this.#request(incoming, path, {});
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.headers));
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    outgoing.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else
        response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(`${errorText(error)}\n`);
    });
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  /** Passes a request for another protocol on, then bytes both ways. */
  upgrade(incoming: http.IncomingMessage, socket: Duplex, head: Buffer, path: string): void {
    const { upgrade = '' } = incoming.headers;
    const outgoing = this.#request(incoming, path, { connection: 'Upgrade', upgrade });
    socket.on('error', () => outgoing.destroy());
    outgoing.on('error', () => socket.destroy());
    outgoing.on('upgrade', (answer, upstream, first) => {
      socket.write(statusLines(answer));
      upstream.write(head);
      socket.write(first);
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
      upstream.pipe(socket).pipe(upstream);
    });
    outgoing.on('response', (answer) => {
      socket.write(statusLines(answer));
      answer.pipe(socket);
    });
    outgoing.end();
  }

  close(): void {
    this.#agent.destroy();
  }

  #request(incoming: http.IncomingMessage, path: string, more: http.OutgoingHttpHeaders): http.ClientRequest {
    const { connection, pathPrefix } = this.#upstream;
    const { protocol, hostname, port } = new URL(connection.server);
    const start = protocol === 'http:' ? http.request : https.request;
    return start({
      agent: this.#agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port || (protocol === 'http:' ? 80 : 443),
      method: incoming.method,
      path: `${pathPrefix}${path}`,
      headers: { ...endToEnd(incoming.headers), ...authHeaders(connection.auth), ...more },
    });
  }
}

function endToEnd(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const left = new Set([...notPassedOn, ...named]);
  // Who acts is a matter of this client's configuration, not of pages in a browser.
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !left.has(name) && !name.startsWith('impersonate-')),
  );
}

function statusLines(answer: http.IncomingMessage): string {
  const lines = [`HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}`];
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    lines.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
