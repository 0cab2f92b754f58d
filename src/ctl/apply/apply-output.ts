import type { ConfigOf } from '../../config/index.ts';
import { type Change, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import type { DryRun } from '../options/shared.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import { type ObjectFormat, parseObjectFormat } from '../printers/output-format.ts';
import type { ApplyOptions } from './options.ts';

/** Tells what apply does. */
export interface ApplyOutput {
  readonly report: (change: Change) => void;
  /** All was applied: what is told from now on, of pruned objects, is told at once. */
  readonly end: () => void;
}

/** Lines and names come as things happen; objects come together at the end, several as one list. @throws CtlError for an unknown format */
export async function createApplyOutput(
  ctl: Ctl,
  options: ConfigOf<ApplyOptions>,
  dryRun: DryRun,
): Promise<ApplyOutput> {
  const format = options.output ? parseObjectFormat(options.output) : undefined;
  if (format !== undefined && format.kind !== 'name') return collectObjects(ctl, options, format);
  return { report: await createReporter(ctl, options, { dryRun }), end: () => {} };
}

async function collectObjects(
  ctl: Ctl,
  options: ConfigOf<ApplyOptions>,
  format: ObjectFormat,
): Promise<ApplyOutput> {
  const print = await createObjectPrinter({
    format,
    hasHeaders: true,
    allowsMissingKeys: options.allowMissingTemplateKeys,
    showsManagedFields: options.showManagedFields,
  });
  const { stdout } = ctl.io;
  let items: unknown[] | undefined = [];
  return {
    report({ object }) {
      if (items === undefined) stdout.write(print(object));
      else items.push(object);
    },
    end() {
      const objects = items ?? [];
      items = undefined;
      const list = { apiVersion: 'v1', items: objects, kind: 'List', metadata: {} };
      if (objects.length > 0) stdout.write(print(objects.length === 1 ? objects[0] : list));
    },
  };
}
