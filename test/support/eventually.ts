import { setTimeout as delay } from 'node:timers/promises';

const patienceMs = 10_000;
const pauseMs = 20;

/** Asks again until `look` gives a value. @throws Error when it gives none for ten seconds. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  const lateAt = Date.now() + patienceMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > lateAt) throw new Error('what was expected did not happen in ten seconds');
    await delay(pauseMs);
  }
}
