import { expect } from 'chai';
import type { Secret } from '../../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../../src/base/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { bootstrapTokenAuthenticator } from '../../../../src/server/authentication/bootstrap-token.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const token = 'abc123.0123456789abcdef';
const entries = {
  'token-id': 'abc123',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};

/** A secret with these entries beside or instead of the good ones. */
function secretWith(
  changes: Readonly<Record<string, string | undefined>> = {},
  more: Partial<Secret> = {},
): Secret {
  const data = Object.entries({ ...entries, ...changes }).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, Buffer.from(value).toString('base64')]],
  );
  return {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'bootstrap-token-abc123', namespace: 'orch-system' },
    type: 'bootstrap.orch.io/token',
    data: Object.fromEntries(data),
    ...more,
  };
}

const userOf = (text: string, secret: Secret, dialect = orchDialect) =>
  bootstrapTokenAuthenticator({
    dialect,
    findSecret: (name) => (name === 'bootstrap-token-abc123' ? secret : undefined),
    nowMs: () => nowMs,
    logger: silentLogger,
  }).userOfToken(text);

describe('bootstrapTokenAuthenticator', () => {
  it('makes a user of the token’s id, who is a bootstrapper', () => {
    expect(userOf(token, secretWith())).to.deep.equal({
      name: 'system:bootstrap:abc123',
      uid: '',
      groups: ['system:bootstrappers'],
      extra: {},
    });
  });

  it('adds the groups of the secret, each once and sorted', () => {
    const groups = 'system:bootstrappers:z,system:bootstrappers:a:b-c,system:bootstrappers:z';
    expect(userOf(token, secretWith({ 'auth-extra-groups': groups }))?.groups).to.deep.equal([
      'system:bootstrappers',
      'system:bootstrappers:a:b-c',
      'system:bootstrappers:z',
    ]);
  });

  const times: readonly (readonly [string, boolean])[] = [
    ['2026-01-01T00:00:01Z', true],
    ['2026-01-01T01:00:01+01:00', true],
    ['2026-01-01T00:00:00Z', false],
    ['2025-12-31T23:59:59Z', false],
    ['tomorrow', false],
    [' ', false],
  ];
  for (const [expiration, isTaken] of times) {
    it(`${isTaken ? 'takes' : 'does not take'} one that expires at ${expiration}`, () => {
      expect(userOf(token, secretWith({ expiration })) !== undefined).to.equal(isTaken);
    });
  }

  const texts = [
    'abc123.0123456789abcdeg',
    'abc123.0123456789abcde',
    'abc124.0123456789abcdef',
    'ABC123.0123456789abcdef',
    `${token}\n`,
    ` ${token}`,
    'abc123:0123456789abcdef',
    'abc123',
    '',
  ];
  for (const text of texts) {
    it(`does not know ${JSON.stringify(text)}`, () => expect(userOf(text, secretWith())).to.equal(undefined));
  }

  const secrets: readonly (readonly [string, Secret])[] = [
    [
      'is being deleted',
      secretWith({}, { metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ],
    ['is of another type', secretWith({}, { type: 'Opaque' })],
    ['is of the other dialect’s type', secretWith({}, { type: 'bootstrap.kubernetes.io/token' })],
    ['has no data', secretWith({}, { data: undefined })],
    ['has no secret', secretWith({ 'token-secret': undefined })],
    ['has another id', secretWith({ 'token-id': 'abc124' })],
    ['is not for authentication', secretWith({ 'usage-bootstrap-authentication': 'yes' })],
    ['says nothing of authentication', secretWith({ 'usage-bootstrap-authentication': undefined })],
    ...[
      'system:masters',
      'system:bootstrappers',
      'system:bootstrappers:',
      'system:bootstrappers:a,',
      'system:bootstrappers:A',
      'system:bootstrappers:a\n',
    ].map((groups): [string, Secret] => [
      `has the groups ${JSON.stringify(groups)}`,
      secretWith({ 'auth-extra-groups': groups }),
    ]),
  ];
  for (const [what, secret] of secrets) {
    it(`does not take one whose secret ${what}`, () => expect(userOf(token, secret)).to.equal(undefined));
  }

  it('knows the type by the name of its dialect', () => {
    const secret = secretWith({}, { type: 'bootstrap.kubernetes.io/token' });
    expect(userOf(token, secret, createDialect('kubernetes'))?.name).to.equal('system:bootstrap:abc123');
  });
});
