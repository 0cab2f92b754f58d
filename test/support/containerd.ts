import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import { removeLeftovers } from './containerd-cleanup.ts';
import { writeContainerdConfig } from './containerd-config.ts';
import { imageArchive, makeImages } from './containerd-images.ts';
import { findProgram } from './find-program.ts';
import { freeSubnet } from './free-subnet.ts';
import { stopProcess } from './stop-process.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** A containerd of the test's own: nothing of it is shared with another one on the machine. */
export interface Containerd extends AsyncDisposable {
  /** `unix://` endpoint. */
  readonly endpoint: string;
  /** Folder that is removed at the end, with room for the test's own files. */
  readonly folder: string;
  /** Control group for the test's pods; removed at the end. */
  readonly cgroupParent: string;
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

const programs = [
  'containerd',
  'containerd-shim-runc-v2',
  'ctr',
  'runc',
  'busybox',
  'ip',
  'iptables',
] as const;
const networkPlugin = '/usr/lib/cni/bridge';
const readyTimeoutMs = 30_000;

/** What is missing for containers on this machine; undefined when they can run. */
export function missingForContainerd(): string | undefined {
  if (process.getuid?.() !== 0) return 'containers need root';
  const missing: string[] = programs.filter((name) => findProgram(name) === undefined);
  if (findProgram(networkPlugin) === undefined) missing.push(networkPlugin);
  if (!isStatic(findProgram('busybox'))) missing.push('a statically linked busybox');
  return missing.length === 0 ? undefined : `containers need ${missing.join(', ')}`;
}

/** Starts a containerd with the test images, and waits until it answers. */
export async function startContainerd(): Promise<Containerd> {
  const directory = await makeTemporaryDirectory();
  const token = randomBytes(3).toString('hex');
  const folder = directory.path;
  const socket = join(folder, 'c.sock');
  const bridge = `orch-${token}`;
  const cgroupParent = `/orch-test-${token}`;
  const { subnet } = freeSubnet();
  const config = await writeContainerdConfig({ folder, socket, bridge, subnet });
  const daemon = new Daemon(config, join(folder, 'containerd.log'), `unix://${socket}`);
  const dispose = async (): Promise<void> => {
    await daemon.removePods().catch(() => undefined); // What it leaves is removed without it.
    await daemon.kill();
    await removeLeftovers({ folder, bridge, cgroup: cgroupParent });
    await directory.remove();
  };
  const importImages = async (): Promise<void> => {
    const archive = join(folder, imageArchive);
    await promisify(execFile)('ctr', ['-a', socket, '-n', 'k8s.io', 'images', 'import', archive]);
  };
  try {
    await makeImages(folder, findProgram('busybox') ?? '');
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
    importImages,
    kill: () => daemon.kill(),
    pause: () => daemon.pause(),
    resume: () => daemon.signal('SIGCONT'),
    start: () => daemon.start(),
    [Symbol.asyncDispose]: dispose,
  };
}

/** Whether a program runs where there is no library: no loader is named at its beginning. */
function isStatic(program: string | undefined): boolean {
  return program === undefined || !readFileSync(program).subarray(0, 4096).includes('/ld-');
}

class Daemon {
  readonly #config: string;
  readonly #log: string;
  readonly #endpoint: string;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();

  constructor(config: string, log: string, endpoint: string) {
    this.#config = config;
    this.#log = log;
    this.#endpoint = endpoint;
  }

  async start(): Promise<void> {
    const log = openSync(this.#log, 'a');
    const child = spawn('containerd', ['-c', this.#config, '-l', 'info'], { stdio: ['ignore', log, log] });
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
  }

  /** Takes down what tests have left, network included. @throws RuntimeError when it does not answer. */
  async removePods(): Promise<void> {
    await using driver = createCriRuntime({ endpoint: this.#endpoint, requestTimeoutMs: 5000 });
    const sandboxes = await driver.runtime.listPodSandboxes();
    await Promise.all(
      sandboxes.map(async ({ id }) => {
        await driver.runtime.stopPodSandbox(id);
        await driver.runtime.removePodSandbox(id);
      }),
    );
  }

  pause(): void {
    if (this.#child?.pid !== undefined) stopProcess(this.#child.pid);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async #waitUntilReady(child: ChildProcess): Promise<void> {
    await using driver = createCriRuntime({ endpoint: this.#endpoint, requestTimeoutMs: 2000 });
    for (const lateAt = Date.now() + readyTimeoutMs; ; ) {
      const status = await driver.runtime.status().catch(() => undefined);
      if (status?.isRuntimeReady && status.isNetworkReady) return;
      if (Date.now() > lateAt || child.exitCode !== null) {
        const log = (await readFile(this.#log, 'utf8')).slice(-2000);
        throw new Error(`containerd did not get ready: ${log}`);
      }
      await delay(30);
    }
  }
}
