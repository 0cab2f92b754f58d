import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.ts';
import { stopProcess } from './stop-process.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** One member of an etcd cluster, with its data in a temporary folder. */
export interface EtcdMember {
  readonly endpoint: string;
  readonly pid: number | undefined;
  /** Ends it at once, as a power failure would (SIGKILL), and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to end (SIGTERM) and waits. */
  stop(): Promise<void>;
  /** Lets it hang (SIGSTOP): connections stay, nothing is answered. */
  pause(): void;
  /** Lets it go on (SIGCONT). */
  resume(): void;
  /** Starts it again, with the data that it had, and waits until it answers. */
  restart(): Promise<void>;
}

/** A cluster of members on loopback. */
export interface EtcdCluster extends AsyncDisposable {
  readonly members: readonly EtcdMember[];
  readonly endpoints: readonly string[];
}

export interface EtcdClusterOptions {
  /** One when left out. */
  readonly memberCount?: number;
  /** Further arguments of every member. */
  readonly args?: readonly string[];
  /** Scheme of the client addresses; `args` then name the certificates. `http` when left out. */
  readonly scheme?: 'http' | 'https';
  /** Networks of the members, one for each. Loopback when left out. */
  readonly networks?: readonly EtcdNetwork[];
}

/** Where a member runs. */
export interface EtcdNetwork {
  readonly clientHost: string;
  readonly peerHost: string;
  /** What its command line starts with. */
  readonly command: readonly string[];
}

const loopback: EtcdNetwork = { clientHost: '127.0.0.1', peerHost: '127.0.0.1', command: [] };

const readyTimeoutMs = 20_000;

/** Path of the `etcd` program. @throws Error when it is not installed. */
export function findEtcd(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, 'etcd')).find((file) => existsSync(file));
  if (path === undefined) throw new Error('these tests need the program etcd, release 3.4 or later');
  return path;
}

/** Starts members on free ports and waits until the cluster answers. */
export async function startEtcd(options: EtcdClusterOptions = {}): Promise<EtcdCluster> {
  const { memberCount = 1, args = [], scheme = 'http', networks = [] } = options;
  const directory = await makeTemporaryDirectory();
  const ports = await freePorts(memberCount * 2);
  const names = Array.from({ length: memberCount }, (_, index) => `m${index}`);
  const network = (index: number): EtcdNetwork => networks[index] ?? loopback;
  const peer = (index: number): string => `http://${network(index).peerHost}:${ports[memberCount + index]}`;
  const cluster = names.map((name, index) => `${name}=${peer(index)}`).join(',');
  const members = names.map((name, index) => {
    const { clientHost, command } = network(index);
    const endpoint = `${scheme}://${clientHost}:${ports[index]}`;
    const commandLine = [
      ...command,
      findEtcd(),
      `--name=${name}`,
      `--data-dir=${join(directory.path, name)}`,
      `--listen-client-urls=${endpoint}`,
      `--advertise-client-urls=${endpoint}`,
      `--listen-peer-urls=${peer(index)}`,
      `--initial-advertise-peer-urls=${peer(index)}`,
      `--initial-cluster=${cluster}`,
      '--log-level=error',
      ...args,
    ];
    return new MemberProcess(endpoint, commandLine);
  });
  const dispose = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.kill()));
    await directory.remove();
  };
  try {
    if (scheme === 'http') await Promise.all(members.map(({ endpoint }) => waitUntilHealthy(endpoint)));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { members, endpoints: members.map(({ endpoint }) => endpoint), [Symbol.asyncDispose]: dispose };
}

/** Runs `etcdctl` against a member and resolves with its output. */
export async function etcdctl(endpoint: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ETCDCTL_API: '3' };
  const { stdout } = await promisify(execFile)('etcdctl', [`--endpoints=${endpoint}`, ...args], { env });
  return stdout;
}

class MemberProcess implements EtcdMember {
  readonly endpoint: string;
  readonly #commandLine: readonly string[];
  #child: ChildProcess;
  #exited: Promise<void>;

  constructor(endpoint: string, commandLine: readonly string[]) {
    this.endpoint = endpoint;
    this.#commandLine = commandLine;
    ({ child: this.#child, exited: this.#exited } = startMember(commandLine));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exited;
  }

  pause(): void {
    if (this.#child.pid !== undefined && this.#child.exitCode === null) stopProcess(this.#child.pid);
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async restart(): Promise<void> {
    ({ child: this.#child, exited: this.#exited } = startMember(this.#commandLine));
    await waitUntilHealthy(this.endpoint);
  }
}

function startMember([program = '', ...args]: readonly string[]): {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
} {
  const child = spawn(program, args, { stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return { child, exited };
}

async function waitUntilHealthy(endpoint: string): Promise<void> {
  for (const lateAt = Date.now() + readyTimeoutMs; ; ) {
    const health = await fetch(`${endpoint}/health`).then(
      (response) => response.text(),
      () => '',
    );
    if (health.includes('"true"')) return;
    if (Date.now() > lateAt) throw new Error(`etcd at ${endpoint} did not get ready`);
    await delay(50);
  }
}
