import { createObject } from '../changes/create-object.ts';
import { deleteTarget, waitUntilGone } from '../changes/delete-target.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { ApplyRun } from './run.ts';

/**
 * Deletes the live object, waits until it is gone and creates the wanted one. When that fails the old object is put
 * back. @throws StatusError why the wanted one could not be created
 */
export async function replaceByForce(run: ApplyRun, wanted: WireObject, live: WireObject): Promise<unknown> {
  const { ctl, target } = run;
  await deleteTarget(ctl, target, run.deletion);
  if (run.dryRun === 'none')
    await waitUntilGone(ctl, { ...target, uid: live.metadata.uid }, { timeoutMs: 0 });
  try {
    return await createObject(ctl, { ...target, object: wanted }, run);
  } catch (error) {
    const { resourceVersion: _version, uid: _uid, ...metadata } = live.metadata;
    await createObject(ctl, { ...target, object: { ...live, metadata } }, run);
    throw error;
  }
}
