/**
 * `ctl apply`: makes the objects of files exist as described. Client-side by default: a patch is made of what was
 * applied last time (kept in an annotation), what the file says now and what the server has. With `--server-side` the
 * server does that work. With `--prune`, what was applied once and is in no file any more is deleted.
 */
import type { ConfigOf } from '../../config/index.ts';
import { createTypeFinder } from '../changes/built-in-type.ts';
import { withChangeCause } from '../changes/change-cause.ts';
import type { DeleteOptions } from '../changes/delete-target.ts';
import { createReporter } from '../changes/reporter.ts';
import { withSource } from '../changes/source-error.ts';
import type { Ctl } from '../ctl.ts';
import { waitForAll } from '../delete/wait-for-all.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { readCascade } from '../options/deletion.ts';
import { type DryRun, hasFiles, readDryRun, sourcesOf } from '../options/shared.ts';
import { isWireObject } from '../resource/api-object.ts';
import { type ManifestTarget, resolveFiles } from '../resource/resolve-files.ts';
import { defineVerb } from '../verb.ts';
import { applyToClient } from './apply-client-side.ts';
import { ApplyConflictError, applyToServer } from './apply-server-side.ts';
import { type ApplyOptions, applyOptions } from './options.ts';
import { type AppliedObject, pruneOthers } from './prune.ts';
import { readPruneWhitelist } from './prune-kinds.ts';
import { checkPruneOptions } from './prune-options.ts';
import type { ApplyRun } from './run.ts';
import { createSummary } from './summary.ts';

/** The verb. */
export const applyVerb = defineVerb({
  program: {
    name: 'ctl apply',
    summary: 'Bring about what files describe',
    usage: '-f FILE [flags]',
    options: applyOptions,
    examples: [
      { command: 'ctl apply -f app.yaml', does: 'create or change what a file describes' },
      { command: 'ctl apply -R -f ./manifests', does: 'do so for all files below a folder' },
      { command: 'ctl apply --server-side -f app.yaml', does: 'let the server merge' },
      {
        command: 'ctl apply --prune -l app=web -f ./manifests --dry-run=server',
        does: 'show what pruning would delete of app=web: what the files no longer hold',
      },
    ],
  },
  subverbs: {
    'view-last-applied': async () => (await import('./last-applied-view.ts')).viewLastAppliedVerb,
    'set-last-applied': async () => (await import('./last-applied-set.ts')).setLastAppliedVerb,
    'edit-last-applied': async () => (await import('./last-applied-edit.ts')).editLastAppliedVerb,
  },
  async run(ctl, { options, args }) {
    if (!hasFiles(options)) throw new UsageError('must specify one of -f and -k');
    const dryRun = readDryRun(options.dryRun);
    checkServerSideOptions(options, dryRun);
    checkPruneOptions(options);
    const pruned = options.prune ? await readPruneWhitelist(ctl, options.pruneWhitelist) : undefined;
    const deletion = readDeletion(ctl, options, dryRun);
    const { targets, errors } = await resolveFiles(ctl, {
      ...sourcesOf(options),
      labelSelector: options.selector,
      isValidated: options.validate,
      args,
    });
    if (targets.length === 0 && errors.length === 0) throw new CtlError('no objects passed to apply');
    const reporter = await createReporter(ctl, {
      output: options.output,
      dryRun,
      allowsMissingKeys: options.allowMissingTemplateKeys,
      showsManagedFields: options.showManagedFields,
    });
    const { report, print } = createSummary(ctl.io, { report: reporter, isHuman: !options.output, dryRun });
    const fieldManager =
      options.fieldManager ??
      (options.serverSide ? ctl.dialect.spell('ctl') : ctl.fieldManager('client-side-apply'));
    const findType = createTypeFinder(ctl.dialect);
    const applied: AppliedObject[] = [];
    for (const target of targets) {
      try {
        checkName(target);
        const run: ApplyRun = {
          ctl,
          target: { ...target, object: withChangeCause(ctl, target.object) },
          dryRun,
          fieldManager,
          findType,
          overwrites: options.overwrite,
          forces: options.force,
          deletion,
          timeoutMs: options.timeoutMs,
          takesOver: options.forceConflicts,
        };
        const change = options.serverSide ? await applyToServer(run) : await applyToClient(run);
        applied.push({ target, uid: uidOf(change.object) });
        report(change);
      } catch (error) {
        // A conflict names what it is about, and its text is read by programs.
        const isSaid = error instanceof ApplyConflictError;
        errors.push(isSaid ? error : withSource(error, 'applying', target.source));
      }
    }
    if (errors.length > 0 || !options.prune) print(errors.length);
    throwGathered(errors);
    // Only now: a file that could not be applied must not cost anything.
    if (options.prune) {
      const labelSelector = options.selector;
      const gone = await pruneOthers(ctl, { resources: pruned, labelSelector, applied, deletion, report });
      print(0);
      if (options.wait && dryRun === 'none') await waitForAll(ctl, gone, options.timeoutMs);
    }
  },
});

/** @throws CtlError for flags that exclude one another, in the words of release 1.20 */
function checkServerSideOptions(options: ConfigOf<ApplyOptions>, dryRun: DryRun): void {
  const isServerSide = options.serverSide;
  if (options.forceConflicts && !isServerSide) {
    throw new CtlError('--force-conflicts only works with --server-side');
  }
  if (isServerSide && dryRun === 'client') {
    throw new CtlError(
      "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
    );
  }
  if (isServerSide && options.force) throw new CtlError('--force cannot be used with --server-side');
  if (dryRun === 'server' && options.force)
    throw new CtlError('--dry-run=server cannot be used with --force');
}

function readDeletion(ctl: Ctl, options: ConfigOf<ApplyOptions>, dryRun: DryRun): DeleteOptions {
  const gracePeriodSeconds = options.gracePeriodSeconds;
  return {
    propagationPolicy: readCascade(ctl, options.cascade),
    dryRun,
    ...(gracePeriodSeconds >= 0 ? { gracePeriodSeconds } : {}),
  };
}

/** Apply finds objects by name, so one that the server is to name cannot be found. */
function checkName({ name, object }: ManifestTarget): void {
  const { generateName } = object.metadata;
  if (name === '' && generateName) {
    throw new CtlError(`from ${generateName}: cannot use generate name with apply`);
  }
}

function uidOf(object: unknown): string | undefined {
  return isWireObject(object) ? object.metadata.uid : undefined;
}
