/**
 * `ctl apply`: makes the objects of files exist as described. Client-side by default: a patch is made of what was
 * applied last time (kept in an annotation), what the file says now and what the server has. With `--server-side` the
 * server does that work. With `--prune`, what was applied once and is in no file any more is deleted.
 */
import type { ConfigOf } from '../../config/index.ts';
import type { DeleteOptions } from '../changes/delete-target.ts';
import { createReporter } from '../changes/reporter.ts';
import { withSource } from '../changes/source-error.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { readCascade } from '../options/deletion.ts';
import { type DryRun, readDryRun } from '../options/shared.ts';
import { isWireObject } from '../resource/api-object.ts';
import { resolveFiles } from '../resource/resolve-files.ts';
import { defineVerb } from '../verb.ts';
import { applyToClient } from './apply-client-side.ts';
import { applyToServer } from './apply-server-side.ts';
import { type ApplyOptions, applyOptions } from './options.ts';
import { type AppliedObject, pruneOthers } from './prune.ts';
import { readPruneWhitelist } from './prune-kinds.ts';
import { checkPruneOptions } from './prune-options.ts';
import type { ApplyRun } from './run.ts';

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
    if (options.filename.length === 0) throw new UsageError('must specify one of -f and -k');
    const dryRun = readDryRun(options['dry-run']);
    if (options['force-conflicts'] && !options['server-side']) {
      throw new CtlError('--force-conflicts only works with --server-side');
    }
    if (options['server-side'] && dryRun === 'client') {
      throw new CtlError(
        "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
      );
    }
    checkPruneOptions(options);
    const pruned = options.prune ? await readPruneWhitelist(ctl, options['prune-whitelist']) : undefined;
    const deletion = readDeletion(ctl, options, dryRun);
    const { targets, errors } = await resolveFiles(ctl, {
      filenames: options.filename,
      isRecursive: options.recursive,
      labelSelector: options.selector,
      args,
    });
    if (targets.length === 0 && errors.length === 0) throw new CtlError('no objects passed to apply');
    const report = await createReporter(ctl, {
      output: options.output,
      dryRun,
      allowsMissingKeys: options['allow-missing-template-keys'],
      showsManagedFields: options['show-managed-fields'],
    });
    const fieldManager =
      options['field-manager'] ??
      (options['server-side'] ? ctl.dialect.spell('ctl') : ctl.fieldManager('client-side-apply'));
    const applied: AppliedObject[] = [];
    for (const target of targets) {
      try {
        const run: ApplyRun = {
          ctl,
          target,
          dryRun,
          fieldManager,
          forces: options.force,
          deletion,
          takesOver: options['force-conflicts'],
        };
        const change = options['server-side'] ? await applyToServer(run) : await applyToClient(run);
        applied.push({ target, uid: uidOf(change.object) });
        report(change);
      } catch (error) {
        errors.push(withSource(error, 'applying', target.source));
      }
    }
    throwGathered(errors);
    // Only now: a file that could not be applied must not cost anything.
    if (options.prune) {
      const labelSelector = options.selector;
      await pruneOthers(ctl, { resources: pruned, labelSelector, applied, deletion, report });
    }
  },
});

function readDeletion(ctl: Ctl, options: ConfigOf<ApplyOptions>, dryRun: DryRun): DeleteOptions {
  const gracePeriodSeconds = options['grace-period'];
  return {
    propagationPolicy: readCascade(ctl, options.cascade),
    dryRun,
    ...(gracePeriodSeconds >= 0 ? { gracePeriodSeconds } : {}),
  };
}

function uidOf(object: unknown): string | undefined {
  return isWireObject(object) ? object.metadata.uid : undefined;
}
