import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import { createTypeFinder, type FindBuiltInType } from '../changes/built-in-type.ts';
import { withChangeCause } from '../changes/change-cause.ts';
import type { DeleteOptions, DoomedTarget } from '../changes/delete-target.ts';
import type { Change } from '../changes/reporter.ts';
import { withPlaces } from '../changes/source-error.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { readCascade } from '../options/deletion.ts';
import { type DryRun, sourcesOf } from '../options/shared.ts';
import { isWireObject } from '../resource/api-object.ts';
import { arrangeErrors } from '../resource/arrange-errors.ts';
import { type ManifestTarget, resolveFiles } from '../resource/resolve-files.ts';
import { applyToClient } from './apply-client-side.ts';
import { ApplyConflictError, applyToServer } from './apply-server-side.ts';
import { ApplyStepError } from './apply-step.ts';
import type { ApplyOptions } from './options.ts';
import { type AppliedObject, pruneOthers } from './prune.ts';
import { readPruneWhitelist } from './prune-kinds.ts';

/** A command line of apply, checked. */
export interface ApplyCall {
  readonly options: ConfigOf<ApplyOptions>;
  readonly args: readonly string[];
  readonly dryRun: DryRun;
}

/** All that is the same whenever its files are applied. */
export interface ApplyPlan extends ApplyCall {
  readonly ctl: Ctl;
  readonly report: (change: Change) => void;
  /** What may be pruned; undefined: the release's list. */
  readonly pruned: readonly DiscoveredResource[] | undefined;
  readonly deletion: DeleteOptions;
  readonly fieldManager: string;
  readonly findType: FindBuiltInType;
}

/** How files are applied again. */
export interface Repetition {
  /** Is told of each local file and folder before it is read. */
  readonly onRead: (path: string) => void;
  /** What became of the same object the last time; undefined when it is to be applied. */
  recall(target: ManifestTarget): AppliedObject | undefined;
}

/** What came of the files. */
export interface ApplyOutcome {
  /** What the server has now as the files say, also from an earlier time. */
  readonly applied: readonly AppliedObject[];
  readonly errors: unknown[];
}

/** Settles what does not depend on the files. @throws CtlError */
export async function planApply(
  ctl: Ctl,
  call: ApplyCall,
  report: (change: Change) => void,
): Promise<ApplyPlan> {
  const { options, dryRun } = call;
  return {
    ...call,
    ctl,
    report,
    pruned: options.prune ? await readPruneWhitelist(ctl, options.pruneWhitelist) : undefined,
    deletion: readDeletion(ctl, options, dryRun),
    fieldManager:
      options.fieldManager ??
      (options.serverSide ? ctl.dialect.spell('ctl') : ctl.fieldManager('client-side-apply')),
    findType: createTypeFinder(ctl.dialect),
  };
}

/** Applies what the files hold, as far as it makes sense. @throws CtlError when they cannot be read or hold nothing */
export async function applyFiles(plan: ApplyPlan, repetition?: Repetition): Promise<ApplyOutcome> {
  const { ctl, options, args, report } = plan;
  const { targets, errors: ofFiles } = await resolveFiles(ctl, {
    ...sourcesOf(options),
    labelSelector: options.selector,
    isValidated: options.validate,
    args,
    onRead: repetition?.onRead,
    keepsFit: repetition !== undefined,
  });
  if (targets.length === 0 && ofFiles.length === 0) throw new CtlError('no objects passed to apply');
  const applied: AppliedObject[] = [];
  const ofObjects: unknown[] = [];
  for (const target of targets) {
    try {
      const known = repetition?.recall(target);
      if (known !== undefined) {
        applied.push(known);
        continue;
      }
      const change = await applyTarget(plan, target);
      applied.push({ target, uid: uidOf(change.object) });
      report(change);
    } catch (error) {
      ofObjects.push(await explain(plan, target, error));
    }
  }
  return { applied, errors: arrangeErrors(ctl.dialect, { ofFiles, ofObjects }, 'first') };
}

/** Says what was being done to which file's object. */
async function explain(
  { ctl, options }: ApplyPlan,
  target: ManifestTarget,
  error: unknown,
): Promise<unknown> {
  // A conflict names what it is about, and its text is read by programs.
  if (error instanceof ApplyConflictError) return error;
  // There the server's word stands alone.
  if (options.serverSide && ctl.dialect.name === 'kubernetes') return error;
  return error instanceof ApplyStepError
    ? withPlaces(error.cause, error.step, target)
    : withPlaces(error, 'applying', target);
}

/** Deletes what was applied once and is not among this. */
export function pruneFiles(
  plan: ApplyPlan,
  applied: readonly AppliedObject[],
): Promise<readonly DoomedTarget[]> {
  const { ctl, pruned: resources, deletion, report, options } = plan;
  return pruneOthers(ctl, { resources, labelSelector: options.selector, applied, deletion, report });
}

async function applyTarget(plan: ApplyPlan, target: ManifestTarget): Promise<Change> {
  const { ctl, options, dryRun, fieldManager, findType, deletion } = plan;
  checkName(target);
  const run = {
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
  return options.serverSide ? applyToServer(run) : applyToClient(run);
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
