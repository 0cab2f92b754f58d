import { isReason } from '../../machinery/errors/index.ts';
import { createObject, nameOf } from '../changes/create-object.ts';
import { deleteTarget, waitUntilGone } from '../changes/delete-target.ts';
import { readLastApplied, withLastApplied } from '../changes/last-applied.ts';
import { type Change, changeQuery } from '../changes/reporter.ts';
import { CtlError } from '../errors.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import { targetPath } from '../resource/target.ts';
import { ApplyStepError, patchingError, readingError } from './apply-step.ts';
import { type ApplyPatch, createApplyPatch } from './create-apply-patch.ts';
import type { ApplyRun } from './run.ts';
import { warnAboutMissing, warnIfDeleting } from './warnings.ts';

/** How often a patch that lost a race is made anew. */
const maxAttempts = 5;

/** Creates the object, or patches the live one to what the file says. @throws StatusError */
export async function applyToClient(run: ApplyRun): Promise<Change> {
  const { ctl, target } = run;
  const wanted = withLastApplied(target.object, ctl.dialect);
  const live = await readLive(run);
  if (live === undefined) {
    const object = await createObject(ctl, { ...target, object: wanted }, run).catch((error: unknown) => {
      throw new ApplyStepError('creating', error);
    });
    return { resource: target.resource, name: nameOf(object), object, operation: 'created' };
  }
  const lastApplied = readLastApplied(live, ctl.dialect);
  if (lastApplied === undefined && run.dryRun !== 'client') warnAboutMissing(run);
  return patchLive(run, wanted, live, 1);
}

async function patchLive(
  run: ApplyRun,
  wanted: WireObject,
  live: WireObject,
  attempt: number,
): Promise<Change> {
  const { ctl, target } = run;
  const result = { resource: target.resource, name: target.name };
  const isRelease = ctl.dialect.name === 'kubernetes';
  // It does not find out there what would change.
  if (isRelease && run.dryRun === 'client') return { ...result, object: live, operation: 'configured' };
  const patch = await createApplyPatch({
    dialect: ctl.dialect,
    original: readLastApplied(live, ctl.dialect) ?? {},
    modified: wanted,
    current: live,
    findType: run.findType,
    overwrites: run.overwrites,
  });
  if (patch.isEmpty) {
    warnIfDeleting(run, live);
    return { ...result, object: live, operation: 'unchanged' };
  }
  if (run.dryRun === 'client') {
    const { patchLocally } = await import('../changes/patch-locally.ts');
    return { ...result, object: await patchLocally(live, patch, run.findType), operation: 'configured' };
  }
  try {
    const object = await sendPatch(run, patch);
    warnIfDeleting(run, object);
    // A list that only repeats defaults makes a patch that changes nothing, which release 1.20 does not look at.
    const isSame = !isRelease && versionOf(object) === versionOf(live) && run.dryRun === 'none';
    return { ...result, object, operation: isSame ? 'unchanged' : 'configured' };
  } catch (error) {
    if (isReason(error, 'Conflict') && attempt < maxAttempts) {
      const fresh = await readLive(run);
      if (fresh !== undefined) return patchLive(run, wanted, fresh, attempt + 1);
    }
    if (run.forces && (isReason(error, 'Conflict') || isReason(error, 'Invalid'))) {
      return { ...result, object: await replaceByForce(run, wanted, live), operation: 'configured' };
    }
    throw patchingError(run, patch.body, error);
  }
}

async function sendPatch(
  { ctl, target, dryRun, fieldManager }: ApplyRun,
  patch: ApplyPatch,
): Promise<unknown> {
  const client = await ctl.client();
  return client.json({
    method: 'PATCH',
    path: targetPath(target),
    contentType: patch.contentType,
    query: changeQuery(fieldManager, dryRun),
    body: patch.body,
    signal: ctl.io.signal,
  });
}

async function readLive(run: ApplyRun): Promise<WireObject | undefined> {
  const { ctl, target } = run;
  if (target.name === '') throw new CtlError('resource name may not be empty');
  const client = await ctl.client();
  try {
    const live: unknown = await client.json({
      method: 'GET',
      path: targetPath(target),
      signal: ctl.io.signal,
    });
    if (isWireObject(live)) return live;
    throw new CtlError(
      `the server's answer for ${target.resource.name} ${JSON.stringify(target.name)} is no object`,
    );
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw readingError(run, error);
  }
}

function versionOf(object: unknown): string | undefined {
  return isWireObject(object) ? object.metadata.resourceVersion : undefined;
}

/**
 * Deletes the live object, waits until it is gone and creates the wanted one. When that fails the old object is put
 * back. @throws StatusError why the wanted one could not be created
 */
async function replaceByForce(run: ApplyRun, wanted: WireObject, live: WireObject): Promise<unknown> {
  const { ctl, target } = run;
  await deleteTarget(ctl, target, run.deletion);
  if (run.dryRun === 'none')
    await waitUntilGone(ctl, { ...target, uid: live.metadata.uid }, { timeoutMs: run.timeoutMs });
  try {
    return await createObject(ctl, { ...target, object: wanted }, run);
  } catch (error) {
    const { resourceVersion: _version, uid: _uid, ...metadata } = live.metadata;
    await createObject(ctl, { ...target, object: { ...live, metadata } }, run);
    throw error;
  }
}
