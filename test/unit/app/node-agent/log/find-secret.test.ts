import { expect } from 'chai';
import fc from 'fast-check';
import { findSecret } from '../../../../../src/app/node-agent/log/find-secret.ts';
import { cpuMsOf } from '../../../../support/cpu-time.ts';

const secret = 'hunter22hunter22';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl';

describe('findSecret', () => {
  const fields: readonly (readonly [key: string, value: unknown])[] = [
    ['password', { password: secret }],
    ['a.b.apiToken', { a: { b: { apiToken: secret } } }],
    ['headers.Authorization', { headers: { Authorization: [secret] } }],
    ['set-cookie', { 'set-cookie': secret }],
    ['client-key-data', { 'client-key-data': secret }],
    ['private_key', { private_key: Buffer.from(secret) }],
    ['pin.password', { pin: { password: 1234 } }],
    ['map.token', { map: new Map([['token', secret]]) }],
    ['set.token', { set: new Set([{ token: secret }]) }],
    ['env.DB_PASSWORD', { env: [{ name: 'DB_PASSWORD', value: secret }] }],
    ['object', { object: { kind: 'Secret', data: { a: secret } } }],
    ['items', { items: [{ metadata: { name: 's' }, type: 'Opaque', data: { a: secret } }] }],
    ['error.message', { error: new Error(`password=${secret}`) }],
    ['error.cause.token', { error: new Error('x', { cause: { token: secret } }) }],
    ['error.errors.message', { error: new AggregateError([new Error(`token=${secret}`)]) }],
    ['at', { at: new URL(`https://me:${secret}@host/`) }],
    ['bytes', { bytes: Buffer.from(`{"token":"${secret}"}`) }],
    ['seen', { seen: { [`token=${secret}`]: true } }],
  ];
  for (const [key, value] of fields) {
    it(`finds what is in ${key}`, () => {
      expect(findSecret(value, '')?.key).to.equal(key);
    });
  }

  const texts: readonly string[] = [
    `Authorization: Bearer ${secret}`,
    'authorization: basic bWU6c2VjcmV0cw==',
    `token ${jwt} was refused`,
    '-----BEGIN RSA PRIVATE KEY-----\nMII',
    '-----BEGIN PRIVATE KEY-----',
    `dial https://me:${secret}@registry.example.com/v2/`,
    `--token=${secret}`,
    `{"auths":{"host":{"password":"${secret}"}}}`,
    JSON.stringify({ text: JSON.stringify({ token: secret }) }),
    `users:\n- name: me\n  user:\n    token: ${secret}`,
    `stored db-password: ${secret}`.replace('stored ', ''),
    'apiVersion: v1\nkind: Secret\nmetadata: {}',
    '{"kind":"Secret","apiVersion":"v1"}',
  ];
  for (const text of texts) {
    it(`finds one in text: ${text.slice(0, 40).replaceAll('\n', ' ')}`, () => {
      expect(findSecret(text, 'message')?.key).to.equal('message');
    });
  }

  const harmless: readonly unknown[] = [
    'stopping; pods run on',
    'failed to fetch token: the server does not answer',
    'Bearer authentication is not offered',
    'tokens are renewed every 10 minutes',
    'no password was given',
    'docker.io/library/nginx:1.19@sha256:0123456789',
    'http://127.0.0.1:8080/a@b',
    {
      path: '/var/lib/nodeagent/pods/1/volumes/secret/token',
      tokenPath: '/run/token',
      keyFile: '/pki/a.key',
    },
    { object: { kind: 'ConfigMap', data: { a: 'b' } }, secretName: 'web', isToken: true, token: '' },
    { pod: { kind: 'Pod', metadata: { name: 'web' }, type: 'x' }, status: 200, token: undefined },
  ];
  for (const value of harmless) {
    it(`lets through ${JSON.stringify(value).slice(0, 60)}`, () => {
      expect(findSecret(value, 'field')).to.equal(undefined);
    });
  }

  it('finds a secret wherever it is', () => {
    const name = fc.constantFrom('password', 'dbPassword', 'apiToken', 'Authorization', 'client-key-data');
    const wrap = fc.constantFrom(
      (value: unknown): unknown => [1, value],
      (value: unknown): unknown => ({ a: 'b', other: value }),
      (value: unknown): unknown => new Map([['k', value]]),
      (value: unknown): unknown => Object.assign(new Error('x'), { detail: value }),
    );
    const wraps = fc.array(wrap, { maxLength: 12 });
    fc.assert(
      fc.property(name, wraps, fc.string({ minLength: 1 }), (field, layers, text) => {
        const value = layers.reduce<unknown>((inner, layer) => layer(inner), { [field]: text });
        expect(findSecret(value, '')).not.to.equal(undefined);
      }),
    );
  });

  it('ends for whatever it is given, and says the same again', () => {
    fc.assert(
      fc.property(fc.anything({ withMap: true, withSet: true, withTypedArray: true }), (value) => {
        expect(findSecret(value, 'x')).to.deep.equal(findSecret(value, 'x'));
      }),
    );
  });

  it('takes what it cannot read to its end for a secret', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(findSecret(cyclic, 'x')).to.equal(undefined);
    const broken = {
      get field(): string {
        throw new Error('no');
      },
    };
    expect(findSecret(broken, 'x')?.key).to.equal('x');
    let deep: unknown = 'end';
    for (let level = 0; level < 100; level++) deep = [deep];
    expect(findSecret(deep, 'x')).not.to.equal(undefined);
    expect(findSecret(Array.from({ length: 30_000 }, String), 'x')).not.to.equal(undefined);
    expect(findSecret('x'.repeat(70_000), 'x')).not.to.equal(undefined);
  });

  it('is quick with text that is made to be slow', () => {
    const worst = ['eyJ-', '- ', 'a-\n', '://a:', '-----BEGIN A ', 'token  ', 'bearer a'];
    for (const part of worst) {
      const cpuMs = cpuMsOf(() => findSecret(part.repeat(64_000 / part.length), 'message'));
      expect(cpuMs, part).to.be.below(1000);
    }
  });
});
