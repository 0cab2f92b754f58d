import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { openLocalStore } from '../../../src/app/local-maintenance.ts';
import { issueCertificate, type KeyPair, makeAuthority } from '../../../src/server/pki/index.ts';
import { written } from '../../conformance/storage/expect.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { makeValue, readValue } from '../../conformance/storage/values.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

const validity = { nowMs: Date.now(), lifetimeMs: 3_600_000 };

/** Makes an authority, and what it says of a member on loopback and of a client. */
async function makeCertificates(commonName: string) {
  const authority = await makeAuthority({ commonName, ...validity });
  const issue = (
    name: string,
    usage: 'client' | 'server',
    ipAddresses: readonly string[],
  ): Promise<KeyPair> =>
    issueCertificate({ authority, subject: { commonName: name }, usage, ipAddresses, ...validity });
  const member = await issue('etcd', 'server', ['127.0.0.1']);
  const elsewhere = await issue('etcd', 'server', ['192.0.2.1']);
  return { authority, member, elsewhere, client: await issue('orch', 'client', []) };
}

describe('an etcd cluster behind TLS', function () {
  this.timeout(60_000);
  let directory: TemporaryDirectory;
  let etcd: EtcdCluster;
  let misnamed: EtcdCluster;
  before(async () => {
    directory = await makeTemporaryDirectory();
    for (const [name, made] of Object.entries({
      ours: await makeCertificates('ours'),
      theirs: await makeCertificates('theirs'),
    })) {
      await writeFile(path(`${name}-ca.pem`), made.authority.certificatePem);
      for (const holder of ['member', 'elsewhere', 'client'] as const) {
        await writeFile(path(`${name}-${holder}.pem`), made[holder].certificatePem);
        await writeFile(path(`${name}-${holder}.key`), made[holder].privateKeyPem);
      }
    }
    const start = (holder: string) =>
      startEtcd({
        scheme: 'https',
        args: [
          `--cert-file=${path(`ours-${holder}.pem`)}`,
          `--key-file=${path(`ours-${holder}.key`)}`,
          `--trusted-ca-file=${path('ours-ca.pem')}`,
          '--client-cert-auth',
        ],
      });
    [etcd, misnamed] = await Promise.all([start('member'), start('elsewhere')]);
  });
  after(async () => {
    await etcd?.[Symbol.asyncDispose]();
    await misnamed?.[Symbol.asyncDispose]();
    await directory?.remove();
  });

  const path = (name: string): string => join(directory.path, name);
  const open = (ca: string | undefined, client: string | undefined, cluster = etcd) =>
    openLocalStore({
      url: `etcd:${cluster.endpoints.join(',')}`,
      dialect: 'orch',
      etcd: {
        etcdPrefix: '/registry',
        etcdCafile: ca && path(`${ca}-ca.pem`),
        etcdCertfile: client && path(`${client}-client.pem`),
        etcdKeyfile: client && path(`${client}-client.key`),
      },
    });

  it('serves reads, writes and watches of who shows a client certificate', async () => {
    await using opened = await open('ours', 'ours');
    const { storage } = opened;
    const prefix = '/registry/configmaps/';
    const watch = new WatchRecorder(storage, { prefix, afterRevision: await storage.currentRevision() });
    const { key, revision } = written(await storage.create(`${prefix}a`, makeValue('a', 1)));
    await watch.reaches(revision);
    expect(watch.lines).to.deep.equal([`put ${key}@${revision}`]);
    const object = await storage.get(key);
    expect(object && readValue(object.bytes).content).to.deep.equal(1);
  });

  const refusals = {
    'members of another authority': {
      of: () => open('theirs', 'ours'),
      text: /its certificate is not trusted: /,
    },
    'members that the system does not know': {
      of: () => open(undefined, 'ours'),
      text: /its certificate is not trusted: /,
    },
    'members with the certificate of another address': {
      of: () => open('ours', 'ours', misnamed),
      text: /its certificate is not trusted: Hostname\/IP does not match/,
    },
    'a client without certificate': {
      of: () => open('ours', undefined),
      text: /does not accept the client certificate/,
    },
    'a client of another authority': {
      of: () => open('ours', 'theirs'),
      text: /does not accept the client certificate/,
    },
  } as const;
  for (const [whom, { of, text }] of Object.entries(refusals)) {
    it(`refuses ${whom}, and says so at once`, async () => {
      const startMs = performance.now();
      const failure = await of().catch((error: Error) => error);
      expect(String(failure)).to.match(text);
      expect(performance.now() - startMs).to.be.below(3000);
    });
  }
});
