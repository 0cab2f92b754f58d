import { asJsonObject, asText, errorText } from '../base/index.ts';
import { isReason, StatusError } from '../machinery/errors/index.ts';
import { withChangeCause } from './changes/change-cause.ts';
import { createObject, nameOf } from './changes/create-object.ts';
import { deleteTarget, waitUntilGone } from './changes/delete-target.ts';
import { withLastApplied } from './changes/last-applied.ts';
import { changeQuery, createReporter } from './changes/reporter.ts';
import { withSource } from './changes/source-error.ts';
import type { Ctl } from './ctl.ts';
import { CtlError, throwGathered, UsageError } from './errors.ts';
import { fileChangeOptions, saveConfigOption } from './options/change.ts';
import { type DryRun, hasFiles, readDryRun, sourcesOf } from './options/shared.ts';
import type { WireObject } from './resource/api-object.ts';
import { type ManifestTarget, resolveFiles } from './resource/resolve-files.ts';
import { targetPath } from './resource/target.ts';
import { defineVerb } from './verb.ts';

/** `ctl replace`. */
export const replaceVerb = defineVerb({
  program: {
    name: 'ctl replace',
    summary: 'Replace objects by those of files',
    usage: '-f FILE [flags]',
    options: [
      ...fileChangeOptions,
      saveConfigOption,
      { name: 'force', type: 'bool', section: 'Changes', help: 'Delete the objects and create them anew.' },
      {
        name: 'timeout',
        type: 'duration',
        default: '0s',
        section: 'Changes',
        help: 'With --force: how long to wait for an object to be gone; 0 for as long as it takes.',
      },
    ],
  },
  async run(ctl, { options, args }) {
    if (!hasFiles(options)) throw new UsageError('must specify one of -f and -k');
    const { targets, errors } = await resolveFiles(ctl, {
      ...sourcesOf(options),
      labelSelector: options.selector,
      isValidated: options.validate,
      args,
    });
    if (targets.length === 0 && errors.length === 0) throw new CtlError('no objects passed to replace');
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, {
      output: options.output,
      dryRun,
      allowsMissingKeys: options.allowMissingTemplateKeys,
      showsManagedFields: options.showManagedFields,
    });
    const change = { dryRun, fieldManager: options.fieldManager ?? ctl.fieldManager('replace') };
    for (const target of targets) {
      try {
        const recorded = withChangeCause(ctl, target.object);
        const object = options.saveConfig ? withLastApplied(recorded, ctl.dialect) : recorded;
        const run = { ...target, object };
        if (options.force) {
          if (dryRun === 'none') await checkNew(ctl, run, change.fieldManager);
          await removeOld(ctl, run, { dryRun, timeoutMs: options.timeoutMs });
        }
        const replaced = options.force
          ? await createObject(ctl, run, change)
          : await replaceObject(ctl, run, change);
        report({
          resource: target.resource,
          object: replaced,
          name: nameOf(replaced),
          operation: 'replaced',
        });
      } catch (error) {
        errors.push(withSource(error, 'replacing', target.source));
      }
    }
    throwGathered(errors);
  },
});

async function replaceObject(
  ctl: Ctl,
  target: ManifestTarget,
  { dryRun, fieldManager }: { readonly dryRun: DryRun; readonly fieldManager: string },
): Promise<unknown> {
  if (target.name === '') throw new CtlError('resource name may not be empty');
  if (dryRun === 'client') return target.object;
  const client = await ctl.client();
  return client.json({
    method: 'PUT',
    path: targetPath(target),
    query: changeQuery(fieldManager, dryRun),
    body: await withLiveVersion(ctl, target),
    signal: ctl.io.signal,
  });
}

/** An object that names no version replaces whichever is there; some kinds may only be replaced by that version. */
async function withLiveVersion(ctl: Ctl, target: ManifestTarget): Promise<WireObject> {
  const { object } = target;
  if (object.metadata.resourceVersion) return object;
  const client = await ctl.client();
  try {
    const live = asJsonObject(
      await client.json({ method: 'GET', path: targetPath(target), signal: ctl.io.signal }),
    );
    const resourceVersion = asText(asJsonObject(live.metadata).resourceVersion);
    return { ...object, metadata: { ...object.metadata, resourceVersion } };
  } catch (error) {
    // The server's answer to the replacement says it better.
    if (error instanceof StatusError) return object;
    throw error;
  }
}

/**
 * Makes sure that the new object can be created before the old one is deleted: the server rehearses it. Servers that
 * cannot rehearse, because of what they call, are trusted.
 *
 * @throws StatusError for an object that the server would refuse
 */
async function checkNew(ctl: Ctl, target: ManifestTarget, fieldManager: string): Promise<void> {
  try {
    await createObject(ctl, target, { dryRun: 'server', fieldManager });
  } catch (error) {
    const cannotRehearse = isReason(error, 'BadRequest') && /dry ?run/i.test(errorText(error));
    // The old object still counts, and has the name, which is looked at last.
    const isFull = isReason(error, 'Forbidden') && /exceeded quota/.test(errorText(error));
    if (!isReason(error, 'AlreadyExists') && !cannotRehearse && !isFull) throw error;
  }
}

async function removeOld(
  ctl: Ctl,
  target: ManifestTarget,
  { dryRun, timeoutMs }: { readonly dryRun: DryRun; readonly timeoutMs: number },
): Promise<void> {
  try {
    const uid = await deleteTarget(ctl, target, { propagationPolicy: 'Background', dryRun });
    if (dryRun === 'none') await waitUntilGone(ctl, { ...target, uid }, { timeoutMs });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
