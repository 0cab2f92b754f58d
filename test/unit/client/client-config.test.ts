import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  ClientConfigError,
  decodeClientConfig,
  editClientConfigFile,
  encodeClientConfig,
  loadClientConfig,
  locateClientConfig,
  resolveConnection,
  resolveContext,
  resolveInCluster,
} from '../../../src/client/config/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';

const orch = createDialect('orch');
const config = (server: string, current = 'c') => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': current,
  clusters: [
    { name: 'k', cluster: { server, 'certificate-authority-data': Buffer.from('CA').toString('base64') } },
  ],
  users: [{ name: 'u', user: { token: 'secret' } }],
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'team' } }],
});

describe('client configuration', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'client-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, value: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };
  const load = (...files: string[]) =>
    loadClientConfig({ files, isExplicit: false, isFromEnvironment: false });

  it('is looked for in the flag, the environment, and the home folder, in this order', () => {
    const inputs = { env: { ORCHCONFIG: '/a:/b' }, home: '/home/x', dialect: orch };
    expect(locateClientConfig({ ...inputs, flag: '/f' })).to.deep.include({
      files: ['/f'],
      isExplicit: true,
    });
    expect(locateClientConfig(inputs)).to.deep.include({ files: ['/a', '/b'], isExplicit: false });
    expect(locateClientConfig({ ...inputs, env: {} }).files).to.deep.equal(['/home/x/.orch/config']);
  });

  it('is looked for under the names of the other dialect too, after its own', () => {
    const dialect = createDialect('kubernetes');
    const [own, other] = locateClientConfig({ env: {}, home: '/h', dialect }).files;
    expect(own).to.equal('/h/.orch/config');
    expect(other).to.equal(dialect.spell('~/.orch/config').replace('~', '/h'));
    const env = { [dialect.spell('ORCHCONFIG')]: '/x' };
    expect(locateClientConfig({ env, home: '/h', dialect }).files).to.deep.equal(['/x']);
  });

  it('merges files: the first to say something wins, missing files count as empty', async () => {
    const one = write('one', { ...config('https://one'), 'current-context': '' });
    const two = write('two', { ...config('https://two', 'other'), users: [{ name: 'v', user: {} }] });
    const merged = await load(join(folder, 'missing'), one, two);
    expect(merged.clusters.get('k')?.server).to.equal('https://one');
    expect([...merged.users.keys()]).to.deep.equal(['u', 'v']);
    expect(merged.currentContext).to.equal('other');
  });

  it('takes relative paths from the folder of the file', async () => {
    mkdirSync(join(folder, 'sub'));
    const file = write(
      'sub/config',
      'users:\n- name: u\n  user: {client-key: key.pem, client-certificate: /abs.pem}\n',
    );
    const user = (await load(file)).users.get('u');
    expect(user).to.deep.equal({ clientKey: join(folder, 'sub/key.pem'), clientCertificate: '/abs.pem' });
  });

  it('fails for a file that the user named and that does not exist', async () => {
    const outcome = await loadClientConfig({
      files: ['/nope'],
      isExplicit: true,
      isFromEnvironment: false,
    }).catch((error) => error);
    expect(outcome).to.be.instanceOf(ClientConfigError);
    expect(outcome.message).to.equal('stat /nope: no such file or directory');
  });

  for (const [title, text] of [
    ['text that is no YAML', '{a: ['],
    ['a list', '[1]'],
    ['clusters that are no list', '{"clusters":{}}'],
    ['an entry without a name', '{"users":[{}]}'],
    ['a token that is a number', '{"users":[{"name":"u","user":{"token":5}}]}'],
  ] as const) {
    it(`refuses ${title}, naming the file`, async () => {
      const file = write('bad', text);
      const outcome = await load(file).catch((error) => error);
      expect(outcome).to.be.instanceOf(ClientConfigError);
      expect(outcome.message).to.contain(file);
    });
  }

  it('is of no other kind or version; a file need not say either', () => {
    expect(decodeClientConfig({ kind: 'Config' })).to.deep.equal(decodeClientConfig({ apiVersion: 'v1' }));
    for (const [document, message] of [
      [{ kind: 'Pod', apiVersion: 'v1' }, 'no kind "Pod" is registered for version "v1"'],
      [{ kind: 'Config', apiVersion: 'v2' }, 'no kind "Config" is registered for version "v2"'],
    ] as const)
      expect(() => decodeClientConfig(document)).to.throw(ClientConfigError, message);
  });

  it('survives being written and read', () => {
    const decoded = decodeClientConfig(config('https://x'));
    expect(decodeClientConfig(encodeClientConfig(decoded))).to.deep.equal(decoded);
  });

  describe('editClientConfigFile', () => {
    it('keeps what it does not know, and writes for the owner only', async () => {
      const file = write('config', {
        ...config('https://x'),
        extensions: [{ name: 'e' }],
        users: [{ name: 'u', user: { exec: { command: 'x' } } }],
      });
      await editClientConfigFile(file, [
        { kind: 'set', section: 'users', name: 'u', fields: { token: 't' } },
        { kind: 'set', section: 'contexts', name: 'new', fields: { cluster: 'k', namespace: undefined } },
        { kind: 'remove', section: 'clusters', name: 'k' },
        { kind: 'current-context', name: 'new' },
      ]);
      const text = readFileSync(file, 'utf8');
      expect(text).to.contain('command: x').and.contain('token: t').and.contain('- name: e');
      const read = await load(file);
      expect([...read.contexts.keys()]).to.deep.equal(['c', 'new']);
      expect([read.clusters.size, read.currentContext]).to.deep.equal([0, 'new']);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
    });

    it('makes a file with its folder, and follows a link', async () => {
      const file = join(folder, 'new/folder/config');
      await editClientConfigFile(file, [{ kind: 'current-context', name: 'a' }]);
      const link = join(folder, 'link');
      symlinkSync(file, link);
      await editClientConfigFile(link, [{ kind: 'current-context', name: 'b' }]);
      expect((await load(file)).currentContext).to.equal('b');
    });
  });

  it('keeps preferences, and what other programs keep in it', () => {
    const extensions = [{ name: 'e', extension: { z: 1 } }];
    const document = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      preferences: { colors: true },
      extensions,
      clusters: [{ name: 'k', cluster: { server: 'https://k', extensions } }],
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', extensions } }],
      users: [{ name: 'u', user: { as: 'bob', 'as-user-extra': { a: ['b'] }, extensions } }],
    };
    expect(encodeClientConfig(decodeClientConfig(document))).to.deep.equal(document);
    expect(() =>
      decodeClientConfig({ ...document, users: [{ name: 'u', user: { 'as-user-extra': { a: 'b' } } }] }),
    ).to.throw(ClientConfigError, 'as-user-extra must be a map of lists');
  });

  describe('resolveContext', () => {
    it('acts as the user of the entry, with all that is to be known of it', () => {
      const acting = (user: object) =>
        resolveContext(
          decodeClientConfig({
            'current-context': 'c',
            clusters: [{ name: 'k', cluster: { server: 'https://k' } }],
            contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
            users: [{ name: 'u', user }],
          }),
        ).connection.auth.impersonate;
      const extra = { scopes: ['view', 'edit'] };
      expect(acting({ as: 'bob', 'as-user-extra': extra })).to.deep.equal({ user: 'bob', groups: [], extra });
      expect(() => acting({ 'as-user-extra': extra })).to.throw(
        ClientConfigError,
        'requesting groups or user-extra for u without impersonating a user',
      );
    });

    const decoded = decodeClientConfig(config('https://one:6443/'));

    it('joins cluster, user and namespace of the current context', () => {
      const { connection, namespace } = resolveContext(decoded);
      expect(connection.server).to.equal('https://one:6443');
      expect(connection.auth.token).to.equal('secret');
      expect(String(connection.tls.ca)).to.equal('CA');
      expect(namespace).to.equal('team');
    });

    it('lets flags win', () => {
      const { connection, namespace, isNamespaceEnforced } = resolveContext(decoded, {
        server: '127.0.0.1:1',
        token: 'other',
        namespace: 'n',
        impersonate: 'bob',
        impersonateGroups: ['g'],
      });
      expect(connection.server).to.equal('http://127.0.0.1:1');
      expect(connection.auth).to.deep.equal({ token: 'other', impersonate: { user: 'bob', groups: ['g'] } });
      expect([namespace, isNamespaceEnforced]).to.deep.equal(['n', true]);
    });

    it('goes to localhost without any configuration', () => {
      expect(resolveContext(decodeClientConfig({})).connection.server).to.equal('http://localhost:8080');
    });

    it('fails for a current context that is not there, also when a flag names the server', () => {
      const lost = decodeClientConfig({ 'current-context': 'lost' });
      for (const overrides of [{}, { server: 'https://127.0.0.1:1' }])
        expect(() => resolveContext(lost, overrides)).to.throw(
          ClientConfigError,
          'context was not found for specified context: lost',
        );
    });

    for (const [overrides, message] of [
      [{ context: 'x' }, 'Error in configuration: context was not found for specified context: x'],
      [{ cluster: 'x' }, 'no server found for cluster "x"'],
      [{ user: 'x' }, 'auth info "x" does not exist'],
      [{ impersonateGroups: ['g'] }, 'requesting groups or user-extra for u without impersonating a user'],
      [{ clientKey: '/nope' }, 'unable to read client-key /nope: open /nope: no such file or directory'],
      [{ server: 'ftp://x' }, `the server's address "ftp://x" is no HTTP URL`],
    ] as const) {
      it(`fails: ${message}`, () => {
        expect(() => resolveContext(decoded, overrides)).to.throw(ClientConfigError, message);
      });
    }
  });

  describe('resolveConnection', () => {
    const exec = { command: 'x', apiVersion: 'client.authentication.orch.io/v1beta1' };
    const authProvider = { name: 'oidc' };
    const of = (user: object) =>
      decodeClientConfig({
        users: [{ name: 'u', user }],
        contexts: [{ name: 'c', context: { user: 'u' } }],
        'current-context': 'c',
      });

    for (const [user, way] of [
      [{ exec }, 'exec'],
      [{ 'auth-provider': authProvider }, 'auth-provider'],
    ] as const) {
      it(`refuses a user with ${way}, whom nothing would authenticate`, () => {
        const message = `user "u": ${way} is not supported here`;
        expect(() => resolveConnection(of(user))).to.throw(ClientConfigError, message);
        const bare = { ...of(user), currentContext: '' };
        expect(() => resolveConnection(bare, { user: 'u' })).to.throw(ClientConfigError, message);
      });

      it(`takes a token in place of ${way}`, () => {
        expect(resolveConnection(of({ ...user, token: 't' })).auth?.token).to.equal('t');
        expect(resolveConnection(of(user), { token: 'flag' }).auth?.token).to.equal('flag');
      });
    }
  });

  it('is found inside a pod', () => {
    write('token', 't1\n');
    write('namespace', 'ns');
    const env = { ORCH_SERVICE_HOST: '::1', ORCH_SERVICE_PORT: '443' };
    const found = resolveInCluster({ env, dialect: orch, folder });
    expect(found?.connection.server).to.equal('https://[::1]:443');
    expect(found?.connection.auth.token).to.equal('t1');
    expect(found?.namespace).to.equal('ns');
    expect(resolveInCluster({ env: {}, dialect: orch, folder })).to.equal(undefined);
  });
});
