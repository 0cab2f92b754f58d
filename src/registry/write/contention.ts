import type { ServedKind, WriteOptions } from '../resource-store.ts';
import { lostRace } from './preconditions.ts';

/** A write of one object, whose key is known. */
export interface ContendedWrite {
  readonly key: string;
  readonly name: string;
  readonly options: WriteOptions;
}

/**
 * Tries a write until it succeeds or fails for another reason than a lost race, which `undefined` stands for: however many
 * clients change an object at the same time, release 1.20 makes none of them try again that named no version. Those that lost
 * once take turns, so that they do not beat each other again, unless webhooks are asked.
 *
 * @throws StatusError 409 when nobody waits for the answer any more, and whatever the attempts throw.
 */
export async function tryUntilDone<T>(
  served: ServedKind,
  { key, name, options }: ContendedWrite,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const first = await attempt();
  if (first !== undefined) return first;
  const goOn = async (): Promise<T> => {
    for (;;) {
      if (options.request?.signal.aborted === true) throw lostRace(served, name);
      const result = await attempt();
      if (result !== undefined) return result;
    }
  };
  // Webhooks may write the same object before they answer: that must not wait for the turn of this write to end.
  return options.request?.hasAsked === true ? goOn() : served.store.contended.run(key, goOn);
}
