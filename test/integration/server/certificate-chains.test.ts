import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { KeyPair } from '../../../src/server/pki/index.ts';
import { ApiClient } from '../../support/api-client.ts';
import { type ChainLink, chainOf, issueLink } from '../../support/certificate-chain.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const path = '/api/v1/namespaces/default/secrets';
const leaf = (issuer: KeyPair, rest: Partial<ChainLink> = {}) =>
  issueLink({ name: 'carol', isLeaf: true, usages: ['clientAuth'], issuer, ...rest });
const pemOf = (...pairs: readonly KeyPair[]) => pairs.map(({ certificatePem }) => certificatePem).join('');

/** What only clients know leads to no purpose where there are several: the runtime does not show what lies between. */
type Outcome = 'carol' | 'nobody' | 'carol where users alone have authorities';

const aloneOnly = 'carol where users alone have authorities';

/** What clients show, whether it makes them carol, and the authorities of users. */
async function makeCases() {
  const [root, other, foreign] = await Promise.all(
    ['root', 'other', 'foreign'].map((name) => issueLink({ name })),
  );
  const old = await issueLink({ name: 'old', isExpired: true });
  if (root === undefined || other === undefined || foreign === undefined) throw new Error('no roots');
  const below = (name: string, rest: Partial<ChainLink> = {}) => issueLink({ name, issuer: root, ...rest });
  const inter = await below('inter');
  const own = await issueLink({ name: 'own', issuer: foreign });
  const both = await below('both');
  const late = await below('late', { isExpired: true });
  const underOld = await issueLink({ name: 'under old', issuer: old });
  const second = await issueLink({ name: 'second', issuer: inter });
  const short = await below('short', { pathLength: 0 });
  const beyond = await issueLink({ name: 'beyond', issuer: short });
  const ended = await below('ended', { isExpired: true });
  const forServers = await below('for servers', { usages: ['serverAuth'] });
  const forClients = await below('for clients', { usages: ['clientAuth', 'serverAuth'] });
  const noAuthority = await below('no authority', { isLeaf: true });
  const impostor = await issueLink({ name: 'inter', issuer: foreign });
  const bounded = await below('bounded', { domain: 'example.com' });
  const cases: readonly (readonly [what: string, shown: KeyPair, outcome: Outcome])[] = [
    ['of a root', await leaf(root), 'carol'],
    ['of an intermediate that the client sends', chainOf(await leaf(inter), inter), aloneOnly],
    ['of an intermediate that nobody has', await leaf(inter), 'nobody'],
    ['of two intermediates', chainOf(await leaf(second), second, inter), aloneOnly],
    ['of two intermediates, in another order', chainOf(await leaf(second), inter, second), aloneOnly],
    ['of two intermediates, of which one is missing', chainOf(await leaf(second), second), 'nobody'],
    ['of an intermediate of the file, beside its root', await leaf(both), 'carol'],
    ['of an intermediate of the file and of the client', chainOf(await leaf(both), both), 'carol'],
    ['of an intermediate of the file, without its root', await leaf(own), 'carol'],
    ['of an intermediate of the file that has ended', await leaf(late), 'nobody'],
    ['of an intermediate of the file whose root has ended', await leaf(underOld), 'carol'],
    ['of a root that has ended', await leaf(old), 'nobody'],
    ['of an intermediate that has ended', chainOf(await leaf(ended), ended), 'nobody'],
    ['of an intermediate for servers only', chainOf(await leaf(forServers), forServers), 'nobody'],
    ['of an intermediate for clients', chainOf(await leaf(forClients), forClients), aloneOnly],
    ['of what is no authority', chainOf(await leaf(noAuthority), noAuthority), 'nobody'],
    ['of another intermediate with a known name', chainOf(await leaf(impostor), impostor), 'nobody'],
    ['of another intermediate, and the known one', chainOf(await leaf(impostor), inter), 'nobody'],
    ['of a longer path than its authority allows', chainOf(await leaf(beyond), beyond, short), 'nobody'],
    [
      'with a name in the domain',
      chainOf(await leaf(bounded, { dnsNames: ['a.example.com'] }), bounded),
      aloneOnly,
    ],
    [
      'with a name out of the domain',
      chainOf(await leaf(bounded, { dnsNames: ['a.test'] }), bounded),
      'nobody',
    ],
    ['without names, below a domain', chainOf(await leaf(bounded), bounded), aloneOnly],
    ['for servers', await leaf(root, { usages: ['serverAuth'] }), 'nobody'],
    ['for anything', await leaf(root, { usages: [] }), 'carol'],
    ['with authorities that are not needed', chainOf(await leaf(root), foreign, own, inter), 'carol'],
  ];
  return { cases, authorities: [root, own, both, late, old, underOld], other };
}

describe('chains of client certificates', () => {
  let directory: TemporaryDirectory;
  let made: Awaited<ReturnType<typeof makeCases>>;
  before(async () => {
    directory = await makeTemporaryDirectory();
    made = await makeCases();
    await writeFile(join(directory.path, 'users.crt'), pemOf(...made.authorities));
    await writeFile(join(directory.path, 'proxies.crt'), pemOf(made.other));
  });
  after(() => directory.remove());

  const whoIs = async ({ server }: TestServer, shown: KeyPair): Promise<string> => {
    const { certificatePem, privateKeyPem: keyPem } = shown;
    const client = new ApiClient({
      url: server.url,
      authorityPem: server.authorityPem,
      certificatePem,
      keyPem,
    });
    try {
      const { code, body } = await client.get(path);
      return code === 401 ? 'nobody' : (/User "([^"]+)"/.exec(body.message)?.[1] ?? JSON.stringify(body));
    } finally {
      client.close();
    }
  };
  const servers: Readonly<Record<string, readonly string[]>> = {
    'where users alone have authorities': [],
    'beside those of proxies': ['--requestheader-client-ca-file=proxies.crt'],
  };
  for (const [where, flags] of Object.entries(servers)) {
    it(`make users ${where}`, async () => {
      const server = await startTestServer({
        flags: ['--client-ca-file=users.crt', ...flags].map((flag) =>
          flag.replace('=', `=${directory.path}/`),
        ),
      });
      try {
        const found = [];
        for (const [what, shown] of made.cases) found.push([what, await whoIs(server, shown)]);
        const alone = flags.length === 0 ? 'carol' : 'nobody';
        const expected = made.cases.map(([what, , outcome]) => [
          what,
          outcome === aloneOnly ? alone : outcome,
        ]);
        expect(found).to.deep.equal(expected);
      } finally {
        await server.stop();
      }
    });
  }
});
