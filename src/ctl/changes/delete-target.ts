import { watchEvents } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import type { DryRun } from '../options/shared.ts';
import { type Target, targetPath } from '../resource/target.ts';

/** How an object goes. */
export interface DeleteOptions {
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
  /** Undefined: as long as the object itself asks for. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly dryRun: DryRun;
}

/** Asks the server to delete an object; returns its uid if the answer says it. @throws StatusError */
export async function deleteTarget(
  ctl: Ctl,
  target: Target,
  options: DeleteOptions,
): Promise<string | undefined> {
  if (options.dryRun === 'client') return undefined;
  const client = await ctl.client();
  const answer = await client.json<{ details?: { uid?: string }; metadata?: { uid?: string } }>({
    method: 'DELETE',
    path: targetPath(target),
    signal: ctl.io.signal,
    body: {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: options.gracePeriodSeconds }),
      propagationPolicy: options.propagationPolicy,
      ...(options.dryRun === 'server' ? { dryRun: ['All'] } : {}),
    },
  });
  return answer.details?.uid ?? answer.metadata?.uid;
}

/** An object whose end is waited for. */
export type DoomedTarget = Target & { readonly uid?: string | undefined };

/** Called with what still holds an object, when that is known. */
export type WaitProgress = (finalizers: readonly string[]) => void;

/** The time is over, and an object that was deleted is not gone. */
export class StillThereError extends CtlError {}

/**
 * Waits until the object is gone or another one has its name. @throws CtlError after `timeoutMs` (0: never;
 * negative: at once)
 */
export async function waitUntilGone(
  ctl: Ctl,
  target: DoomedTarget,
  { timeoutMs, onProgress }: { readonly timeoutMs: number; readonly onProgress?: WaitProgress },
): Promise<void> {
  const deadline = new AbortController();
  const cancel =
    timeoutMs === 0 ? () => {} : ctl.io.clock.setTimer(Math.max(timeoutMs, 0), () => deadline.abort());
  const signal = AbortSignal.any([ctl.io.signal, deadline.signal]);
  try {
    // A watch that ends without the news is begun anew.
    while (!(await isGone(ctl, target, signal, onProgress))) signal.throwIfAborted();
  } catch (error) {
    if (!deadline.signal.aborted) throw error;
    throw new StillThereError(
      `timed out waiting for the condition on ${target.resource.name}/${target.name}`,
      { cause: error },
    );
  } finally {
    cancel();
  }
}

async function isGone(
  ctl: Ctl,
  target: DoomedTarget,
  signal: AbortSignal,
  onProgress: WaitProgress | undefined,
): Promise<boolean> {
  const client = await ctl.client();
  const live = await readMetadata(ctl, target, signal);
  if (live === undefined || (target.uid !== undefined && live.uid !== target.uid)) return true;
  onProgress?.(live.finalizers ?? []);
  const request = {
    method: 'GET',
    path: targetPath({ ...target, name: undefined }),
    signal,
    query: { fieldSelector: `metadata.name=${target.name}`, resourceVersion: live.resourceVersion },
  } as const;
  try {
    for await (const { type, object } of watchEvents(client, request)) {
      const { metadata } = object as { metadata?: LiveMetadata }; // an event's object, read by name
      if (type === 'DELETED' || (target.uid !== undefined && metadata?.uid !== target.uid)) return true;
      onProgress?.(metadata?.finalizers ?? []);
    }
  } catch (error) {
    if (!isReason(error, 'Expired') && !isReason(error, 'Gone')) throw error;
  }
  return false;
}

interface LiveMetadata {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly finalizers?: readonly string[];
}

async function readMetadata(
  ctl: Ctl,
  target: Target,
  signal: AbortSignal,
): Promise<LiveMetadata | undefined> {
  const client = await ctl.client();
  try {
    const live = await client.json<{ metadata?: LiveMetadata }>({
      method: 'GET',
      path: targetPath(target),
      signal,
    });
    return live.metadata ?? {};
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
