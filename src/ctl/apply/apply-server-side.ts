import type { Dialect } from '../../machinery/dialect.ts';
import { isReason, type StatusError } from '../../machinery/errors/index.ts';
import { type Change, changeQuery } from '../changes/reporter.ts';
import { CtlError } from '../errors.ts';
import { targetPath } from '../resource/target.ts';
import type { ApplyRun } from './run.ts';
import { warnIfDeleting } from './warnings.ts';

/**
 * Sends the object as an apply patch. The server keeps the last-applied annotation current for the default manager,
 * so that client-side apply can go on from there.
 *
 * @throws ApplyConflictError for fields of other managers
 * @throws CtlError when the server does not know such patches
 */
export async function applyToServer(run: ApplyRun): Promise<Change> {
  const { ctl, target, dryRun, fieldManager, takesOver } = run;
  const client = await ctl.client();
  try {
    const object: unknown = await client.json({
      method: 'PATCH',
      path: targetPath(target),
      contentType: 'application/apply-patch+yaml',
      query: { ...changeQuery(fieldManager, dryRun), force: String(takesOver) },
      body: target.object,
      signal: ctl.io.signal,
    });
    warnIfDeleting(run, object);
    return { resource: target.resource, name: target.name, object, operation: 'serverside-applied' };
  } catch (error) {
    if (isReason(error, 'Conflict')) throw new ApplyConflictError(error, ctl.dialect);
    if (!isReason(error, 'UnsupportedMediaType')) throw error;
    throw new CtlError(`Server-side apply not available on the server: (${error.message})`, { cause: error });
  }
}

/** Other managers own what was applied; the message names each field and manager, and the ways out. */
export class ApplyConflictError extends CtlError {
  constructor(cause: StatusError, dialect: Dialect) {
    // Scripts may read the server's own text.
    super(
      `${dialect.name === 'kubernetes' ? cause.message : listConflicts(cause)}
These fields have other managers. There are three ways to go on:
* To manage all of them from now on, run the command again with
  \`--force-conflicts\`.
* To leave them to their managers, take them out of the file.
* To share a field, give it the value that it has now. It is yours alone
  when the other managers no longer set it.`,
      { cause },
    );
  }
}

/** One conflict as the server words it, several on a line each. */
function listConflicts({ message, status }: StatusError): string {
  const causes = (status.details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict');
  if (causes.length < 2) return message;
  const lines = causes.map((cause) => `- ${cause.field ?? ''}: ${cause.message ?? ''}`);
  return [`Apply failed with ${causes.length} conflicts:`, ...lines].join('\n');
}
