import type { Clock } from '../base/index.ts';

/** Resolves after `delayMs` or, sooner, when the signal aborts. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.setTimer(delayMs, finish);
    signal.addEventListener('abort', finish);
  });
}
