import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { missingForContainerd } from './containerd.ts';
import { removeLeftovers } from './containerd-cleanup.ts';
import { networkConfig } from './containerd-config.ts';
import { imageArchive, makeImages } from './containerd-images.ts';
import { askEngine } from './engine-api.ts';
import { findProgram } from './find-program.ts';
import { freeSubnet } from './free-subnet.ts';
import { stopProcess } from './stop-process.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** An engine of the test's own, and a network for its pods: nothing of it is shared with another one on the machine. */
export interface TestEngine extends AsyncDisposable {
  /** `unix://` endpoint. */
  readonly endpoint: string;
  /** Folder that is removed at the end, with room for the test's own files. */
  readonly folder: string;
  /** Control group for the test's pods; removed at the end. */
  readonly cgroupParent: string;
  /** Folders of the network of pods. */
  readonly cniConfDir: string;
  readonly cniCacheDir: string;
  readonly cniBinDir: string;
  /** Ends it at once (SIGKILL) and waits until it is gone. Containers run on. */
  kill(): Promise<void>;
  /** Lets it hang (SIGSTOP). */
  pause(): void;
  /** Lets it go on (SIGCONT). */
  resume(): void;
  /** Puts the test images back, after a test has removed some. */
  importImages(): Promise<void>;
  /** Starts it again after `kill` and waits until it answers. */
  start(): Promise<void>;
}

const cniBinDir = '/usr/lib/cni';
const readyTimeoutMs = 30_000;
const run = promisify(execFile);

/** What is missing for the engine on this machine; undefined when it can run. */
export function missingForEngine(): string | undefined {
  const missing = missingForContainerd();
  if (missing !== undefined) return missing;
  return findProgram('dockerd') === undefined ? 'the engine needs dockerd' : undefined;
}

/** Starts an engine with the test images, and waits until it answers. */
export async function startEngine(): Promise<TestEngine> {
  const directory = await makeTemporaryDirectory();
  const token = randomBytes(3).toString('hex');
  const folder = directory.path;
  const socket = join(folder, 'e.sock');
  const bridge = `orch-${token}`;
  const ownBridge = `orche-${token}`;
  const cgroupParent = `/orch-test-${token}`;
  const { gateway } = freeSubnet();
  const cniConfDir = join(folder, 'net.d');
  const daemon = new EngineDaemon({ folder, socket, bridge: ownBridge });
  const dispose = async (): Promise<void> => {
    await removeContainers(socket).catch(() => undefined); // What it leaves is removed without it.
    await daemon.end();
    const shimSocket = join(folder, 'exec', 'containerd', 'containerd.sock');
    await removeLeftovers({ folder, bridge, cgroup: cgroupParent, socket: shimSocket });
    await run('ip', ['link', 'delete', ownBridge]).catch(() => undefined); // It was not made.
    await directory.remove();
  };
  const importImages = async (): Promise<void> => {
    const stream = createReadStream(join(folder, imageArchive));
    const body = { type: 'application/x-tar', stream };
    await askEngine({ socket, method: 'POST', path: '/images/load?quiet=1', body });
  };
  try {
    await mkdir(cniConfDir);
    await makeBridge(ownBridge, `${gateway}/20`);
    const { subnet } = freeSubnet(); // Another one: the bridge has its address by now.
    await writeFile(
      join(cniConfDir, '10-test.conflist'),
      JSON.stringify(networkConfig({ folder, bridge, subnet })),
    );
    await makeImages(folder, findProgram('busybox') ?? '');
    await describeForEngine(folder);
    await daemon.start();
    await importImages();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    endpoint: `unix://${socket}`,
    folder,
    cgroupParent,
    cniConfDir,
    cniCacheDir: join(folder, 'cni-cache'),
    cniBinDir,
    importImages,
    kill: () => daemon.kill(),
    pause: () => daemon.pause(),
    resume: () => daemon.signal('SIGCONT'),
    start: () => daemon.start(),
    [Symbol.asyncDispose]: dispose,
  };
}

/** The network that the engine has of its own: it is not to touch the machine's rules for packets to make one. */
async function makeBridge(name: string, address: string): Promise<void> {
  await run('ip', ['link', 'add', name, 'type', 'bridge']);
  await run('ip', ['address', 'add', address, 'dev', name]);
  await run('ip', ['link', 'set', name, 'up']);
}

interface ImageIndex {
  readonly manifests: readonly {
    readonly digest: string;
    readonly annotations: Readonly<Record<string, string>>;
  }[];
}

interface ImageManifest {
  readonly config: { readonly digest: string };
  readonly layers: readonly { readonly digest: string }[];
}

/** Adds to the archive of images the list that the engine looks for. */
async function describeForEngine(folder: string): Promise<void> {
  const archive = join(folder, imageArchive);
  const readEntry = async (name: string): Promise<unknown> =>
    JSON.parse((await run('tar', ['-xOf', archive, `./${name}`])).stdout);
  const pathOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`;
  // Both are what `makeImages` has written.
  const { manifests } = (await readEntry('index.json')) as ImageIndex;
  const list = await Promise.all(
    manifests.map(async ({ digest, annotations }) => {
      const { config, layers } = (await readEntry(pathOf(digest))) as ImageManifest;
      return {
        Config: pathOf(config.digest),
        RepoTags: [annotations['io.containerd.image.name']],
        Layers: layers.map((layer) => pathOf(layer.digest)),
      };
    }),
  );
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(list));
  await run('tar', ['-rf', archive, '-C', folder, 'manifest.json']);
}

async function removeContainers(socket: string): Promise<void> {
  const text = await askEngine({ socket, method: 'GET', path: '/containers/json?all=1' });
  const containers = JSON.parse(text) as readonly { readonly Id: string }[];
  await Promise.all(
    containers.map(({ Id }) =>
      askEngine({ socket, method: 'DELETE', path: `/containers/${Id}?force=1` }).catch(() => undefined),
    ),
  );
}

interface EngineDaemonOptions {
  readonly folder: string;
  readonly socket: string;
  readonly bridge: string;
}

class EngineDaemon {
  readonly #folder: string;
  readonly #socket: string;
  readonly #bridge: string;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();

  constructor({ folder, socket, bridge }: EngineDaemonOptions) {
    this.#folder = folder;
    this.#socket = socket;
    this.#bridge = bridge;
  }

  async start(): Promise<void> {
    const at = (name: string): string => join(this.#folder, name);
    const args = ['--config-file', at('engine.json')];
    await writeFile(
      at('engine.json'),
      JSON.stringify({
        'data-root': at('data'),
        'exec-root': at('exec'),
        hosts: [`unix://${this.#socket}`],
        pidfile: at('engine.pid'),
        bridge: this.#bridge,
        iptables: false,
        'ip-forward': false,
        'ip-masq': false,
        'live-restore': true,
        'exec-opts': ['native.cgroupdriver=cgroupfs'],
      }),
    );
    const log = openSync(at('engine.log'), 'a');
    const child = spawn(findProgram('dockerd') ?? 'dockerd', args, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    await this.#waitUntilReady(child);
  }

  async kill(): Promise<void> {
    this.signal('SIGCONT');
    this.signal('SIGKILL');
    await this.#exited;
    await this.#waitForHelper();
  }

  /** An engine that finds the program below the one before still there would go on with it, while it ends. */
  async #waitForHelper(): Promise<void> {
    const file = join(this.#folder, 'exec', 'containerd', 'containerd.pid');
    const pid = Number(await readFile(file, 'utf8').catch(() => '0'));
    for (let tries = 0; pid > 1 && isAlive(pid) && tries < 500; tries++) await delay(20);
  }

  /** Lets it end what it has begun. */
  async end(): Promise<void> {
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    const late = delay(10_000, undefined, { ref: false }).then(() => this.kill());
    await Promise.race([this.#exited, late]);
  }

  pause(): void {
    if (this.#child?.pid !== undefined) stopProcess(this.#child.pid);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async #waitUntilReady(child: ChildProcess): Promise<void> {
    for (const lateAt = Date.now() + readyTimeoutMs; ; ) {
      const call = { socket: this.#socket, method: 'GET', path: '/_ping' } as const;
      if ((await askEngine(call).catch(() => '')) === 'OK') return;
      if (Date.now() > lateAt || child.exitCode !== null) {
        const log = await readFile(join(this.#folder, 'engine.log'), 'utf8');
        throw new Error(`the engine did not get ready: ${log.slice(-2000)}`);
      }
      await delay(30);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
