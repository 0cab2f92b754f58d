import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';
import { resolveObjects } from '../resource/resolve-objects.ts';

/**
 * The object that `NAME` (a pod) or `TYPE/NAME` names.
 *
 * @throws CtlError, or StatusError when there is none.
 */
export async function resolveOne(ctl: Ctl, word: string): Promise<WireObject> {
  const args = word.includes('/') ? [word] : ['pods', word];
  const { objects, errors } = await resolveObjects(ctl, { args, filenames: [], isRecursive: false });
  const [found] = objects;
  if (errors.length > 0) throw errors[0];
  if (found === undefined || objects.length !== 1) throw new CtlError('expected a resource');
  return found.object;
}
