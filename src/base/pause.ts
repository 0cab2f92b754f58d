import type { Clock } from './clock.ts';

/** Waits; false when the signal aborted before the time was over, or was aborted already. Never rejects. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const onAbort = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = clock.setTimer(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Timers of a clock keep no process alive: until the function returned is called, this does. */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => {}, 1 << 30);
  return () => clearInterval(timer);
}
