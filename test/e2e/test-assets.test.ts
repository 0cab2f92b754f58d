import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Agent, fetch } from 'undici';
import { issueCertificate, type KeyPair, makeAuthority } from '../../src/server/pki/index.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const orch = join(import.meta.dirname, '../../bin/orch');
/** As many as the packages of a large project, whose tests run at the same time. */
const atOnce = 20;
const times = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
const unverified = new Agent({ connect: { rejectUnauthorized: false } });

/** A control plane as envtest starts it: its files, its flags, its checks of health, its signal to stop. */
class ControlPlane {
  readonly url: string;
  readonly #folder: string;
  readonly #processes: ChildProcess[] = [];
  readonly #authority: KeyPair;

  private constructor(folder: string, authority: KeyPair, port: number) {
    this.#folder = folder;
    this.#authority = authority;
    this.url = `https://127.0.0.1:${port}`;
  }

  static async start(assets: string, folder: string): Promise<ControlPlane> {
    const [storePort = 0, peerPort = 0, port = 0] = await freePorts(3);
    await mkdir(folder);
    const authority = await makeAuthority({ commonName: 'envtest-environment', ...times });
    const plane = new ControlPlane(folder, authority, port);
    await plane.#writeFiles();
    const storeUrl = `http://127.0.0.1:${storePort}`;
    plane.#run(join(assets, 'etcd'), [
      `--advertise-client-urls=${storeUrl}`,
      `--data-dir=${folder}`,
      `--listen-client-urls=${storeUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      '--unsafe-no-fsync=true',
    ]);
    await untilHealthy(`${storeUrl}/health`);
    plane.#run(join(assets, 'kube-apiserver'), [
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${folder}`,
      `--client-ca-file=${join(folder, 'client-cert-auth-ca.crt')}`,
      '--disable-admission-plugins=ServiceAccount',
      `--etcd-servers=${storeUrl}`,
      `--secure-port=${port}`,
      `--service-account-issuer=${plane.url}/`,
      `--service-account-key-file=${join(folder, 'sa-signer.crt')}`,
      `--service-account-signing-key-file=${join(folder, 'sa-signer.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
    ]);
    await untilHealthy(`${plane.url}/readyz`);
    await untilHealthy(`${plane.url}/healthz`);
    return plane;
  }

  /** A client of the administrator that envtest makes. */
  async client(): Promise<Agent> {
    const pair = await issueCertificate({
      authority: this.#authority,
      subject: { commonName: 'envtest-admin', organizations: ['system:masters'] },
      usage: 'client',
      ...times,
    });
    return new Agent({
      connect: { rejectUnauthorized: false, cert: pair.certificatePem, key: pair.privateKeyPem },
    });
  }

  /** Ends the processes as envtest does; resolves with their exit codes. */
  async stop(): Promise<unknown[]> {
    const ends = this.#processes.map(async (process) => {
      const exited = once(process, 'exit');
      process.kill('SIGTERM');
      const [code] = await exited;
      return code;
    });
    return Promise.all(ends);
  }

  async #writeFiles(): Promise<void> {
    const serving = await issueCertificate({
      authority: await makeAuthority({ commonName: 'serving', ...times }),
      subject: { commonName: 'localhost' },
      usage: 'server',
      ipAddresses: ['127.0.0.1'],
      ...times,
    });
    const signer = await makeAuthority({ commonName: 'signer', ...times });
    await this.#write('apiserver.crt', serving.certificatePem);
    await this.#write('apiserver.key', serving.privateKeyPem);
    await this.#write('sa-signer.crt', signer.certificatePem);
    await this.#write('sa-signer.key', signer.privateKeyPem);
    await this.#write('client-cert-auth-ca.crt', this.#authority.certificatePem);
  }

  #write(name: string, text: string): Promise<void> {
    return writeFile(join(this.#folder, name), text, { mode: 0o640 });
  }

  #run(program: string, flags: readonly string[]): void {
    this.#processes.push(spawn(program, flags, { stdio: 'ignore' }));
  }
}

async function untilHealthy(url: string): Promise<void> {
  await eventually(async () => {
    const answer = await fetch(url, { dispatcher: unverified }).catch(() => undefined);
    await answer?.text();
    return answer?.status === 200 ? true : undefined;
  });
}

async function untilLine({ stderr }: ChildProcess, line: string): Promise<void> {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await eventually(async () => (text.includes(line) ? true : undefined));
}

describe('orch test-assets', () => {
  let temporary: TemporaryDirectory;
  let assets: string;
  before(async () => {
    temporary = await makeTemporaryDirectory();
    assets = join(temporary.path, 'the assets');
    const { status, stderr } = spawnSync(orch, ['test-assets', assets], { encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
  });
  /** Programs that a test started; one that failed leaves none behind. */
  const started: ChildProcess[] = [];
  const run = (name: string, flags: readonly string[]) => {
    const program = spawn(join(assets, name), flags);
    started.push(program);
    return program;
  };
  afterEach(() => {
    for (const program of started.splice(0)) program.kill('SIGKILL');
  });
  after(() => temporary.remove());

  it('writes the three programs that helpers look for', async () => {
    expect((await readdir(assets)).sort()).to.deep.equal(['etcd', 'kube-apiserver', 'kubectl']);
  });

  it('shows in help which flags there are, as helpers ask', () => {
    const help = (name: string) => spawnSync(join(assets, name), ['--help'], { encoding: 'utf8' }).stdout;
    expect(help('etcd')).to.match(/^\s*--unsafe-no-fsync\b/m);
    expect(help('kube-apiserver'))
      .to.match(/^\s*--secure-port\b/m)
      .and.not.match(/^\s*--insecure-port\b/m);
  });

  it('starts a control plane with the flags of envtest, empty, and ends it', async () => {
    const plane = await ControlPlane.start(assets, join(temporary.path, 'one'));
    const client = await plane.client();
    try {
      const pods = await fetch(`${plane.url}/api/v1/namespaces/default/pods`, { dispatcher: client });
      expect(await pods.json()).to.deep.include({ kind: 'PodList', items: [] });
      const version = await fetch(`${plane.url}/version`, { dispatcher: client });
      expect(await version.json()).to.include({ major: '1', minor: '20' });
    } finally {
      await client.close();
      expect(await plane.stop()).to.deep.equal([0, 0]);
    }
  });

  it(`starts ${atOnce} at once, none of which sees the others`, async function () {
    this.timeout(120_000);
    const folders = Array.from({ length: atOnce }, (_, index) => join(temporary.path, `many-${index}`));
    const planes = await Promise.all(folders.map((folder) => ControlPlane.start(assets, folder)));
    const names = await Promise.all(
      planes.map(async (plane, index) => {
        const client = await plane.client();
        const url = `${plane.url}/api/v1/namespaces/default/configmaps`;
        const body = JSON.stringify({
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { name: `own-${index}` },
        });
        const headers = { 'Content-Type': 'application/json' };
        const created = await fetch(url, { method: 'POST', body, headers, dispatcher: client });
        expect(created.status).to.equal(201);
        await created.text();
        const list = (await (await fetch(url, { dispatcher: client })).json()) as {
          readonly items: readonly { readonly metadata: { readonly name: string } }[];
        };
        await client.close();
        return list.items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('own-'));
      }),
    );
    expect(names).to.deep.equal(folders.map((_, index) => [`own-${index}`]));
    const ends = await Promise.all(planes.map((plane) => plane.stop()));
    expect(ends.flat()).to.deep.equal(Array.from({ length: 2 * atOnce }, () => 0));
  });

  it('starts with the flags of the helper of the time of release 1.20, and takes its answers', async () => {
    const folder = join(temporary.path, 'old style');
    await mkdir(folder);
    const [storePort = 0, peerPort = 0, port = 0] = await freePorts(3);
    const store = run('etcd', [
      `--listen-peer-urls=http://localhost:${peerPort}`,
      `--advertise-client-urls=http://127.0.0.1:${storePort}`,
      `--listen-client-urls=http://127.0.0.1:${storePort}`,
      `--data-dir=${folder}`,
    ]);
    // That helper looked for words in the output of the store, and for a port without TLS, which this release has not.
    await untilLine(store, `serving insecure client requests on 127.0.0.1:${storePort}`);
    const server = run('kube-apiserver', [
      '--advertise-address=127.0.0.1',
      `--etcd-servers=http://127.0.0.1:${storePort}`,
      `--cert-dir=${folder}`,
      '--insecure-port=0',
      '', // of a template that came to nothing
      `--secure-port=${port}`,
      '--disable-admission-plugins=ServiceAccount',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--allow-privileged=true',
    ]);
    const exits = [server, store].map(async (process) => (await once(process, 'exit'))[0]);
    await untilHealthy(`https://127.0.0.1:${port}/healthz`);
    expect(await readdir(folder)).to.include.members(['apiserver.crt', 'apiserver.key']);
    for (const process of [server, store]) process.kill('SIGTERM');
    expect(await Promise.all(exits)).to.deep.equal([0, 0]);
  });

  it('says at -v 2 which flags it ignores, and nothing of them below', async () => {
    const said = async (...flags: string[]): Promise<string> => {
      const server = run('kube-apiserver', [
        ...['--etcd-servers=http://127.0.0.1:1', '--logtostderr', '--secure-port=0', ...flags],
        `--cert-dir=${join(temporary.path, 'said')}`,
      ]);
      let text = '';
      server.stderr.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      const exited = once(server, 'exit');
      await untilLine(server, 'info starting');
      server.kill('SIGTERM');
      await exited;
      return text;
    };
    expect(await said('-v', '2'))
      .to.include('flag ignored: --etcd-servers\n')
      .and.include('flag ignored: --logtostderr\n')
      .and.not.include('flag ignored: --secure-port');
    expect(await said('--v=1')).to.not.include('flag ignored');
  });

  it('refuses a port without TLS in the words of the release', () => {
    const { status, stderr } = spawnSync(join(assets, 'kube-apiserver'), ['--insecure-port=8080'], {
      encoding: 'utf8',
    });
    expect(status).to.not.equal(0);
    expect(stderr).to.include('only zero is allowed');
  });
});
