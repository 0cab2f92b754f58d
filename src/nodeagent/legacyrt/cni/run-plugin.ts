import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Longest run of a plugin. */
const pluginTimeoutMs = 120_000;
const maxOutputBytes = 4 * 1024 * 1024;
/** Where plugins look for the programs that they use. */
const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * One run of a CNI plugin (CNI specification, "Execution Protocol"): environment variables and standard
 * input.
 */
export interface PluginRun {
  readonly command: 'ADD' | 'DEL';
  readonly type: string;
  /** Folders that plugins are looked for in. */
  readonly binDirs: readonly string[];
  readonly containerId: string;
  /** Empty when the namespace is gone. */
  readonly netns: string;
  readonly interfaceName: string;
  readonly args: readonly (readonly [name: string, value: string])[];
  readonly config: unknown;
}

/**
 * Runs a plugin with the environment and input of the CNI specification; resolves with its result.
 *
 * @throws Error with the plugin's own message
 */
export async function runPlugin(run: PluginRun): Promise<unknown> {
  const program = await findPlugin(run.type, run.binDirs);
  const env = {
    PATH: usualPath,
    CNI_COMMAND: run.command,
    CNI_CONTAINERID: run.containerId,
    CNI_NETNS: run.netns,
    CNI_IFNAME: run.interfaceName,
    CNI_ARGS: run.args.map(([name, value]) => `${name}=${value}`).join(';'),
    CNI_PATH: run.binDirs.join(':'),
  };
  const { code, output } = await execute(program, env, JSON.stringify(run.config));
  if (code === 0) return output.trim() === '' ? {} : JSON.parse(output);
  throw new Error(describeFailure(run.type, output, code));
}

/** Where a plugin is. @throws Error when it is in none of the folders */
export async function findPlugin(type: string, folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const path = join(folder, type);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error(`failed to find plugin "${type}" in path [${folders.join(' ')}]`);
}

function execute(program: string, env: Readonly<Record<string, string>>, input: string) {
  return new Promise<{ readonly code: number | string; readonly output: string }>((resolve, reject) => {
    const child = spawn(program, [], { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: pluginTimeoutMs });
    const chunks: Buffer[] = [];
    let size = 0;
    const keep = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxOutputBytes) chunks.push(chunk);
    };
    child.stdout.on('data', keep);
    const words: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => words.length < 16 && words.push(chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const output = Buffer.concat(chunks).toString('utf8');
      const said = code !== 0 && output.trim() === '' ? Buffer.concat(words).toString('utf8') : output;
      resolve({ code: code ?? signal ?? 'no code', output: said });
    });
    child.stdin.on('error', () => {}); // It exited without reading; the exit code counts.
    child.stdin.end(input);
  });
}

/** A plugin reports its error in JSON; one that crashed prints anything. */
function describeFailure(type: string, output: string, code: number | string): string {
  try {
    const { msg = '', details = '' } = JSON.parse(output) as { msg?: string; details?: string };
    if (msg !== '') return details === '' ? msg : `${msg}; ${details}`;
  } catch {
    // Not JSON.
  }
  return `netplugin failed with code ${code}: plugin "${type}": ${output.trim().slice(0, 1000)}`;
}
