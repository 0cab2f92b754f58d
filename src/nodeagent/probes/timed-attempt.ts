import type { Clock } from '../../base/index.ts';

/** One run of a handler. */
export interface Attempt {
  /** Aborted after the time limit, and when the caller aborts. */
  readonly signal: AbortSignal;
}

/** Why an attempt was ended that took too long. */
const timeout = Symbol('timeout');

/** Whether an attempt was ended because it took too long. */
export const isTimeout = (signal: AbortSignal): boolean => signal.reason === timeout;

/** Runs a task with a signal that aborts after the time limit. */
export async function withinTime<T>(
  {
    clock,
    timeoutMs,
    signal,
  }: { readonly clock: Clock; readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  run: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const giveUp = (): void => controller.abort();
  const cancel = clock.setTimer(timeoutMs, () => controller.abort(timeout));
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    return await run({ signal: controller.signal });
  } finally {
    cancel();
    signal?.removeEventListener('abort', giveUp);
  }
}
