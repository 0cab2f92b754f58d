import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { throwGathered } from '../errors.ts';
import { createObjectPrinter, type ObjectPrintOptions } from '../printers/object-printer.ts';
import { listItems } from '../resource/api-object.ts';
import { interleaveErrors, type PlacedError } from '../resource/arrange-errors.ts';
import { readDocuments } from '../resource/read-collection.ts';
import type { Target } from '../resource/target.ts';
import type { VerbCall } from '../verb.ts';
import type { GetOptions } from './options.ts';

/** What `get` shows in a machine's format. */
export interface ObjectRun {
  readonly ctl: Ctl;
  readonly call: VerbCall<GetOptions>;
  readonly format: ObjectPrintOptions['format'];
  readonly targets: readonly Target[];
  /** The version to show, as `parseMoment` gives it; the present when undefined. */
  readonly at?: string | undefined;
  /** What went wrong before; reported after the objects. */
  readonly errors: readonly unknown[];
}

/**
 * Prints the object when one was named, else a `List` of everything found. @throws what failed, after everything that
 * worked is shown.
 */
export async function printObjects(run: ObjectRun): Promise<void> {
  const { ctl, call, targets, at } = run;
  const print = await createObjectPrinter(toPrintOptions(run));
  const client = await ctl.client();
  const unread: PlacedError[] = [];
  const found: unknown[] = [];
  for (const target of targets) {
    try {
      const { chunkSize } = call.options;
      const options = { chunkSize, at, signal: ctl.io.signal };
      for await (const document of readDocuments(client, target, options)) {
        if (target.name !== undefined && at === undefined) found.push(document);
        else for (const item of listItems(document, target.resource)) found.push(item);
      }
    } catch (error) {
      if (!(call.options.ignoreNotFound && isReason(error, 'NotFound')))
        unread.push({ error, after: target.after ?? 0 });
    }
  }
  const errors = interleaveErrors(ctl.dialect, run.errors, unread);
  const isSingle = targets.length === 1 && targets[0]?.name !== undefined;
  const sorted = call.options.sortBy ? await sortObjects(found, call.options.sortBy) : found;
  const isEmptyAnswer = found.length === 0 && (isSingle || errors.length > 0 || call.options.ignoreNotFound);
  if (!isEmptyAnswer) ctl.io.stdout.write(print(isSingle ? sorted[0] : makeList(sorted)));
  throwGathered(errors);
}

/** How `get` prints objects. */
export function toPrintOptions({ call, format }: Pick<ObjectRun, 'call' | 'format'>): ObjectPrintOptions {
  return {
    format,
    hasHeaders: !call.options.noHeaders,
    allowsMissingKeys: call.options.allowMissingTemplateKeys,
    showsManagedFields: call.options.showManagedFields,
  };
}

function makeList(items: readonly unknown[]): Record<string, unknown> {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '', selfLink: '' } };
}

async function sortObjects(objects: readonly unknown[], path: string): Promise<readonly unknown[]> {
  const { sortByPath } = await import('../printers/sort.ts');
  return sortByPath(objects, path, (object) => object);
}
