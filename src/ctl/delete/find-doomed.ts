import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { hasFiles, sourcesOf } from '../options/shared.ts';
import { listItems } from '../resource/api-object.ts';
import { readDocuments } from '../resource/read-collection.ts';
import { resolveFiles } from '../resource/resolve-files.ts';
import { resolveTargets } from '../resource/resolve-targets.ts';
import type { Target } from '../resource/target.ts';
import type { VerbCall } from '../verb.ts';
import type { DeleteVerbOptions } from './options.ts';

/** An object to delete, and the file that named it. */
export type Doomed = Target & { readonly name: string; readonly source?: string };

/** What a command line wants deleted: each object by name. Collections are listed to find them. */
export async function findDoomed(
  ctl: Ctl,
  { options, args }: VerbCall<DeleteVerbOptions>,
): Promise<{ targets: readonly Doomed[]; errors: unknown[] }> {
  if (hasFiles(options)) {
    const request = {
      ...sourcesOf(options),
      labelSelector: options.selector,
      args,
    };
    return resolveFiles(ctl, request);
  }
  if (options.all && (options.selector || options.fieldSelector))
    throw new CtlError("setting 'all' parameter but found a non empty selector. ");
  const targets = await resolveTargets(ctl, {
    args,
    labelSelector: options.selector,
    fieldSelector: options.fieldSelector,
    selectsAll: options.all,
    isAllNamespaces: options.allNamespaces,
  });
  warnAboutScope(ctl, targets, options.allNamespaces);
  const client = await ctl.client();
  const doomed: Doomed[] = [];
  const errors: unknown[] = [];
  for (const target of targets) {
    if (target.name !== undefined) {
      doomed.push({ ...target, name: target.name });
      continue;
    }
    try {
      for await (const document of readDocuments(client, target, { chunkSize: 500, signal: ctl.io.signal })) {
        for (const { metadata } of listItems(document, target.resource)) {
          const { resource } = target;
          doomed.push({ resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
        }
      }
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
      errors.push(error);
    }
  }
  return { targets: doomed, errors };
}

function warnAboutScope(ctl: Ctl, targets: readonly Target[], isAllNamespaces: boolean): void {
  if (!ctl.flags.namespace || isAllNamespaces || targets.every(({ resource }) => resource.isNamespaced))
    return;
  ctl.io.stderr.write('warning: deleting cluster-scoped resources, not scoped to the provided namespace\n');
}
