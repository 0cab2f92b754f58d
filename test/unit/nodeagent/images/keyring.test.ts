import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Secret } from '../../../../src/apis/types/core-v1.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { Keyring } from '../../../../src/nodeagent/images/keyring.ts';
import {
  RegistryConfigError,
  readConfigJson,
  readPullSecrets,
} from '../../../../src/nodeagent/images/registry-config.ts';
import { matchesRegistry, parseRegistryPattern } from '../../../../src/nodeagent/images/registry-pattern.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A keyring whose passwords are the places in the list. */
function keyringOf(...registries: readonly string[]): Keyring {
  const keyring = new Keyring();
  for (const [index, registry] of registries.entries()) {
    keyring.add(new Map([[registry, { username: 'u', password: String(index) }]]));
  }
  return keyring;
}

/** [registries with credentials, repository, places of those that are found, in order]. */
const lookups = [
  [['r.example.com'], 'r.example.com/a/b', '0'],
  [['r.example.com'], 's.example.com/a', ''],
  [['r.example.com'], 'r.example.com:5000/a', ''],
  [['r.example.com:5000'], 'r.example.com:5000/a', '0'],
  [['https://r.example.com/v1/', 'http://r.example.com/v2/'], 'r.example.com/a', '01'],
  [['https://r.example.com/v2/team'], 'r.example.com/other', ''],
  [['r.example.com', 'r.example.com/team', 'r.example.com/team/app'], 'r.example.com/team/app', '210'],
  [['r.example.com', 'r.example.com'], 'r.example.com/a', '01'],
  [['*.example.com'], 'r.example.com/a', '0'],
  [['*.example.com'], 'r.s.example.com/a', ''],
  [['r?.ex*le.c[n-p]m'], 'r1.example.com/a', '0'],
  [['r[^0-9].com'], 'r1.com/a', ''],
  [['[.com'], 'x.com/a', ''],
  [['https://index.docker.io/v1/'], 'docker.io/library/busybox', '0'],
  [['https://index.docker.io/v1/'], 'r.example.com/a', ''],
  [['index.docker.io', 'docker.io'], 'docker.io/team/app', '1'],
  [['not a host', 'https://'], 'r.example.com/a', ''],
] as const;

describe('Keyring', () => {
  for (const [registries, repository, found] of lookups) {
    it(`finds ${found || 'nothing'} of ${registries.join(' ')} for ${repository}`, () => {
      const places = keyringOf(...registries)
        .find(repository)
        .map(({ password }) => password);
      expect(places.join('')).to.equal(found);
    });
  }
});

describe('matchesRegistry', () => {
  it('takes a label with any of its parts replaced by a star', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(label, fc.nat(12), fc.nat(12), (text, a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const pattern = parseRegistryPattern(`${text.slice(0, from)}*${text.slice(to)}`);
        const target = parseRegistryPattern(text);
        expect(pattern && target && matchesRegistry(pattern, target)).to.equal(true);
      }),
    );
  });

  it('is quick for patterns that are made to be slow', () => {
    const pattern = parseRegistryPattern(`${'*a'.repeat(500)}b`);
    const target = parseRegistryPattern('a'.repeat(1000));
    const cpuMs = cpuMsOf(() =>
      expect(pattern && target && matchesRegistry(pattern, target)).to.equal(false),
    );
    expect(cpuMs).to.be.lessThan(1000);
  });
});

const secretOf = (type: string, key: string, content: unknown): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', creationTimestamp: null },
  type,
  data: { [key]: base64(typeof content === 'string' ? content : JSON.stringify(content)) },
});

describe('readPullSecrets', () => {
  const login = { username: 'u', password: 'p' };

  it('reads both forms, names and passwords, and the joined field, which wins', () => {
    const secrets = [
      secretOf('orch.io/dockerconfigjson', '.dockerconfigjson', {
        auths: { a: { ...login, email: 'x@y' }, b: { ...login, auth: base64('v:q:r') } },
        credHelpers: { c: 'd' },
      }),
      secretOf('orch.io/dockercfg', '.dockercfg', { c: { auth: base64('w:') } }),
      secretOf('Opaque', '.dockerconfigjson', { auths: { d: login } }),
    ];
    expect(readPullSecrets(secrets, orchDialect).map((entries) => [...entries])).to.deep.equal([
      [
        ['a', login],
        ['b', { username: 'v', password: 'q:r' }],
      ],
      [['c', { username: 'w', password: '' }]],
    ]);
  });

  it('knows the types by the names of the dialect', () => {
    const dialect = createDialect('kubernetes');
    const type = dialect.spell('orch.io/dockercfg');
    expect(readPullSecrets([secretOf(type, '.dockercfg', { a: login })], dialect)).to.have.length(1);
    expect(
      readPullSecrets([secretOf('orch.io/dockercfg', '.dockercfg', { a: login })], dialect),
    ).to.have.length(0);
  });

  const broken = [
    '{',
    '[]',
    'null',
    '7',
    '{"auths":[]}',
    '{"auths":{"a":7}}',
    '{"auths":{"a":{"username":{}}}}',
  ];
  for (const text of [...broken, `{"auths":{"a":{"auth":"${base64('secret')}"}}}`]) {
    it(`refuses ${text} without quoting it`, () => {
      const read = () =>
        readPullSecrets([secretOf('orch.io/dockerconfigjson', '.dockerconfigjson', text)], orchDialect);
      expect(read).to.throw(RegistryConfigError).with.property('message').that.does.not.include('secret":');
    });
  }

  it('takes a file without logins', () => {
    expect([...readConfigJson('{}')]).to.deep.equal([]);
  });
});
