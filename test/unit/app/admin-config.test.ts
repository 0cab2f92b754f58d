import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { adminClientConfig, mergeAdminConfig } from '../../../src/app/admin-config.ts';
import type { ProgramIo } from '../../../src/app/program-io.ts';
import {
  type ClientConfig,
  readClientConfigFile,
  saveClientConfig,
} from '../../../src/client/config/index.ts';

const access = { url: 'https://127.0.0.1:6443', authorityPem: 'CA', certificatePem: 'C', privateKeyPem: 'K' };
const admin = adminClientConfig(access);

describe('mergeAdminConfig', () => {
  let home: string;
  let file: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'orch-home-'));
    file = join(home, '.orch/config');
    await mkdir(join(home, '.orch'));
  });
  afterEach(() => rm(home, { recursive: true }));

  const io = (changes: Partial<ProgramIo> = {}): ProgramIo => ({
    env: {},
    home,
    isRoot: false,
    out() {},
    err() {},
    ...changes,
  });
  const saved = async (): Promise<ClientConfig> =>
    (await readClientConfigFile(file)) ?? expect.fail('no file');

  it('makes the file where there is none', async () => {
    await rm(join(home, '.orch'), { recursive: true });
    expect(await mergeAdminConfig(admin, io())).to.deep.equal([]);
    expect(await saved()).to.deep.equal(admin);
  });

  it('replaces its own entry, after a new port or after a new authority', async () => {
    for (const changed of [
      { url: 'https://127.0.0.1:7000' },
      { authorityPem: 'other CA', certificatePem: 'D' },
    ]) {
      await saveClientConfig(file, admin);
      const next = adminClientConfig({ ...access, ...changed });
      expect(await mergeAdminConfig(next, io())).to.deep.equal([]);
      expect(await saved()).to.deep.equal(next);
    }
  });

  it('leaves alone what it does not know in the file', async () => {
    const exec = '{command: get-token, apiVersion: client.example/v1}';
    await writeFile(
      file,
      `kind: Config\nusers:\n- name: me\n  user: {exec: ${exec}}\nextensions: [{name: x, extension: {}}]\nlater: [z]\n`,
    );
    await mergeAdminConfig(admin, io());
    const text = await readFile(file, 'utf8');
    expect(text).to.include('command: get-token').and.include('- name: x').and.include('- z');
    expect((await saved()).contexts.has('orch')).to.equal(true);
  });

  it('adds itself beside other clusters and keeps the current context', async () => {
    const theirs: ClientConfig = {
      clusters: new Map([['prod', { server: 'https://prod' }]]),
      users: new Map([['me', { token: 't' }]]),
      contexts: new Map([['prod', { cluster: 'prod', user: 'me' }]]),
      currentContext: 'prod',
    };
    await saveClientConfig(file, theirs);
    expect(await mergeAdminConfig(admin, io())).to.deep.equal(['--context=orch']);
    const merged = await saved();
    expect(merged.currentContext).to.equal('prod');
    expect(merged.clusters.get('prod')).to.deep.equal({ server: 'https://prod' });
    expect(merged.users.get('me')).to.deep.equal({ token: 't' });
    expect(merged.contexts.get('orch')).to.deep.equal({ cluster: 'orch', user: 'orch-admin' });
  });

  it("never touches an entry of its name that is another server's", async () => {
    const clash = adminClientConfig({ ...access, url: 'https://prod', authorityPem: 'prod CA' });
    const withUser = { ...admin, clusters: new Map(), contexts: new Map(), currentContext: '' };
    for (const config of [clash, withUser]) {
      await saveClientConfig(file, config);
      const before = await readFile(file, 'utf8');
      expect(await mergeAdminConfig(admin, io())).to.equal(undefined);
      expect(await readFile(file, 'utf8')).to.equal(before);
    }
  });

  it('leaves a file alone that it cannot understand', async () => {
    await writeFile(file, 'kind: [');
    expect(await mergeAdminConfig(admin, io())).to.equal(undefined);
    expect(await readFile(file, 'utf8')).to.equal('kind: [');
  });

  it('does nothing where the client would not look', async () => {
    expect(await mergeAdminConfig(admin, io({ env: { ORCHCONFIG: '/elsewhere' } }))).to.equal(undefined);
    expect(await mergeAdminConfig(admin, io({ home: undefined }))).to.equal(undefined);
    expect(await readClientConfigFile(file)).to.equal(undefined);
  });
});
