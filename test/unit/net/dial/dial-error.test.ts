import { expect } from 'chai';
import { ConnectTimeout, describeDialError } from '../../../../src/net/dial/index.ts';

const backend = { host: 'n1', port: 10_250 };
const failed = (code: string, more: object = {}): Error =>
  Object.assign(new Error('text'), { code, ...more });

const openSsl = (end: string): Error =>
  Object.assign(new Error(`write EPROTO 407DCD8A427F0000:error:0A00010B:SSL routines:f:${end}`), {
    code: 'EPROTO',
  });

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
    [
      'a certificate for other names than the one that was named for it',
      failed('ERR_TLS_CERT_ALTNAME_INVALID', { host: 'named', cert: { subjectaltname: 'DNS:a' } }),
      'x509: certificate is valid for a, not named',
    ],
    [
      'a certificate without PEM',
      failed('ERR_OSSL_PEM_NO_START_LINE'),
      'tls: failed to find any PEM data in certificate input',
    ],
    ['a key that is none', failed('ERR_OSSL_UNSUPPORTED'), 'tls: failed to parse private key'],
    [
      'no TLS',
      openSsl('wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:'),
      'tls: first record does not look like a TLS handshake',
    ],
    [
      'an alert',
      openSsl('tlsv1 alert protocol version:../deps/rec_layer_s3.c:918:SSL alert number 70'),
      'remote error: tls: protocol version not supported',
    ],
    ['an alert that nobody knows', openSsl('x:y.c:1:SSL alert number 250'), 'remote error: tls: alert(250)'],
    ['anything else of OpenSSL', openSsl('no ciphers available:a.c:1:'), 'tls: no ciphers available'],
    [
      'a header that cannot be sent, without its value',
      Object.assign(new Error('Invalid character in header content ["impersonate-user"]'), {
        code: 'ERR_INVALID_CHAR',
      }),
      'net/http: invalid header field value for "Impersonate-User"',
    ],
    [
      'a refusal at another port',
      failed('ECONNREFUSED', { address: '10.0.0.1', port: 80 }),
      'dial tcp 10.0.0.1:80: connect: connection refused',
    ],
    ['anything else', failed('EODD'), 'text'],
  ];
  for (const [what, error, text] of cases) {
    it(`words ${what} as the reference does`, () => {
      expect(describeDialError(error, backend)).to.equal(text);
    });
  }
});
