import type { Pod } from '../../apis/types/core-v1.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';
import { findFirstPod } from './first-pod.ts';
import { isPod } from './pod.ts';
import { byActivity } from './pod-order.ts';
import { selectorOf, typeInMessages } from './selector-of.ts';

/**
 * The pod itself, or the most active one that belongs to the object.
 *
 * @throws CtlError for objects without pods, and when none came in time.
 */
export async function attachablePod(ctl: Ctl, object: WireObject, timeoutMs: number): Promise<Pod> {
  if (isPod(object)) return object;
  const selector = describeSelector(object);
  const namespace = object.metadata.namespace ?? '';
  const { pod } = await findFirstPod(ctl, { namespace, selector, timeoutMs, order: byActivity });
  return pod;
}

function describeSelector(object: WireObject): string {
  try {
    return selectorOf(object).toString();
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    throw new CtlError(`cannot attach to ${typeInMessages(object)}: ${error.message}`);
  }
}
