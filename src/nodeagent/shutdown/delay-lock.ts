import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, pause, writeFileAtomic } from '../../base/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { Logind } from './logind.ts';

/** What delays a shutdown of the machine while it is held. */
export interface DelayLock {
  /** Lets the shutdown go on; resolves when it may. Never rejects. */
  release(): Promise<void>;
  /** Resolves when nothing is delayed any more, with what the program said. */
  readonly whenGone: Promise<string>;
}

/** What the inhibitor lock says of its holder, and where the system bus is found. */
export interface DelayLockOptions {
  /** Who delays the shutdown, and why, as lists of locks show it. */
  readonly who: string;
  readonly why: string;
  /** That of the program: it says where the bus is. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Ends the waiting for the lock. */
  readonly signal: AbortSignal;
}

/** Takes a delay lock. @throws Error when it cannot be had */
export type TakeDelayLock = (options: DelayLockOptions) => Promise<DelayLock>;

const program = 'systemd-inhibit';
const answerTimeoutMs = 30_000;
const releaseTimeoutMs = 5000;
const maxOutput = 4096;

/**
 * Has `systemd-inhibit` hold the lock, which logind hands over as a file descriptor: this process can receive none. The
 * program runs `cat` once it has the lock, and lives as long as this process keeps its input open, so that the lock goes
 * with the process however that ends.
 */
export const takeDelayLock: TakeDelayLock = async ({ who, why, environment, clock, signal }) => {
  const args = ['--what=shutdown', '--mode=delay', `--who=${who}`, `--why=${why}`, 'cat'];
  const child = spawn(program, args, { env: { ...environment }, stdio: ['pipe', 'pipe', 'pipe'] });
  const gone = Promise.withResolvers<string>();
  const held = Promise.withResolvers<void>();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, maxOutput);
  });
  child.on('error', (error) => gone.resolve(error.message));
  child.on('close', (code) => gone.resolve(said.trim() || `${program} ended with ${code}`));
  child.stdin.on('error', () => {}); // it has ended, which is told anyway
  child.stdout.on('data', () => held.resolve());
  child.stdin.write('\n'); // `cat` gives it back
  const cancel = clock.setTimer(answerTimeoutMs, () => held.reject(new Error(`${program} does not answer`)));
  const abort = (): void => held.reject(new Error('the lock is not wanted any more'));
  signal.addEventListener('abort', abort, { once: true });
  void gone.promise.then((reason) => held.reject(new Error(`the shutdown cannot be delayed: ${reason}`)));
  try {
    await held.promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    cancel();
    signal.removeEventListener('abort', abort);
  }
  return {
    whenGone: gone.promise,
    async release() {
      child.stdin.end();
      const cancelKill = clock.setTimer(releaseTimeoutMs, () => child.kill('SIGKILL'));
      await gone.promise;
      cancelKill();
    },
  };
};

/** The longest delay of shutdowns that logind must allow (`InhibitDelayMaxSec` in logind.conf), in ms. */
interface EnsureDelayOptions {
  readonly logind: Pick<Logind, 'maxDelayMs' | 'reload'>;
  readonly desiredMs: number;
  /** Folder of additions to logind's configuration. */
  readonly configFolder: string;
  /** Name of the agent, which that of its addition is made from. */
  readonly agent: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Logind reads its configuration beside its other work; it is asked this often until it has. */
const tries = 20;
const tryPeriodMs = 250;

/**
 * Makes logind allow the desired delay of shutdowns: with a file of its own beside logind's configuration, where that
 * allows less.
 *
 * @throws Error when logind goes on to allow less
 */
export async function ensureDelay(options: EnsureDelayOptions): Promise<void> {
  const { logind, desiredMs, configFolder, agent, clock, signal } = options;
  if ((await logind.maxDelayMs()) >= desiredMs) return;
  await mkdir(configFolder, { recursive: true, mode: 0o755 });
  const path = join(configFolder, `99-${agent}.conf`);
  const text = delayConfig(agent, desiredMs);
  if ((await readFile(path, 'utf8').catch(() => undefined)) !== text)
    await writeFileAtomic(path, text, { mode: 0o644 });
  await logind.reload();
  let allowedMs = await logind.maxDelayMs();
  for (let count = 0; allowedMs < desiredMs && count < tries; count += 1) {
    if (!(await pause(clock, tryPeriodMs, signal))) return;
    allowedMs = await logind.maxDelayMs();
  }
  if (allowedMs >= desiredMs) return;
  const [desired, allowed] = [desiredMs, allowedMs].map(formatDurationMs);
  throw new Error(
    `node shutdown manager was unable to update logind InhibitDelayMaxSec to ${desired} (ShutdownGracePeriod), current value of InhibitDelayMaxSec (${allowed}) is less than requested ShutdownGracePeriod`,
  );
}

/** What the agent adds to logind's configuration. */
function delayConfig(agent: string, desiredMs: number): string {
  const seconds = Math.ceil(desiredMs / 1000);
  return `# Written by ${agent}: its pods need time to end before the machine does.\n[Login]\nInhibitDelayMaxSec=${seconds}\n`;
}
