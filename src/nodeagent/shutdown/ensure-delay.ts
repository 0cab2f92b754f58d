import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, pause, writeFileAtomic } from '../../base/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { Logind } from './logind.ts';

/** The longest delay of shutdowns that logind must allow (`InhibitDelayMaxSec` in logind.conf), in ms. */
export interface EnsureDelayOptions {
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
