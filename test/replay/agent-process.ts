import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeAgentCgroup } from '../support/agent-cgroup.ts';
import type { Containerd } from '../support/containerd.ts';
import { freePorts } from '../support/free-ports.ts';

export interface AgentProcessOptions {
  readonly containerd: Containerd;
  /** Folder for all that the agent keeps. */
  readonly folder: string;
  /** Program and leading arguments. */
  readonly command: readonly string[];
  /** Options besides those that give it ports and places of its own; they win. */
  readonly flags: readonly string[];
  /** Texts of files below the folder, which `{tmp}` in flags and files stands for. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Control group for its pods; by default that of the containerd. */
  readonly cgroup?: string | undefined;
}

/** An agent that does not stop when asked has failed. */
const stopPatienceMs = 30_000;

/** An agent under test, with options that all recordings have. It can be stopped and started again. */
export class AgentProcess {
  readonly folder: string;
  readonly manifests: string;
  readonly #options: AgentProcessOptions;
  #child: ChildProcess | undefined;
  ports = { secure: 0, readOnly: 0, healthz: 0 };

  constructor(options: AgentProcessOptions) {
    this.#options = options;
    this.folder = options.folder;
    this.manifests = join(options.folder, 'manifests');
  }

  get cgroup(): string {
    return this.#options.cgroup ?? this.#options.containerd.cgroupParent;
  }

  /** Starts it and waits until it answers. @throws Error when it does not within 20 s */
  async start(): Promise<void> {
    await this.launch();
    await this.waitUntil('the agent does not answer', async () => {
      const { ok } = await fetch(`http://127.0.0.1:${this.ports.readOnly}/healthz`);
      return ok;
    });
  }

  /** Starts it, and does not wait for more. */
  async launch(): Promise<void> {
    const { containerd, command, files = {} } = this.#options;
    const inPlace = (text: string): string => text.replaceAll('{tmp}', this.folder);
    const flags = this.#options.flags.map(inPlace);
    await mkdir(this.manifests, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), inPlace(text));
    }
    await makeAgentCgroup(this.cgroup);
    const [secure, readOnly, healthz] = await freePorts(3);
    this.ports = { secure: secure ?? 0, readOnly: readOnly ?? 0, healthz: healthz ?? 0 };
    const log = openSync(join(this.folder, 'agent.log'), 'a');
    const [program = '', ...leading] = command;
    const own = [
      `--root-dir=${join(this.folder, 'root')}`,
      `--cert-dir=${join(this.folder, 'pki')}`,
      `--cgroup-root=${this.cgroup}`,
      '--container-runtime=remote',
      `--container-runtime-endpoint=${containerd.endpoint}`,
      `--port=${secure}`,
      `--read-only-port=${readOnly}`,
      `--healthz-port=${healthz}`,
      '--address=127.0.0.1',
      '--fail-swap-on=false',
      '--make-iptables-util-chains=false',
      '--hostname-override=node1',
    ];
    this.#child = spawn(program, [...leading, ...own, ...flags], { stdio: ['ignore', log, log] });
    closeSync(log);
  }

  /**
   * Looks until it is so; a look that fails is one that was not.
   *
   * @throws Error with `complaint` and the log when it never is, or the agent ends
   */
  async waitUntil(
    complaint: string,
    isSo: () => Promise<boolean>,
    { patienceMs = 20_000 }: { readonly patienceMs?: number } = {},
  ): Promise<void> {
    for (const lateAt = Date.now() + patienceMs; ; ) {
      if (await isSo().catch(() => false)) return;
      if (Date.now() > lateAt || (this.#child?.exitCode ?? null) !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${complaint}: ${(await this.log()).slice(-4000)}`);
  }

  /** What it has said, but for hints about its options. */
  async log(): Promise<string> {
    const text = await readFile(join(this.folder, 'agent.log'), 'utf8');
    return text.replace(/^(Flag --|hint: ).*\n/gm, '');
  }

  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const { fetchInsecurely } = await import('./fetch-insecurely.ts');
    return fetchInsecurely(`https://127.0.0.1:${this.ports.secure}${path}`);
  }

  async readOnly(path: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.readOnly}${path}`);
    return answer.json();
  }

  /** Resolves with its exit code; null when it had to be killed. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return child?.exitCode ?? null;
    const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs);
    return exited.finally(() => clearTimeout(timer));
  }
}
