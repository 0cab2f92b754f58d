import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Context } from 'mocha';

const run = promisify(execFile);
/** Where the client of release 1.20 may be; the variable wins, for machines that have another one in its place. */
const candidates = [process.env.RELEASE_CLIENT, '/usr/bin/kubectl'].filter((path) => path !== undefined);

/** What a run of the client gave. */
export interface ClientRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Finds the command-line client of release 1.20, or says what to install when it is not here. */
async function findReleaseClient(): Promise<{ readonly path: string } | { readonly missing: string }> {
  const found: string[] = [];
  for (const path of candidates) {
    const { stdout } = await runOnce(path, ['version', '--client']);
    const version = /GitVersion:"(v[\d.]+)/.exec(stdout)?.[1];
    if (version?.startsWith('v1.20.')) return { path };
    found.push(`${path}: ${version ?? (stdout.split('\n')[0] || 'not found')}`);
  }
  return {
    missing: `the client of release 1.20 is needed (Debian package kubernetes-client); found ${found.join('; ')}`,
  };
}

/**
 * Path of the client of release 1.20. Where it is not, the tests of the hook are skipped and the reason is written; with
 * `CI` in the environment they fail instead.
 */
export async function requireReleaseClient(hook: Context): Promise<string> {
  const found = await findReleaseClient();
  if ('path' in found) return found.path;
  if (process.env.CI !== undefined) throw new Error(found.missing);
  console.error(`      skipped: ${found.missing}`);
  return hook.skip();
}

/**
 * Runs the client, with variables of its own when asked. It was built with a newer Go than its time and can crash on
 * maps: then it runs once more.
 */
export async function runReleaseClient(
  path: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<ClientRun> {
  const first = await runOnce(path, args, variables);
  return /^(fatal error|unexpected fault address|panic):?/m.test(first.stderr)
    ? runOnce(path, args, variables)
    : first;
}

async function runOnce(
  path: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<ClientRun> {
  try {
    const { stdout, stderr } = await run(path, args, {
      timeout: 30_000,
      env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', ...variables },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr, message } = error as {
      code?: unknown;
      stdout?: string;
      stderr?: string;
      message: string;
    };
    return { code: typeof code === 'number' ? code : -1, stdout: stdout ?? '', stderr: stderr || message };
  }
}

/** A client that goes on writing lines until it is ended. */
export interface ClientStream {
  readonly lines: string[];
  /** Waits until that many lines came. @throws Error with its error text when it ended before. */
  take(count: number): Promise<readonly string[]>;
  end(): Promise<void>;
}

/** Starts the client for a command that does not end by itself. */
export function streamReleaseClient(path: string, args: readonly string[]): ClientStream {
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  let rest = '';
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdout.on('data', (chunk) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return {
    lines,
    async take(count) {
      while (lines.length < count) {
        const state = await Promise.race([once(child.stdout, 'data'), exited.then(() => 'exited')]);
        if (state === 'exited' && lines.length < count) throw new Error(`the client ended early: ${errors}`);
      }
      return lines.slice(0, count);
    },
    async end() {
      child.kill();
      await exited;
    },
  };
}
