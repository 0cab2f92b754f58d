import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 20;
const mostComplaints = 20;
/** Ends what hangs; a busy machine may take seconds for what is done in milliseconds else. */
const usualPatienceMs = 30_000;

/** Asks again until `look` gives a value. @throws Error when it gives none in time: half a minute, or `patienceMs`. */
export async function eventually<T>(
  look: () => Promise<T | undefined>,
  { patienceMs = usualPatienceMs }: { readonly patienceMs?: number } = {},
): Promise<T> {
  const lateAt = Date.now() + patienceMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > lateAt) throw new Error(`what was expected did not happen in ${patienceMs / 1000} s`);
    await delay(pauseMs);
  }
}

/**
 * Asks again until nothing is complained about.
 *
 * @throws Error with the last complaints when they do not end in time
 */
export async function untilNone(
  complaints: () => Promise<readonly string[]>,
  { patienceMs = usualPatienceMs }: { readonly patienceMs?: number } = {},
): Promise<void> {
  for (const lateAt = Date.now() + patienceMs; ; ) {
    const all = await complaints();
    if (all.length === 0) return;
    if (Date.now() > lateAt) {
      throw new Error(`after ${patienceMs / 1000} s still:\n${all.slice(0, mostComplaints).join('\n')}`);
    }
    await delay(pauseMs);
  }
}
