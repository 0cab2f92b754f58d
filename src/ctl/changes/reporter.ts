import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import type { DryRun, printOptions } from '../options/shared.ts';
import { formatObjectName } from '../printers/name.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import { parseObjectFormat } from '../printers/output-format.ts';

/** What `printOptions` say of objects. */
export type PrintChoices = Pick<
  ConfigOf<typeof printOptions>,
  'output' | 'allowMissingTemplateKeys' | 'showManagedFields'
>;

/** How changes are reported, beside what the user chose. */
export interface ReportOptions {
  /** `none` when left out. */
  readonly dryRun?: DryRun;
  /** As `ObjectPrintOptions` has it. */
  readonly isTyped?: boolean;
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

/**
 * Prints `pod/x created`, or the object when `-o` asks for it; commands without `-o` give no choices.
 *
 * @throws CtlError for an unknown format
 */
export async function createReporter(
  ctl: Ctl,
  choices: PrintChoices | undefined,
  { dryRun = 'none', isTyped = false }: ReportOptions = {},
): Promise<(change: Change) => void> {
  const { stdout } = ctl.io;
  if (!choices?.output) {
    return ({ resource, name, operation }) => {
      stdout.write(`${formatObjectName({ ...resource, name })} ${operation}${dryRunNote(dryRun)}\n`);
    };
  }
  const print = await createObjectPrinter({
    format: parseObjectFormat(choices.output),
    hasHeaders: true,
    allowsMissingKeys: choices.allowMissingTemplateKeys,
    showsManagedFields: choices.showManagedFields,
    isTyped,
  });
  return ({ object }) => stdout.write(print(object));
}

/** What tells a rehearsal from the real thing. */
export function dryRunNote(dryRun: DryRun): string {
  if (dryRun === 'none') return '';
  return dryRun === 'server' ? ' (server dry run)' : ' (dry run)';
}

/** Query of a change: who makes it, and whether it counts. */
export function changeQuery(fieldManager: string | undefined, dryRun: DryRun): Record<string, string> {
  return {
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(dryRun === 'server' ? { dryRun: 'All' } : {}),
  };
}
