import { isReason } from '../../machinery/errors/index.ts';
import type { Change } from '../changes/reporter.ts';
import { changeQuery } from '../changes/reporter.ts';
import { CtlError } from '../errors.ts';
import { targetPath } from '../resource/target.ts';
import type { ApplyRun } from './run.ts';

/** Sends the object as an apply patch. @throws CtlError that names the ways out of a conflict */
export async function applyToServer({
  ctl,
  target,
  dryRun,
  fieldManager,
  takesOver,
}: ApplyRun): Promise<Change> {
  const client = await ctl.client();
  const query = { ...changeQuery(fieldManager, dryRun), ...(takesOver ? { force: 'true' } : {}) };
  try {
    const object: unknown = await client.json({
      method: 'PATCH',
      path: targetPath(target),
      contentType: 'application/apply-patch+yaml',
      query,
      body: target.object,
      signal: ctl.io.signal,
    });
    return { resource: target.resource, name: target.name, object, operation: 'serverside-applied' };
  } catch (error) {
    if (!isReason(error, 'Conflict')) throw error;
    throw new CtlError(
      `${error.message}
Other managers own these fields. To go on:
* to own the fields from now on, run apply again with --force-conflicts;
* to leave the fields to their managers, take them out of the manifest;
* to share a field, give it the value that it has now.`,
      { cause: error },
    );
  }
}
