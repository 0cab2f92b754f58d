import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import {
  directoryKeyStore,
  issueCertificate,
  type KeyPair,
  type KeyStore,
  makeAuthority,
  memoryKeyStore,
  openPki,
  PkiError,
  type PkiOptions,
  type ServingNames,
  selfSignedOf,
} from '../../../../src/server/pki/index.ts';

const dayMs = 86_400_000;
const startMs = Date.UTC(2030, 0, 1);
const names: ServingNames = {
  dnsNames: ['api.example.org', 'localhost'],
  ipAddresses: ['127.0.0.1', '::1', 'fd00::2'],
};

const open = async (store: KeyStore, changes: Partial<PkiOptions> = {}) => {
  const pki = await openPki({
    store,
    nowMs: () => startMs,
    names: () => names,
    adminName: 'admin',
    agentClientName: 'agent-client',
    authorityName: 'test-ca',
    ...changes,
  });
  return {
    ...pki,
    get serving(): KeyPair {
      return pki.serving ?? expect.fail('there is no serving certificate');
    },
  };
};

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error,
  );
}

describe('openPki', () => {
  it('makes an authority that has signed the serving and the administrator certificate', async () => {
    const pki = await open(memoryKeyStore());
    const authority = new X509Certificate(pki.authorityPem);
    const serving = new X509Certificate(pki.serving.certificatePem);
    const admin = new X509Certificate(pki.admin.certificatePem);
    expect(authority.ca).to.equal(true);
    const agentClient = new X509Certificate(pki.agentClient.certificatePem);
    for (const certificate of [serving, admin, agentClient]) {
      expect(certificate.ca).to.equal(false);
      expect(certificate.checkIssued(authority)).to.equal(true);
      expect(certificate.verify(authority.publicKey)).to.equal(true);
    }
    expect(admin.subject).to.equal('O=system:masters\nCN=admin');
    expect(agentClient.subject).to.equal('O=system:masters\nCN=agent-client');
    expect(agentClient.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2']);
    expect(admin.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2']);
    expect(serving.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
  });

  it('covers all names and addresses in the serving certificate', async () => {
    const serving = new X509Certificate((await open(memoryKeyStore())).serving.certificatePem);
    expect(serving.checkHost('api.example.org')).to.equal('api.example.org');
    expect(serving.checkHost('other.example.org')).to.equal(undefined);
    for (const address of names.ipAddresses) expect(serving.checkIP(address), address).to.equal(address);
  });

  it('serves TLS that verifies, and knows the administrator by certificate', async () => {
    const pki = await open(memoryKeyStore(), { nowMs: Date.now });
    const server = createServer({
      cert: pki.serving.certificatePem,
      key: pki.serving.privateKeyPem,
      ca: pki.authorityPem,
      requestCert: true,
      rejectUnauthorized: false,
    });
    const seen = new Promise<TLSSocket>((resolve) => server.once('secureConnection', resolve));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number }; // a TCP server's address is an object
      const client = connect({
        port,
        host: '127.0.0.1',
        ca: pki.authorityPem,
        cert: pki.admin.certificatePem,
        key: pki.admin.privateKeyPem,
      });
      await new Promise<void>((resolve, reject) =>
        client.once('secureConnect', resolve).once('error', reject),
      );
      const socket = await seen;
      expect(client.authorized).to.equal(true);
      expect(socket.authorized).to.equal(true);
      expect(socket.getPeerCertificate().subject.O).to.equal('system:masters');
      client.destroy();
    } finally {
      server.close();
    }
  });

  it('keeps everything between starts', async () => {
    const store = memoryKeyStore();
    const first = await open(store);
    const second = await open(store, { nowMs: () => startMs + 30 * dayMs });
    expect(second.authorityPem).to.equal(first.authorityPem);
    expect(second.serving).to.deep.equal(first.serving);
    expect(second.admin).to.deep.equal(first.admin);
    expect(second.serviceAccountKey).to.deep.equal(first.serviceAccountKey);
  });

  it('makes an RSA key for tokens, whose halves fit', async () => {
    const { serviceAccountKey } = await open(memoryKeyStore());
    const privateKey = createPrivateKey(serviceAccountKey.privateKeyPem);
    expect(privateKey.asymmetricKeyType).to.equal('rsa');
    expect(privateKey.asymmetricKeyDetails?.modulusLength).to.equal(2048);
    const publicKey = createPublicKey(serviceAccountKey.publicKeyPem);
    expect(createPublicKey(privateKey).equals(publicKey)).to.equal(true);
  });

  it('takes another kind of key for tokens as it is', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const store = memoryKeyStore();
    await store.write('service-account.key', pem);
    expect((await open(store)).serviceAccountKey.privateKeyPem).to.equal(pem);
  });

  it('writes nothing after it has failed', async () => {
    const memory = memoryKeyStore();
    await memory.write('ca.crt', 'garbage');
    const writes: string[] = [];
    const store: KeyStore = {
      ...memory,
      write: async (name, content) => {
        writes.push(name);
        await memory.write(name, content);
      },
    };
    expect(await rejection(open(store))).to.be.instanceOf(PkiError);
    expect(writes).to.deep.equal(['service-account.key']);
  });

  it('replaces certificates in time, under the same authority', async () => {
    const store = memoryKeyStore();
    const first = await open(store);
    const later = await open(store, { nowMs: () => startMs + 250 * dayMs });
    expect(later.authorityPem).to.equal(first.authorityPem);
    expect(later.serving.certificatePem).not.to.equal(first.serving.certificatePem);
    expect(later.admin.certificatePem).not.to.equal(first.admin.certificatePem);
  });

  it('replaces the serving certificate alone when the names change', async () => {
    const store = memoryKeyStore();
    const first = await open(store);
    const moved = await open(store, { names: () => ({ ...names, ipAddresses: ['127.0.0.1', '10.9.8.7'] }) });
    expect(moved.serving.certificatePem).not.to.equal(first.serving.certificatePem);
    expect(moved.admin).to.deep.equal(first.admin);
  });

  it('makes damaged and half-written certificates again', async () => {
    const store = memoryKeyStore();
    await open(store);
    await store.write('nodeagent-client.crt', 'garbage');
    await store.write('apiserver.key', 'garbage');
    await store.write('admin.key', (await store.read('nodeagent-client.key')) ?? '');
    const pki = await open(store);
    expect(new X509Certificate(pki.serving.certificatePem).subject).to.equal('CN=orch-serving');
    expect(new X509Certificate(pki.agentClient.certificatePem).subject).to.include('CN=agent-client');
    const keys = await Promise.all(['admin', 'apiserver'].map((name) => store.read(`${name}.key`)));
    expect(keys).to.deep.equal([pki.admin.privateKeyPem, pki.serving.privateKeyPem]);
    createPrivateKey(pki.serving.privateKeyPem);
  });

  it('never replaces an authority: a missing or foreign key is an error', async () => {
    const [store, other] = [memoryKeyStore(), memoryKeyStore()];
    await Promise.all([open(store), open(other)]);
    await store.write('ca.key', (await other.read('ca.key')) ?? '');
    expect(await rejection(open(store)))
      .to.be.instanceOf(PkiError)
      .with.property('code', 'mismatch');

    const half = memoryKeyStore();
    await half.write('ca.crt', (await other.read('ca.crt')) ?? '');
    expect(await rejection(open(half)))
      .to.be.instanceOf(PkiError)
      .with.property('code', 'missing');
    await half.write('ca.key', 'garbage');
    expect(await rejection(open(half)))
      .to.be.instanceOf(PkiError)
      .with.property('code', 'unreadable');
  });
});

describe('the serving certificate of somebody else', () => {
  let foreign: KeyPair;
  before(async () => {
    const period = { nowMs: startMs, lifetimeMs: dayMs };
    const authority = await makeAuthority({ commonName: 'corp', ...period });
    const subject = { commonName: 'orch-serving' };
    foreign = await issueCertificate({ authority, subject, usage: 'server', ...period });
  });
  const storeWith = async (files: Readonly<Record<string, string>>) => {
    const store = memoryKeyStore();
    for (const [name, content] of Object.entries(files)) await store.write(name, content);
    return store;
  };

  it('is served as it is, whatever its names and however long it lasts', async () => {
    const store = await storeWith({
      'apiserver.crt': foreign.certificatePem,
      'apiserver.key': foreign.privateKeyPem,
    });
    const pki = await open(store, { nowMs: () => startMs + 3 * dayMs });
    expect(pki.serving).to.deep.equal(foreign);
    expect(await pki.refreshServing()).to.equal(undefined);
    expect(await store.read('apiserver.crt')).to.equal(foreign.certificatePem);
  });

  it('is taken up while the server runs', async () => {
    const store = memoryKeyStore();
    const pki = await open(store);
    await store.write('apiserver.crt', foreign.certificatePem);
    await store.write('apiserver.key', foreign.privateKeyPem);
    expect(await pki.refreshServing()).to.deep.equal(foreign);
    expect(pki.serving).to.deep.equal(foreign);
  });

  const broken: [what: string, files: (pair: KeyPair) => Record<string, string>, code: string][] = [
    ['without its key', ({ certificatePem }) => ({ 'apiserver.crt': certificatePem }), 'missing'],
    [
      'of which there is the key only',
      ({ privateKeyPem }) => ({ 'apiserver.key': privateKeyPem }),
      'missing',
    ],
    ['that is none', () => ({ 'apiserver.crt': 'garbage', 'apiserver.key': 'garbage' }), 'unreadable'],
    [
      'whose key is none',
      ({ certificatePem }) => ({ 'apiserver.crt': certificatePem, 'apiserver.key': 'garbage' }),
      'unreadable',
    ],
  ];
  for (const [what, files, code] of broken) {
    it(`is an error, and stays, ${what}`, async () => {
      const store = await storeWith(files(foreign));
      const error = await rejection(open(store));
      expect(error).to.be.instanceOf(PkiError).with.property('code', code);
      expect(String(error)).to.include('apiserver.');
      for (const [name, content] of Object.entries(files(foreign)))
        expect(await store.read(name)).to.equal(content);
    });
  }

  it('is an error with the key of another', async () => {
    const other = await open(memoryKeyStore());
    const files = { 'apiserver.crt': foreign.certificatePem, 'apiserver.key': other.serving.privateKeyPem };
    const error = await rejection(open(await storeWith(files)));
    expect(error).to.be.instanceOf(PkiError).with.property('code', 'mismatch');
  });

  it('does not matter where none is asked for', async () => {
    const store = await storeWith({ 'apiserver.crt': 'garbage' });
    const pki = await openPki({
      store,
      nowMs: () => startMs,
      names: undefined,
      adminName: 'admin',
      agentClientName: 'agent-client',
      authorityName: 'test-ca',
    });
    expect(pki.serving).to.equal(undefined);
    expect(await pki.refreshServing()).to.equal(undefined);
  });
});

describe('a serving certificate under its former name', () => {
  it('goes on being served, under the name of release 1.20', async () => {
    const store = memoryKeyStore();
    const { serving: before } = await open(store);
    for (const end of ['crt', 'key']) {
      await store.write(`serving.${end}`, (await store.read(`apiserver.${end}`)) ?? '');
      await store.remove(`apiserver.${end}`);
    }
    expect((await open(store)).serving).to.deep.equal(before);
    expect(await store.read('apiserver.crt')).to.equal(before.certificatePem);
    expect(await store.read('serving.crt')).to.equal(undefined);
    expect(await store.read('serving.key')).to.equal(undefined);
  });

  it('is left alone beside a newer one', async () => {
    const store = memoryKeyStore();
    const { serving } = await open(store);
    await store.write('serving.crt', 'somebody’s');
    await store.write('serving.key', 'somebody’s');
    expect((await open(store)).serving).to.deep.equal(serving);
    expect(await store.read('serving.crt')).to.equal('somebody’s');
  });
});

describe('selfSignedOf', () => {
  it('finds the authorities of a chain', async () => {
    const period = { nowMs: startMs, lifetimeMs: dayMs };
    const authority = await makeAuthority({ commonName: 'corp', ...period });
    const subject = { commonName: 'server' };
    const { certificatePem } = await issueCertificate({ authority, subject, usage: 'server', ...period });
    expect(selfSignedOf(certificatePem)).to.deep.equal([]);
    const chain = `${certificatePem}${authority.certificatePem}`;
    expect(selfSignedOf(chain)).to.deep.equal([authority.certificatePem.trim()]);
  });
});

describe('Pki.refreshServing', () => {
  it('answers nothing while the certificate is good, and the new one when it runs out', async () => {
    let nowMs = startMs;
    const pki = await open(memoryKeyStore(), { nowMs: () => nowMs });
    const before = pki.serving;
    expect(await pki.refreshServing()).to.equal(undefined);
    nowMs += 300 * dayMs;
    const fresh = await pki.refreshServing();
    expect(fresh?.certificatePem).to.be.a('string').that.does.not.equal(before.certificatePem);
    expect(pki.serving).to.equal(fresh);
    expect(await pki.refreshServing()).to.equal(undefined);
  });
});

describe('directoryKeyStore', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orch-pki-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes keys that only their owner may read, and leaves nothing else behind', async () => {
    const directory = join(folder, 'pki');
    await open(directoryKeyStore(directory));
    expect((await stat(directory)).mode & 0o777).to.equal(0o700);
    const files = await readdir(directory);
    expect(files.sort()).to.deep.equal([
      'admin.crt',
      'admin.key',
      'apiserver.crt',
      'apiserver.key',
      'ca.crt',
      'ca.key',
      'nodeagent-client.crt',
      'nodeagent-client.key',
      'service-account.key',
    ]);
    for (const file of files) {
      const { mode } = await stat(join(directory, file));
      expect(mode & 0o777, file).to.equal(file.endsWith('.crt') ? 0o644 : 0o600);
    }
  });

  it('replaces a file as a whole', async () => {
    const store = directoryKeyStore(folder);
    await writeFile(join(folder, 'a'), 'old');
    await store.write('a', 'new');
    expect(await store.read('a')).to.equal('new');
    expect(await readFile(join(folder, 'a'), 'utf8')).to.equal('new');
    expect(await store.read('b')).to.equal(undefined);
  });

  it('names the file that cannot be read', async () => {
    const error = await rejection(directoryKeyStore(join(folder, 'a\0b')).read('x'));
    expect(error).to.be.instanceOf(PkiError).with.property('code', 'unreadable');
  });
});
