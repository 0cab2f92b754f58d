import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createDefaulter } from '../../../../src/apis/defaults/index.ts';
import { createDialect, type Dialect, orchDialect } from '../../../../src/machinery/dialect.ts';

/** Requests in DER: of an agent as client, of an agent as server, of a user, and with a mail address. */
const requests = {
  client:
    'MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhk' +
    'jOPQIBBggqhkjOPQMBBwNCAATEYb4zI6432DyjzU1SUsRpgplxmQ4qjC/dHO4nnUzcn783wz+yvRWGPLNNgiJpbrt9' +
    'SVE+uXK+OddnBx86ohRqoAAwCgYIKoZIzj0EAwIDSAAwRQIhAKt+q7A0ss6ncrF9p+YwbdR3nijsPAYTzWRZneV0f7' +
    'XpAiBXiOzCV8ELOAbDbAc07bW5gLPm7G/nc578pu0O3cueeA==',
  serving:
    'MIIBETCBuAIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKo' +
    'ZIzj0CAQYIKoZIzj0DAQcDQgAExGG+MyOuN9g8o81NUlLEaYKZcZkOKowv3RzuJ51M3J+/N8M/sr0VhjyzTYIiaW67' +
    'fUlRPrlyvjnXZwcfOqIUaqAmMCQGCSqGSIb3DQEJDjEXMBUwEwYDVR0RBAwwCoICbjGHBMAAAgEwCgYIKoZIzj0EAw' +
    'IDSAAwRQIhAKNpXHWzBi5o0CHMeuxhJhBPwmhYbEKiVB0P6PSfd0dLAiA+triKqtU1Yc1DWvTT55JXSH0cCjsrmKxF' +
    'x7BeFXW/uw==',
  other:
    'MIHZMIGBAgEAMB8xDTALBgNVBAoMBGRldnMxDjAMBgNVBAMMBWFsaWNlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQg' +
    'AExGG+MyOuN9g8o81NUlLEaYKZcZkOKowv3RzuJ51M3J+/N8M/sr0VhjyzTYIiaW67fUlRPrlyvjnXZwcfOqIUaqAA' +
    'MAoGCCqGSM49BAMCA0cAMEQCIDU9UigSr3PTH/bm/fKtYd15KQj3ePfGuWdl5j5U2eFQAiA/lsFhB97ZMYctWlWH89' +
    'NwbUI1fXaS7m/6n59qOmHM/A==',
  email:
    'MIIBGDCBvwIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKo' +
    'ZIzj0CAQYIKoZIzj0DAQcDQgAExGG+MyOuN9g8o81NUlLEaYKZcZkOKowv3RzuJ51M3J+/N8M/sr0VhjyzTYIiaW67' +
    'fUlRPrlyvjnXZwcfOqIUaqAtMCsGCSqGSIb3DQEJDjEeMBwwGgYDVR0RBBMwEYICbjGBC2FAYi5leGFtcGxlMAoGCC' +
    'qGSM49BAMCA0gAMEUCIFmneffGjHnEqyYRFu+pKXtLYrBagWyojQXoWWhUWHxdAiEArdPkAAy5nFBhk4dV8sn1PwcQ' +
    'EoS/VpNxOvt3tH7ff5E=',
};
const type = 'certificates.orch.io/v1beta1.CertificateSigningRequest';
const common = ['digital signature', 'key encipherment'];

/** Base64 of the PEM text, as it stands in the field. */
function toField(der: string): string {
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`;
  return Buffer.from(pem).toString('base64');
}

function specWithDefaults(spec: object, dialect: Dialect = orchDialect): unknown {
  const catalog = createTypeCatalog(dialect);
  const name = dialect.spell(type);
  const object = catalog.type(name).decode({ spec });
  createDefaulter({ dialect, catalog, gates: new Set() })(name, object);
  return object.spec;
}

describe('default signer of a certificate request', () => {
  for (const [title, der, usages, signer] of [
    [
      'an agent as client',
      requests.client,
      [...common, 'client auth'],
      'orch.io/orch-apiserver-client-nodeagent',
    ],
    ['an agent as client with other usages', requests.client, common, 'orch.io/legacy-unknown'],
    ['an agent as server', requests.serving, [...common, 'server auth'], 'orch.io/nodeagent-serving'],
    ['an agent with names as client', requests.serving, [...common, 'client auth'], 'orch.io/legacy-unknown'],
    [
      'an agent without names as server',
      requests.client,
      [...common, 'server auth'],
      'orch.io/legacy-unknown',
    ],
    ['an agent with a mail address', requests.email, [...common, 'server auth'], 'orch.io/legacy-unknown'],
    ['a user', requests.other, [...common, 'client auth'], 'orch.io/legacy-unknown'],
    ['a request that is cut off', requests.client.slice(0, 100), common, 'orch.io/legacy-unknown'],
    ['no request at all', '!', common, 'orch.io/legacy-unknown'],
  ] as const) {
    it(`is ${signer} for ${title}`, () => {
      expect(specWithDefaults({ request: toField(der), usages })).to.include({ signerName: signer });
    });
  }

  it('is kept when given', () => {
    expect(specWithDefaults({ request: '', signerName: 'example.com/s' })).to.include({
      signerName: 'example.com/s',
    });
  });

  it('comes after default usages', () => {
    expect(specWithDefaults({ request: toField(requests.client) })).to.deep.include({ usages: common });
  });

  it('is spelled by the dialect', () => {
    const dialect = createDialect('kubernetes');
    const usages = [...common, 'server auth'];
    expect(specWithDefaults({ request: toField(requests.serving), usages }, dialect)).to.include({
      signerName: dialect.spell('orch.io/nodeagent-serving'),
    });
  });
});
