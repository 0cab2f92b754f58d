/**
 * `ctl apply`: makes the objects of files exist as described. Client-side by default: a patch is made of what was
 * applied last time (kept in an annotation), what the file says now and what the server has. With `--server-side` the
 * server does that work.
 */
import { createReporter } from '../changes/reporter.ts';
import { withSource } from '../changes/source-error.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { readDryRun } from '../options/shared.ts';
import { resolveFiles } from '../resource/resolve-files.ts';
import { defineVerb } from '../verb.ts';
import { applyToClient } from './apply-client-side.ts';
import { applyToServer } from './apply-server-side.ts';
import { applyOptions } from './options.ts';

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
    ],
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
    for (const target of targets) {
      try {
        const run = {
          ctl,
          target,
          dryRun,
          fieldManager,
          forces: options.force,
          takesOver: options['force-conflicts'],
        };
        report(options['server-side'] ? await applyToServer(run) : await applyToClient(run));
      } catch (error) {
        errors.push(withSource(error, 'applying', target.source));
      }
    }
    throwGathered(errors);
  },
});
