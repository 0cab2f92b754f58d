import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pod } from '../../src/apis/types/core-v1.ts';
import { makeAgentCgroup } from './agent-cgroup.ts';
import type { Containerd } from './containerd.ts';
import { freePorts } from './free-ports.ts';
import { keepLog } from './kept-logs.ts';

/** The launcher of the built program. */
const program = fileURLToPath(new URL('../../bin/nodeagent', import.meta.url));
const readyTimeoutMs = 30_000;

export interface AgentProgramOptions {
  readonly containerd: Pick<Containerd, 'endpoint' | 'cgroupParent'>;
  /** Folder for all that the agent keeps; the same one for an agent that is started anew. */
  readonly folder: string;
  /** Options besides those that give it ports and places of its own. */
  readonly flags?: readonly string[];
  /** Variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its servers listen; default loopback. */
  readonly address?: string;
}

/** The built `nodeagent` as users run it, on a runtime of the test's own. It can be ended and started again. */
export class AgentProgram implements AsyncDisposable {
  readonly #options: AgentProgramOptions;
  #child: ChildProcess | undefined;
  /** Of the log, which goes on after the next start. */
  #keptLetters = 0;
  #ports = { secure: 0, readOnly: 0, healthz: 0 };

  constructor(options: AgentProgramOptions) {
    this.#options = options;
  }

  get rootFolder(): string {
    return join(this.#options.folder, 'root');
  }

  /** @throws Error when it does not run */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the agent does not run');
    return pid;
  }

  get securePort(): number {
    return this.#ports.secure;
  }

  /** Starts the program, and does not wait for more. */
  async launch(): Promise<void> {
    const { folder, containerd, flags = [], environment = {} } = this.#options;
    await mkdir(this.#manifests, { recursive: true });
    await mkdir(this.#staging, { recursive: true });
    await makeAgentCgroup(containerd.cgroupParent);
    const [secure = 0, readOnly = 0, healthz = 0] = await freePorts(3);
    this.#ports = { secure, readOnly, healthz };
    const log = openSync(join(folder, 'agent.log'), 'a');
    const own = [
      `--root-dir=${this.rootFolder}`,
      `--cert-dir=${join(folder, 'pki')}`,
      `--pod-manifest-path=${this.#manifests}`,
      `--cgroup-root=${containerd.cgroupParent}`,
      '--container-runtime=remote',
      `--container-runtime-endpoint=${containerd.endpoint}`,
      `--address=${this.#address}`,
      `--port=${secure}`,
      `--read-only-port=${readOnly}`,
      `--healthz-port=${healthz}`,
      '--fail-swap-on=false',
      '--make-iptables-util-chains=false',
      '--hostname-override=node1',
      '--file-check-frequency=1s',
      '--sync-frequency=10s',
      '--v=10',
    ];
    const env = { ...process.env, ...environment };
    this.#child = spawn(program, [...own, ...flags], { env, stdio: ['ignore', log, log] });
    closeSync(log);
  }

  /** Starts it and waits until it says that it is healthy. @throws Error with its log when it does not. */
  async start(): Promise<void> {
    await this.launch();
    for (const lateAt = Date.now() + readyTimeoutMs; !(await this.#isHealthy()); ) {
      if (Date.now() > lateAt || this.#child?.exitCode !== null) {
        throw new Error(`the agent did not get healthy: ${(await this.log()).slice(-3000)}`);
      }
      await delay(10);
    }
  }

  /** Ends it as a crash would (SIGKILL); pods run on. */
  kill(): Promise<number | null> {
    return this.#end('SIGKILL');
  }

  /** Asks it to end (SIGTERM). Resolves with its exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
  }

  log(): Promise<string> {
    return readFile(join(this.#options.folder, 'agent.log'), 'utf8');
  }

  /** Has the agent find a manifest, whole from the first moment on; takes the place of one of that name. */
  async putManifest(name: string, pod: object): Promise<void> {
    const staged = join(this.#staging, name);
    await writeFile(staged, JSON.stringify(pod));
    await rename(staged, join(this.#manifests, `${name}.json`));
  }

  async removeManifest(name: string): Promise<void> {
    await rm(join(this.#manifests, `${name}.json`), { force: true });
  }

  async removeManifests(): Promise<void> {
    for (const name of await readdir(this.#manifests)) await rm(join(this.#manifests, name));
  }

  /** Pods that sources want, with their statuses. */
  async pods(): Promise<readonly Pod[]> {
    const { items } = (await this.get('/pods')) as { items: readonly Pod[] | null };
    return items ?? [];
  }

  /** A pod by the name that its manifest gives it; undefined when there is none. */
  async pod(name: string): Promise<Pod | undefined> {
    return (await this.pods()).find(({ metadata }) => metadata.name === `${name}-node1`);
  }

  /** What the read-only port answers. @throws Error when it is not JSON. */
  async get(path: string): Promise<unknown> {
    return (await fetch(`http://${this.#address}:${this.#ports.readOnly}${path}`)).json();
  }

  get #address(): string {
    return this.#options.address ?? '127.0.0.1';
  }

  get #manifests(): string {
    return join(this.#options.folder, 'manifests');
  }

  get #staging(): string {
    return join(this.#options.folder, 'staging');
  }

  async #isHealthy(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.#ports.healthz}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return child?.exitCode ?? null;
    }
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    keepLog((await this.log()).slice(this.#keptLetters));
    this.#keptLetters = (await this.log()).length;
    return child.exitCode;
  }
}
