import { spawn } from 'node:child_process';

/** A command of git, without `git`, and the folder that it runs in. */
export interface GitCommand {
  readonly args: readonly string[];
  readonly folder: string;
  /** A repository is not looked for above it. */
  readonly ceiling: string;
  /** Of the agent; what is about git (`GIT_*`) is left out. */
  readonly environment: Readonly<Record<string, string>>;
  /** Default ten minutes: servers may never answer, and large repositories take long. */
  readonly timeoutMs?: number;
}

/**
 * Protocols that lead away from the node and need no account there: `file` reads any repository on it (CVE-2025-1767), `ssh`
 * goes by the keys of the agent's user, and unknown ones name programs to run (gitremote-helpers(7)).
 */
const protocols = 'git:http:https';
/** Nothing that a checkout could run, such as hooks of templates and what submodules bring, and no account of the node. */
const settings = [
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'submodule.recurse=false'],
  ...['-c', 'credential.helper='],
];
const usualTimeoutMs = 600_000;
/** Servers say what they like. */
const maxOutputBytes = 65_536;

/**
 * Runs git without a shell, terminal or input, in a group of processes of its own that ends with it when it is late. The
 * machine's settings of git count.
 *
 * @throws Error in the words of release 1.20, without passwords
 */
export function runGit(command: GitCommand): Promise<void> {
  const { args, folder, timeoutMs = usualTimeoutMs } = command;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const fail = (why: string): void => {
    const output = Buffer.concat(chunks).toString('utf8');
    reject(new Error(withoutPasswords(`failed to exec 'git ${args.join(' ')}': ${output}: ${why}`)));
  };
  const child = spawn('git', [...settings, ...args], {
    cwd: folder,
    env: environmentOf(command),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, maxOutputBytes - sizeBytes);
      if (kept.length > 0) chunks.push(kept);
      sizeBytes += kept.length;
    });
  }
  const timer = setTimeout(() => {
    endGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
    fail(`not done after ${timeoutMs / 1000} s`);
  }, timeoutMs);
  child.once('error', ({ message }: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    fail(message.endsWith('ENOENT') ? 'exec: "git": executable file not found in $PATH' : message);
  });
  child.once('close', (code, signal) => {
    clearTimeout(timer);
    if (code === 0) resolve();
    else fail(signal === null ? `exit status ${code}` : `signal: ${signal}`);
  });
  return promise;
}

function environmentOf({ environment, ceiling }: GitCommand): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(kept),
    // Where git and its libraries look for names and passwords.
    HOME: '/nonexistent',
    XDG_CONFIG_HOME: '/nonexistent',
    GIT_ASKPASS: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_CEILING_DIRECTORIES: ceiling,
  };
}

/** Of addresses that name a user with one. */
const withoutPasswords = (text: string): string =>
  text.replaceAll(/(:\/\/[^/\s:@]*):[^/\s@]*@/g, '$1:xxxxx@');

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended in the meantime.
  }
}
