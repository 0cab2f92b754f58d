import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../base/index.ts';

/** What the agent wants of the kernel (release 1.20's values): memory may be overcommitted, and a fault ends in a restart. */
const desired = [
  { name: 'vm/overcommit_memory', value: 1 },
  { name: 'vm/panic_on_oom', value: 0 },
  { name: 'kernel/panic', value: 10 },
  { name: 'kernel/panic_on_oops', value: 1 },
  { name: 'kernel/keys/root_maxkeys', value: 1_000_000 },
  { name: 'kernel/keys/root_maxbytes', value: 25_000_000 },
] as const;

/** Where kernel settings are read, and whether the agent may change them (`--protect-kernel-defaults`). */
export interface KernelSettingsOptions {
  /** Where the kernel's settings are: `/proc/sys`. */
  readonly root: string;
  /** Settings must not be changed; other values are problems. */
  readonly isProtected: boolean;
  readonly logger: Logger;
}

/**
 * Gives the kernel's settings the values that the agent needs. Settings that this kernel does not have, or this machine
 * does not let the agent change, are left as they are.
 *
 * @returns what keeps the agent from starting: each setting that has another value and is protected
 */
export async function applyKernelSettings({
  root,
  isProtected,
  logger,
}: KernelSettingsOptions): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { name, value } of desired) {
    const path = join(root, name);
    const actual = await readNumber(path);
    if (actual === undefined || actual === value) continue;
    if (isProtected) {
      problems.push(`invalid kernel flag: ${name}, expected value: ${value}, actual value: ${actual}`);
      continue;
    }
    await writeFile(path, String(value)).then(
      () => logger.info('sysctl updated', { name, value, former: actual }),
      (error: unknown) =>
        logger.info('sysctl update failed', {
          name,
          value,
          actual,
          error: String(error),
        }),
    );
  }
  return problems;
}

async function readNumber(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const value = Number(text.trim());
  return text.trim() === '' || !Number.isInteger(value) ? undefined : value;
}
