import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { issueLink } from '../../support/certificate-chain.ts';

const source = new URL('../../../src/client/rest/authorities.ts', import.meta.url).href;

describe('chooseAuthorities', () => {
  let folder: string;
  let extra: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orch-authorities-'));
    extra = join(folder, 'extra.pem');
    await writeFile(extra, (await issueLink({ name: 'extra' })).certificatePem);
  });
  after(() => rm(folder, { recursive: true }));

  /** How many authorities a new process trusts by default after connections were made so. */
  function countTrusted(
    connections: readonly object[],
    flags: readonly string[] = ['--use-openssl-ca'],
  ): number {
    const script = `
      import { chooseAuthorities } from ${JSON.stringify(source)};
      import { getCACertificates } from 'node:tls';
      for (const tls of ${JSON.stringify(connections)}) chooseAuthorities(tls);
      console.log(getCACertificates('default').length);`;
    const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: extra };
    const args = [...flags, '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect(stderr).to.equal('');
    return Number(stdout);
  }
  const own = { ca: 'a certificate' };

  it('leaves the runtime as it is without the flag', () => {
    const usual = countTrusted([], []);
    expect(usual).to.be.greaterThan(100);
    expect(countTrusted([own, {}, own], [])).to.equal(usual);
  });

  it('lets a connection that names none trust the usual ones, and those that were added', () => {
    expect(countTrusted([{}])).to.equal(countTrusted([], []));
    expect(countTrusted([own, {}, own])).to.equal(countTrusted([], []));
  });

  it('loads none where each connection names its own, or trusts anybody', () => {
    expect(countTrusted([own, own])).to.equal(0);
    expect(countTrusted([{ skipsVerification: true }])).to.equal(0);
  });
});
