import { isDeepStrictEqual } from 'node:util';
import { readLastApplied } from '../changes/last-applied.ts';
import { createReporter } from '../changes/reporter.ts';
import { withSource } from '../changes/source-error.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import {
  dryRunOption,
  filenameOption,
  printOptions,
  readDryRun,
  recursiveOption,
} from '../options/shared.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import { type ManifestTarget, resolveFiles } from '../resource/resolve-files.ts';
import { missingResources } from '../resource/resolve-targets.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { withoutLastApplied, writeLastApplied } from './last-applied-patch.ts';

/** `ctl apply set-last-applied`. */
export const setLastAppliedVerb = defineVerb({
  program: {
    name: 'ctl apply set-last-applied',
    summary: 'Say what objects were applied from, without changing them otherwise',
    usage: '-f FILE [flags]',
    options: [
      filenameOption,
      recursiveOption,
      {
        name: 'create-annotation',
        type: 'bool',
        section: 'Changes',
        help: 'Add the annotation to objects that have none.',
      },
      dryRunOption,
      ...printOptions,
    ],
    examples: [
      { command: 'ctl apply set-last-applied -f web.yaml', does: 'take a file for what was applied last' },
      {
        command: 'ctl apply set-last-applied -f web.yaml --create-annotation',
        does: 'make objects known to apply that were not made by it',
      },
    ],
  },
  async run(ctl, { options, args }) {
    if (options.filename.length === 0) throw new CtlError(missingResources);
    const { targets, errors } = await resolveFiles(ctl, {
      filenames: options.filename,
      isRecursive: options.recursive,
      // Release 1.20's client does not look at them.
      args: ctl.dialect.name === 'orch' ? args : [],
    });
    throwGathered(errors);
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, options, { dryRun });
    // Every object is looked at before the first is changed.
    const plans: Plan[] = [];
    for (const target of targets) {
      const plan = await planChange(ctl, target, { mayCreate: options.createAnnotation });
      if (plan.isNeeded) plans.push(plan);
      else ctl.io.stdout.write(`set-last-applied ${target.name}: no changes required.\n`);
    }
    for (const { target, live, configuration } of plans) {
      const object =
        dryRun === 'client' ? live : await writeLastApplied(ctl, target, configuration, { dryRun });
      report({ resource: target.resource, name: target.name, object, operation: 'configured' });
    }
  },
});

interface Plan {
  readonly target: ManifestTarget;
  readonly live: WireObject;
  readonly configuration: WireObject;
  readonly isNeeded: boolean;
}

async function planChange(
  ctl: Ctl,
  target: ManifestTarget,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<Plan> {
  const live = await readLive(ctl, target);
  const annotation = ctl.dialect.lastAppliedAnnotation;
  if (!live.metadata.annotations?.[annotation] && !mayCreate) {
    throw new CtlError(
      `no last-applied-configuration annotation found on resource: ${target.name}, to create the annotation, run the command with --create-annotation`,
    );
  }
  const configuration = withoutLastApplied(target.object, annotation);
  const isNeeded = !isDeepStrictEqual(readLastApplied(live, ctl.dialect), configuration);
  return { target, live, configuration, isNeeded };
}

async function readLive(ctl: Ctl, target: ManifestTarget): Promise<WireObject> {
  if (target.name === '') throw new CtlError('resource name may not be empty');
  const client = await ctl.client();
  try {
    const path = targetPath(target);
    const live: unknown = await client.json({ method: 'GET', path, signal: ctl.io.signal });
    if (isWireObject(live)) return live;
  } catch (error) {
    // There the server's word stands alone.
    const source = ctl.dialect.name === 'kubernetes' ? '' : target.source;
    throw withSource(error, 'reading the object of', source);
  }
  throw new CtlError(`the server's answer for ${target.resource.name} is no object`);
}
