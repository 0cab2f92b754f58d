import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Containerd } from '../support/containerd.ts';
import { AgentProcess } from './agent-process.ts';
import { ApiServer } from './api-server.ts';

/** One thing that passes or fails. */
export interface Case {
  readonly name: string;
  /** Folder that its file lies in. */
  readonly directory: string;
  /** What the file says. */
  readonly recording: unknown;
}

/** Cases that are played one after another; lanes are run beside one another. */
export type Lane = () => Promise<void>;

export interface RigOptions {
  readonly containerd: Containerd;
  readonly jobs: number;
  /** Counts from 1. */
  readonly round: number;
  /** Whether the built program is played, instead of the sources. */
  readonly isBuilt: boolean;
  /** Folder that logs of agents are kept in. */
  readonly logs: string | undefined;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What one round of cases is played with; keeps those that failed. */
export class Rig {
  readonly containerd: Containerd;
  readonly jobs: number;
  readonly round: number;
  readonly failed: Case[] = [];
  readonly #options: RigOptions;

  constructor(options: RigOptions) {
    this.containerd = options.containerd;
    this.jobs = options.jobs;
    this.round = options.round;
    this.#options = options;
  }

  /** A folder for this name and round. */
  async folder(...names: readonly string[]): Promise<string> {
    const folder = join(this.containerd.folder, `round-${this.round}`, ...names);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  async startServer(name: string, flags: readonly string[] = []): Promise<ApiServer> {
    const command = this.#options.isBuilt
      ? [join(root, 'bin/orch'), 'serve']
      : [process.execPath, join(root, 'src/app/main.ts'), 'orch', 'serve'];
    return ApiServer.start(command, await this.folder('servers', name), flags);
  }

  /** An agent that is not started yet. */
  async makeAgent(
    name: string,
    flags: readonly string[],
    places: {
      readonly containerd?: Containerd;
      readonly cgroup?: string;
      readonly folder?: string;
      readonly files?: Readonly<Record<string, string>> | undefined;
    } = {},
  ): Promise<AgentProcess> {
    const command = this.#options.isBuilt
      ? [join(root, 'bin/nodeagent')]
      : [process.execPath, join(root, 'src/app/main.ts'), 'nodeagent'];
    const { containerd = this.containerd, cgroup, files } = places;
    const folder = places.folder ?? (await this.folder('agents', name));
    return new AgentProcess({ containerd, folder, command, flags, cgroup, files });
  }

  /** Its log is kept where logs are to be. Resolves with its exit code. */
  async stopAgent(agent: AgentProcess): Promise<number | null> {
    const code = await agent.stop();
    const { logs } = this.#options;
    if (logs === undefined) return code;
    await mkdir(logs, { recursive: true });
    const name = `${basename(agent.folder)}-${this.round}.log`;
    await copyFile(join(agent.folder, 'agent.log'), join(logs, name)).catch(() => undefined); // It was never started.
    return code;
  }

  /** Plays a case and says how it went. */
  async play(one: Case, play: () => Promise<readonly string[]>): Promise<void> {
    const startedAtMs = Date.now();
    const problems = await play().catch((error: unknown) => [String(error)]);
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
    const outcome = problems.length === 0 ? 'ok   ' : this.round === 1 ? 'again' : 'FAIL ';
    console.log(`${outcome} ${one.name} (${seconds} s)`);
    if (problems.length === 0) return;
    this.failed.push(one);
    for (const problem of problems) console.log(`    ${problem}`);
  }
}

/** Runs so many at a time. */
export async function runLanes(lanes: readonly Lane[], jobs: number): Promise<void> {
  const queue = [...lanes];
  const work = async (): Promise<void> => {
    for (let lane = queue.shift(); lane !== undefined; lane = queue.shift()) await lane();
  };
  // All end before anything that they use is taken away.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(jobs, lanes.length) }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Lanes that share cases: each takes the next one when it has time. */
export function shareCases(
  cases: readonly Case[],
  count: number,
  play: (one: Case) => Promise<void>,
): readonly Lane[] {
  const queue = [...cases];
  return Array.from({ length: Math.min(count, cases.length) }, () => {
    return async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) await play(one);
    };
  });
}
