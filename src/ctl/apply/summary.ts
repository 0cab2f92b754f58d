import { type Change, dryRunNote } from '../changes/reporter.ts';
import type { CtlIo } from '../io.ts';
import type { DryRun } from '../options/shared.ts';

/** Counts what happens to the objects of one command. */
export interface Summary {
  /** As the reporter that was given, and counts. */
  readonly report: (change: Change) => void;
  /** Ends the output with a line such as `3 created, 96 unchanged, 1 failed`; `failures` are objects that none was made of. */
  print(failures: number): void;
}

/**
 * Sums up for people: on a terminal, when the lines of several objects were printed. Programs that read the output find what
 * they know from release 1.20.
 */
export function createSummary(
  { stdout }: Pick<CtlIo, 'stdout'>,
  {
    report,
    isHuman,
    dryRun,
  }: { readonly report: (change: Change) => void; readonly isHuman: boolean; readonly dryRun: DryRun },
): Summary {
  /** By operation, in the order in which these came first. */
  const counts = new Map<string, number>();
  let total = 0;
  return {
    report(change) {
      counts.set(change.operation, (counts.get(change.operation) ?? 0) + 1);
      total++;
      report(change);
    },
    print(failures) {
      if (!isHuman || !stdout.isTerminal || total + failures < 2) return;
      const parts = Array.from(counts, ([operation, count]) => `${count} ${operation}`);
      if (failures > 0) parts.push(`${failures} failed`);
      stdout.write(`${parts.join(', ')}${dryRunNote(dryRun)}\n`);
    },
  };
}
