import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { Ctl } from '../ctl.ts';
import type { DryRun } from '../options/shared.ts';
import { formatObjectName } from '../printers/name.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import { parseObjectFormat } from '../printers/output-format.ts';

/** How changes are reported. */
export interface ReportOptions {
  readonly output: string | undefined;
  readonly dryRun: DryRun;
  readonly allowsMissingKeys: boolean;
  readonly showsManagedFields: boolean;
  /** As `ObjectPrintOptions` has it. */
  readonly isTyped?: boolean | undefined;
}

/** What was done to one object. */
export interface Change {
  readonly resource: Pick<DiscoveredResource, 'group' | 'kind'>;
  /** The object after the change. */
  readonly object: unknown;
  readonly name: string;
  /** `created`, `labeled`, ... */
  readonly operation: string;
}

/** Prints `pod/x created`, or the object when `-o` asks for it. @throws CtlError for an unknown format */
export async function createReporter(ctl: Ctl, options: ReportOptions): Promise<(change: Change) => void> {
  const { stdout } = ctl.io;
  if (!options.output) {
    return ({ resource, name, operation }) => {
      stdout.write(`${formatObjectName({ ...resource, name })} ${operation}${dryRunNote(options.dryRun)}\n`);
    };
  }
  const format = parseObjectFormat(options.output);
  const print = await createObjectPrinter({ ...options, format, hasHeaders: true });
  return ({ object }) => stdout.write(print(object));
}

/** What tells a rehearsal from the real thing. */
export function dryRunNote(dryRun: DryRun): string {
  if (dryRun === 'none') return '';
  return dryRun === 'server' ? ' (server dry run)' : ' (dry run)';
}

/** Query of a change: who makes it, and whether it counts. */
export function changeQuery(fieldManager: string, dryRun: DryRun): Record<string, string> {
  return { fieldManager, ...(dryRun === 'server' ? { dryRun: 'All' } : {}) };
}
