/**
 * `ctl delete`: by file, by name, by selector or all of a type; waits until the objects are gone.
 */
import type { ConfigOf } from '../../config/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { type DeleteOptions, type DoomedTarget, deleteTarget } from '../changes/delete-target.ts';
import { dryRunNote } from '../changes/reporter.ts';
import { withSource } from '../changes/source-error.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { readCascade } from '../options/deletion.ts';
import { rawPath } from '../options/raw-path.ts';
import { readDryRun } from '../options/shared.ts';
import { arrangeErrors } from '../resource/arrange-errors.ts';
import { kindName } from '../resource/target.ts';
import { defineVerb, type VerbCall } from '../verb.ts';
import { findDoomed } from './find-doomed.ts';
import { type DeleteVerbOptions, deleteOptions } from './options.ts';
import { waitForAll } from './wait-for-all.ts';

/** The verb. */
export const deleteVerb = defineVerb({
  program: {
    name: 'ctl delete',
    summary: 'Delete objects by file, name or selector',
    usage: '(-f FILE | TYPE (NAME... | -l SELECTOR | --all) | TYPE/NAME...) [flags]',
    options: deleteOptions,
    examples: [
      { command: 'ctl delete pod web', does: 'delete a pod' },
      { command: 'ctl delete -f app.yaml', does: 'delete what a file describes' },
      { command: 'ctl delete pods,services -l app=web', does: 'delete what carries a label' },
    ],
  },
  async run(ctl, call) {
    if (call.options.raw) return deleteRaw(ctl, call.options.raw);
    if (call.options.output && call.options.output !== 'name') {
      throw new CtlError(`unexpected -o output mode: ${call.options.output}. We only support '-o name'`);
    }
    const options = readDeleteOptions(ctl, call);
    const { targets, errors: ofFiles } = await findDoomed(ctl, call);
    const doomed: DoomedTarget[] = [];
    const ofObjects: unknown[] = [];
    for (const target of targets) {
      try {
        const uid = await deleteTarget(ctl, target, options);
        doomed.push({ ...target, uid });
        report(ctl, call.options, target, options);
      } catch (error) {
        if (!ignoresNotFound(call) || !isReason(error, 'NotFound'))
          ofObjects.push(withSource(error, 'deleting', target.source ?? ''));
      }
    }
    const errors = arrangeErrors(ctl.dialect, { ofFiles, ofObjects }, 'last');
    if (targets.length === 0 && errors.length === 0) ctl.io.stdout.write('No resources found\n');
    if (call.options.wait && options.dryRun === 'none') await waitForAll(ctl, doomed, call.options.timeoutMs);
    throwGathered(errors);
  },
});

function ignoresNotFound({ options, given }: VerbCall<DeleteVerbOptions>): boolean {
  return given.has('ignoreNotFound') ? options.ignoreNotFound : options.all;
}

function readDeleteOptions(ctl: Ctl, { options }: VerbCall<DeleteVerbOptions>): DeleteOptions {
  let gracePeriodSeconds = options.gracePeriodSeconds;
  if (options.now && gracePeriodSeconds !== -1) {
    throw new CtlError('--now and --grace-period cannot be specified together');
  }
  if (options.force && gracePeriodSeconds > 0) {
    throw new CtlError('--force and --grace-period greater than 0 cannot be specified together');
  }
  if (options.now) gracePeriodSeconds = 1;
  if (options.force && !options.now) gracePeriodSeconds = 0;
  // An immediate end must be asked for twice.
  if (gracePeriodSeconds === 0 && !options.force) gracePeriodSeconds = 1;
  if (options.force && gracePeriodSeconds === 0) {
    ctl.io.stderr.write(
      'warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
    );
  }
  return {
    propagationPolicy: readCascade(ctl, options.cascade),
    dryRun: readDryRun(options.dryRun),
    ...(gracePeriodSeconds >= 0 ? { gracePeriodSeconds } : {}),
  };
}

function report(
  ctl: Ctl,
  options: ConfigOf<DeleteVerbOptions>,
  { resource, name }: DoomedTarget,
  { gracePeriodSeconds, dryRun }: DeleteOptions,
): void {
  const type = kindName(resource);
  const operation = gracePeriodSeconds === 0 ? 'force deleted' : 'deleted';
  const line =
    options.output === 'name' ? `${type}/${name}` : `${type} "${name}" ${operation}${dryRunNote(dryRun)}`;
  ctl.io.stdout.write(`${line}\n`);
}

async function deleteRaw(ctl: Ctl, path: string): Promise<void> {
  const client = await ctl.client();
  const { body } = await client.send({ method: 'DELETE', path: rawPath(path, CtlError) });
  ctl.io.stdout.write(body.toString('utf8'));
}
