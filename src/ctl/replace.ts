import { asJsonObject, asText } from '../base/index.ts';
import { StatusError } from '../machinery/errors/index.ts';
import { withChangeCause } from './changes/change-cause.ts';
import { createObject, nameOf } from './changes/create-object.ts';
import { type DeleteOptions, StillThereError } from './changes/delete-target.ts';
import { withLastApplied } from './changes/last-applied.ts';
import { makeRoom } from './changes/make-room.ts';
import { changeQuery, createReporter } from './changes/reporter.ts';
import { rawOption, sendRaw } from './changes/send-raw.ts';
import { withPlaces } from './changes/source-error.ts';
import type { Ctl } from './ctl.ts';
import { CtlError, throwGathered } from './errors.ts';
import { fileChangeOptions, saveConfigOption } from './options/change.ts';
import { cascadeOption, gracePeriodOption, readCascade } from './options/deletion.ts';
import { type DryRun, hasFiles, readDryRun, sourcesOf } from './options/shared.ts';
import type { WireObject } from './resource/api-object.ts';
import { arrangeErrors } from './resource/arrange-errors.ts';
import { type ManifestTarget, resolveFiles } from './resource/resolve-files.ts';
import { targetPath } from './resource/target.ts';
import { defineVerb, type VerbCall } from './verb.ts';

/** `ctl replace`. */
export const replaceVerb = defineVerb({
  program: {
    name: 'ctl replace',
    summary: 'Replace objects by those of files',
    usage: '-f FILE [flags]',
    options: [
      ...fileChangeOptions,
      saveConfigOption,
      rawOption,
      { name: 'force', type: 'bool', section: 'Changes', help: 'Delete the objects and create them anew.' },
      {
        name: 'timeout',
        type: 'duration',
        default: '0s',
        section: 'Changes',
        help: 'With --force: how long to wait for an object to be gone; 0 for as long as it takes.',
      },
      { ...cascadeOption, help: `With --force. ${cascadeOption.help}` },
      {
        ...gracePeriodOption,
        help: 'With --force: seconds that objects get to end; negative: as long as they ask for.',
      },
      {
        name: 'wait',
        type: 'bool',
        section: 'Changes',
        help: 'With --force: wait until an object is gone, which is done in any case.',
      },
    ],
  },
  async run(ctl, { options, args, given }) {
    if (options.raw && hasFiles(options)) return sendRaw(ctl, 'PUT', { ...options, raw: options.raw });
    if (!hasFiles(options)) throw new CtlError('must specify one of -f and -k');
    const deletion = readDeletion(ctl, options, given);
    const { targets, errors: ofFiles } = await resolveFiles(ctl, {
      ...sourcesOf(options),
      labelSelector: options.selector,
      isValidated: options.validate,
      // Release 1.20's client does not look at them.
      args: ctl.dialect.name === 'orch' ? args : [],
    });
    if (targets.length === 0 && ofFiles.length === 0) throw new CtlError('no objects passed to replace');
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, options, { dryRun });
    const change = { dryRun, fieldManager: options.fieldManager ?? ctl.fieldManager('replace') };
    const ofObjects: unknown[] = [];
    for (const target of targets) {
      try {
        const recorded = withChangeCause(ctl, target.object);
        const object = options.saveConfig ? withLastApplied(recorded, ctl.dialect) : recorded;
        const run = { ...target, object };
        if (options.force) {
          await makeRoom(ctl, run, {
            ...deletion,
            timeoutMs: options.timeoutMs,
            fieldManager: change.fieldManager,
            isTold: !options.output,
          });
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
        const isOver = error instanceof StillThereError && ctl.dialect.name === 'kubernetes';
        ofObjects.push(isOver ? new CtlError(releaseTimeout) : await withPlaces(error, 'replacing', target));
      }
    }
    throwGathered(arrangeErrors(ctl.dialect, { ofFiles, ofObjects }, 'last'));
  },
});

/** What release 1.20's client says when the time for an old object's end is over, whichever it is. */
const releaseTimeout = 'timed out waiting for the condition';

/** How the old objects go. @throws CtlError for flags that say so although none goes */
function readDeletion(
  ctl: Ctl,
  options: {
    readonly force: boolean;
    readonly gracePeriodSeconds: number;
    readonly timeoutMs: number;
    readonly cascade: string;
    readonly dryRun: string;
  },
  given: VerbCall['given'],
): DeleteOptions {
  if (!options.force) {
    if (options.gracePeriodSeconds >= 0) throw new CtlError('--grace-period must have --force specified');
    if (options.timeoutMs !== 0) throw new CtlError('--timeout must have --force specified');
  }
  const propagationPolicy = readCascade(ctl, options.cascade);
  if (!options.force && given.has('cascade')) {
    ctl.io.stderr.write('warning: --cascade has no effect without --force: nothing is deleted\n');
  }
  const { gracePeriodSeconds } = options;
  return {
    propagationPolicy,
    dryRun: readDryRun(options.dryRun),
    // At once means a second: the name must be free before the new object is made.
    ...(gracePeriodSeconds >= 0 && { gracePeriodSeconds: Math.max(1, gracePeriodSeconds) }),
  };
}

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
