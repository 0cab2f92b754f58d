import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { ProgramResult, RunProgram } from '../host/index.ts';

/** The machine that disks come to, as far as they need it. */
export interface DiskHost {
  /** Folder of device files. */
  readonly devFolder: string;
  /** The kernel's view of devices. */
  readonly sysFolder: string;
  readonly run: RunProgram;
  readonly clock: Clock;
  readonly logger: Logger;
}

const usualPollMs = 100;
const never = new AbortController().signal;

/** Looks until something is there or the time is over; looks at least once. Undefined: it did not come. */
export async function waitFor<T>(
  { clock }: DiskHost,
  { timeoutMs, pollMs = usualPollMs }: { readonly timeoutMs: number; readonly pollMs?: number },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const endMs = clock.nowMs() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || clock.nowMs() >= endMs) return found;
    await pause(clock, pollMs, never);
  }
}

/** Name of the device file that a path leads to, such as `sda`; undefined when it leads to none in the folder of devices. */
export async function deviceNameOf(path: string, { devFolder }: DiskHost): Promise<string | undefined> {
  try {
    const [real, folder] = await Promise.all([realpath(path), realpath(devFolder)]);
    return posix.dirname(real) === folder ? posix.basename(real) : undefined;
  } catch {
    return undefined; // a link to a device that has gone is none
  }
}

/** How a program ended, in the words of release 1.20. */
export function describeEnd(program: string, { code, output }: ProgramResult): string {
  if (code !== undefined) return `exit status ${code}`;
  return output.endsWith('ENOENT') ? `exec: "${program}": executable file not found in $PATH` : output;
}
