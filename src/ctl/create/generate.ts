import type { ConfigOf } from '../../config/index.ts';
import { createObject, nameOf } from '../changes/create-object.ts';
import { withLastApplied } from '../changes/last-applied.ts';
import { createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { UsageError } from '../errors.ts';
import { saveConfigOption } from '../options/change.ts';
import { dryRunOption, fieldManagerOption, printOptions, readDryRun } from '../options/shared.ts';
import type { WireObject } from '../resource/api-object.ts';

/** Options of every command that makes an object from flags. */
export const generatorOptions = [
  dryRunOption,
  fieldManagerOption,
  saveConfigOption,
  ...printOptions,
] as const;

/** Creates an object that was made from flags and reports it. */
export async function createGenerated(
  ctl: Ctl,
  options: ConfigOf<typeof generatorOptions>,
  generated: WireObject,
): Promise<void> {
  const dryRun = readDryRun(options.dryRun);
  const resource = await ctl.findKind(generated.apiVersion, generated.kind, 'flags');
  const { namespace, isNamespaceEnforced } = await ctl.context();
  const isPlaced = resource.isNamespaced && (isNamespaceEnforced || dryRun !== 'client');
  // As the release's client writes objects that no server has seen.
  const metadata = { creationTimestamp: null, ...generated.metadata, ...(isPlaced ? { namespace } : {}) };
  const placed = { ...generated, metadata };
  const object = options.saveConfig ? withLastApplied(placed, ctl.dialect) : placed;
  const report = await createReporter(ctl, {
    output: options.output,
    dryRun,
    allowsMissingKeys: options.allowMissingTemplateKeys,
    showsManagedFields: options.showManagedFields,
  });
  const created = await createObject(
    ctl,
    { resource, namespace: resource.isNamespaced ? namespace : '', object },
    { dryRun, fieldManager: options.fieldManager ?? ctl.fieldManager('create') },
  );
  report({ resource, object: created, name: nameOf(created), operation: 'created' });
}

/** The one argument of such a command. @throws UsageError */
export function takeName(args: readonly string[]): string {
  const [name, ...rest] = args;
  if (name === undefined || rest.length > 0) {
    throw new UsageError(`exactly one NAME is required, got ${args.length}`);
  }
  return name;
}
