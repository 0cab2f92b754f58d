import { errorText } from '../../base/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';
import { kindName } from '../resource/target.ts';
import { createObject } from './create-object.ts';
import { type DeleteOptions, deleteTarget, waitUntilGone } from './delete-target.ts';

/** How an old object goes. */
interface RoomOptions extends DeleteOptions {
  /** How long its end is waited for; 0 for as long as it takes. */
  readonly timeoutMs: number;
  readonly fieldManager: string;
  /** Whether a line says that it was deleted. */
  readonly isTold: boolean;
}

/** Deletes the object in whose place another is to be created, unless the server would refuse that one. @throws CtlError */
export async function makeRoom(ctl: Ctl, target: ManifestTarget, options: RoomOptions): Promise<void> {
  const { timeoutMs, fieldManager, isTold, ...deletion } = options;
  const isReal = deletion.dryRun === 'none';
  if (isReal) await checkNew(ctl, target, fieldManager);
  try {
    const uid = await deleteTarget(ctl, target, deletion);
    if (!isReal) return;
    if (isTold) {
      ctl.io.stdout.write(`${kindName(target.resource)} ${JSON.stringify(target.name)} deleted\n`);
    }
    await waitUntilGone(ctl, { ...target, uid }, { timeoutMs });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}

/**
 * Makes sure that the new object can be created before the old one is deleted: the server rehearses it. Servers that
 * cannot rehearse, because of what they call, are trusted.
 *
 * @throws StatusError for an object that the server would refuse
 */
async function checkNew(ctl: Ctl, target: ManifestTarget, fieldManager: string): Promise<void> {
  try {
    await createObject(ctl, target, { dryRun: 'server', fieldManager });
  } catch (error) {
    const cannotRehearse = isReason(error, 'BadRequest') && /dry ?run/i.test(errorText(error));
    // The old object still counts, and has the name, which is looked at last.
    const isFull = isReason(error, 'Forbidden') && /exceeded quota/.test(errorText(error));
    if (!isReason(error, 'AlreadyExists') && !cannotRehearse && !isFull) throw error;
  }
}
