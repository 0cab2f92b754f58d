import { expect } from 'chai';
import { ConnectTimeout, describeDialError } from '../../../../src/net/dial/index.ts';

const backend = { host: 'n1', port: 10_250 };
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
    [
      'a certificate without names',
      failed('ERR_TLS_CERT_ALTNAME_INVALID'),
      'x509: certificate is not valid for any names, but wanted to match n1',
    ],
    [
      'a certificate for other names',
      failed('ERR_TLS_CERT_ALTNAME_INVALID', {
        cert: { subjectaltname: 'DNS:a, DNS:b, IP Address:10.0.0.1' },
      }),
      'x509: certificate is valid for a, b, not n1',
    ],
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
