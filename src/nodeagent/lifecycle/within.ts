import type { Clock } from '../../base/index.ts';

/** What a promise resolves with, unless that takes too long. @throws what `onLate` makes then */
export async function within<T>(
  promise: Promise<T>,
  {
    clock,
    timeoutMs,
    onLate,
  }: { readonly clock: Clock; readonly timeoutMs: number; readonly onLate: () => Error },
): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const cancel = clock.setTimer(timeoutMs, () => timeout.reject(onLate()));
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    cancel();
  }
}
