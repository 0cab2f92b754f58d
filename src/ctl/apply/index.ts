/**
 * `ctl apply`: makes the objects of files exist as described. Client-side by default: a patch is made of what was
 * applied last time (kept in an annotation), what the file says now and what the server has. With `--server-side` the
 * server does that work. With `--prune`, what was applied once and is in no file any more is deleted.
 */
import type { ConfigOf } from '../../config/index.ts';
import { waitForAll } from '../delete/wait-for-all.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { type DryRun, hasFiles, readDryRun } from '../options/shared.ts';
import { defineVerb } from '../verb.ts';
import { applyFiles, planApply, pruneFiles } from './apply-files.ts';
import { createApplyOutput } from './apply-output.ts';
import { type ApplyOptions, applyOptions } from './options.ts';
import { checkPruneOptions } from './prune-options.ts';
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
      { command: 'ctl apply --watch -f ./manifests', does: 'go on applying what changes in the files' },
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
    if (!hasFiles(options)) throw new CtlError('must specify one of -f and -k');
    const dryRun = readDryRun(options.dryRun);
    checkServerSideOptions(options, dryRun);
    if (args.length > 0) throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    checkPruneOptions(options);
    if (options.watch) {
      const { applyWatching } = await import('./watch.ts');
      return applyWatching(ctl, { options, args, dryRun });
    }
    const output = await createApplyOutput(ctl, options, dryRun);
    const isHuman = !options.output;
    const { report, print } = createSummary(ctl.io, { report: output.report, isHuman, dryRun });
    const plan = await planApply(ctl, { options, args, dryRun }, report);
    const { applied, errors } = await applyFiles(plan);
    if (errors.length > 0 || !options.prune) print(errors.length);
    throwGathered(errors);
    output.end();
    // Only now: a file that could not be applied must not cost anything.
    if (options.prune) {
      const gone = await pruneFiles(plan, applied);
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
