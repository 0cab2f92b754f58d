import type { Pod } from '../../apis/types/core-v1.ts';
import { TransportError, watchEvents } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { isWireObject } from '../resource/api-object.ts';
import { podPath } from './first-pod.ts';
import { isPod } from './pod.ts';

/** A pod that is waited for. */
export interface AwaitedPod {
  readonly namespace: string;
  readonly name: string;
  /** Left out: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** Whether the pod is as wanted. */
  readonly isThere: (pod: Pod) => boolean;
}

/**
 * Waits until a pod is as wanted.
 *
 * @throws CtlError when it is not so in time, StatusError NotFound when it goes.
 */
export async function awaitPod(ctl: Ctl, { namespace, name, timeoutMs, isThere }: AwaitedPod): Promise<Pod> {
  const client = await ctl.client();
  const late = new AbortController();
  const cancel = timeoutMs === undefined ? () => {} : ctl.io.clock.setTimer(timeoutMs, () => late.abort());
  const signal = AbortSignal.any([ctl.io.signal, late.signal]);
  try {
    // A watch that ends without the news is begun anew.
    for (;;) {
      const now: unknown = await client.json({ method: 'GET', path: podPath(namespace, name), signal });
      if (!isWireObject(now) || !isPod(now)) throw new CtlError(`the server's answer for ${name} is no pod`);
      if (isThere(now)) return now;
      const query = { fieldSelector: `metadata.name=${name}`, resourceVersion: now.metadata.resourceVersion };
      for await (const { type, object } of watchEvents(client, {
        method: 'GET',
        path: podPath(namespace),
        query,
        signal,
      })) {
        if (type === 'DELETED') break;
        if (isWireObject(object) && isPod(object) && isThere(object)) return object;
      }
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!late.signal.aborted || !(error instanceof TransportError || error === late.signal.reason))
      throw error;
    throw new CtlError('timed out waiting for the condition', { cause: error });
  } finally {
    cancel();
  }
}
