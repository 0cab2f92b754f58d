import { type IncomingHttpHeaders, request as startPlain } from 'node:http';
import { request as startSecure } from 'node:https';
import type { ExchangePlaces, ExchangeRequest } from './exchange.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How recordings mark answers that did not end in time. */
const openMark = '<still open>';
const openAfterMs = 1500;
const tokens: ReadonlyMap<string, string> = new Map([
  ['admin', 'admintoken'],
  ['user', 'usertoken'],
  ['wrong', 'garbage'],
  ['node', 'nodetoken'],
]);

/** Headers that say who asks. */
export function credentials(auth: string | undefined): Readonly<Record<string, string>> {
  return auth === undefined ? {} : { authorization: `Bearer ${tokens.get(auth) ?? ''}` };
}

/** Sends a request and reads the answer, as far as it comes in time. */
export function ask(
  { path, port = 'secure', method = 'GET', body, auth, cert }: ExchangeRequest,
  { agent, certificates }: ExchangePlaces,
): Promise<Answer> {
  const { secure, readOnly, healthz } = agent.ports;
  const ports = { secure, readonly: readOnly, healthz, 'plain-on-secure': secure };
  const pair = certificates.get(cert ?? '');
  const length = body == null ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = {
    host: '127.0.0.1',
    port: ports[port],
    path,
    method,
    headers: { ...credentials(auth), ...length },
    agent: false,
    rejectUnauthorized: false,
    ...(pair === undefined ? {} : { cert: pair.certificatePem, key: pair.privateKeyPem }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (port === 'secure' ? startSecure : startPlain)(options, (answer) => {
      let text = '';
      const finish = (mark: string): void =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: `${text}${mark}` });
      const timer = setTimeout(() => {
        finish(openMark);
        outgoing.destroy();
      }, openAfterMs);
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => {
        clearTimeout(timer);
        finish('');
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}
