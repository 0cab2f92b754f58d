import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childrenCpuMicros } from '../process-usage.ts';

/** One command line of a client. */
export interface ClientRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a command takes. */
export interface CommandCost {
  /** Median. */
  readonly wallMs: number;
  /** User and system, of all its processes; mean. */
  readonly cpuMs: number;
}

/** Runs a command until its end. @throws Error with what it complained of when it fails */
export async function runCommand({ program, args, env }: ClientRun): Promise<void> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: exit code ${code}: ${complaints.join('')}`);
}

/** Runs a command so many times, after once for its caches. @throws Error when it fails */
export async function measureCommand(run: ClientRun, runs: number): Promise<CommandCost> {
  await runCommand(run);
  const wallMs: number[] = [];
  const cpuBefore = await childrenCpuMicros();
  for (let index = 0; index < runs; index++) {
    const startedAt = performance.now();
    await runCommand(run);
    wallMs.push(performance.now() - startedAt);
  }
  const cpuMs = ((await childrenCpuMicros()) - cpuBefore) / runs / 1000;
  return { wallMs: wallMs.sort((a, b) => a - b)[runs >> 1] ?? 0, cpuMs };
}
