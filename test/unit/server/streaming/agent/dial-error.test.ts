import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { ConnectTimeout, describeDialError } from '../../../../../src/server/streaming/agent/dial-error.ts';
import { type Backend, BackendClient } from '../../../../../src/server/streaming/agent/index.ts';

const backend: Backend = { scheme: 'https', host: 'n1', port: 10_250, trust: 'agent' };
const failed = (code: string, more: object = {}): Error =>
  Object.assign(new Error('text'), { code, ...more });

describe('describeDialError', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    [
      'a refusal',
      failed('ECONNREFUSED', { address: 'fd00::1' }),
      'dial tcp [fd00::1]:10250: connect: connection refused',
    ],
    [
      'no route',
      failed('EHOSTUNREACH', { address: '10.0.0.1' }),
      'dial tcp 10.0.0.1:10250: connect: no route to host',
    ],
    [
      'several refusals',
      new AggregateError([failed('ECONNREFUSED', { address: '10.0.0.1' }), failed('x')]),
      'dial tcp 10.0.0.1:10250: connect: connection refused',
    ],
    ['an unknown name', failed('ENOTFOUND'), 'dial tcp: lookup n1: no such host'],
    ['a late connection', new ConnectTimeout('connect'), 'dial tcp n1:10250: i/o timeout'],
    ['a late handshake', new ConnectTimeout('handshake'), 'net/http: TLS handshake timeout'],
    [
      'a stranger',
      failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
      'x509: certificate signed by unknown authority',
    ],
    ['another name', failed('ERR_TLS_CERT_ALTNAME_INVALID'), 'x509: certificate is not valid for n1'],
    ['a break', failed('ECONNRESET'), 'read tcp n1:10250: read: connection reset by peer'],
    ['an end', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), 'EOF'],
    ['no HTTP', failed('HPE_INVALID_CONSTANT'), 'malformed HTTP response'],
    ['anything else', failed('EODD'), 'text'],
  ];
  for (const [what, error, text] of cases) {
    it(`words ${what} as the reference does`, () => {
      expect(describeDialError(error, backend)).to.equal(text);
    });
  }
});

describe('BackendClient', () => {
  it('does not wait for a handshake longer than it may', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const client = new BackendClient({ connectTimeoutMs: 50 });
      const { port } = silent.address() as AddressInfo;
      const request = { method: 'GET', target: '/', headers: {} };
      const place = { ...backend, host: '127.0.0.1', port };
      const error = await client.send(place, request, new AbortController().signal).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(ConnectTimeout);
      expect(error).to.include({ phase: 'handshake' });
    } finally {
      silent.close();
    }
  });
});
