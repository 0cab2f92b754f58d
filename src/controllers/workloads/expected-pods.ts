import type { Pod } from '../../apis/types/core-v1.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import type { Expectations } from './expectations.ts';
import { type PodControl, type PodOwner, startSlowly } from './pod-control.ts';

/** How many writes were carried out, and what went wrong first. */
export interface PodWrites {
  readonly done: number;
  readonly error: unknown;
}

/** Creates and deletes pods so that a cache that does not show them yet makes nobody do it again. */
export class ExpectedPods {
  readonly #control: PodControl;
  readonly #expectations: Expectations;

  constructor(control: PodControl, expectations: Expectations) {
    this.#control = control;
    this.#expectations = expectations;
  }

  /** Creates the same pod `count` times, slowly at first. */
  async create(pod: Pod, owner: PodOwner, count: number): Promise<PodWrites> {
    const key = keyOfOwner(owner);
    this.#expectations.expect(key, { creations: count });
    const result = await startSlowly(count, async () => {
      try {
        await this.#control.create(pod, owner);
      } catch (cause) {
        // Nothing can be made here any more, and nothing is missing: its owner goes as well.
        if (!isNamespaceTerminating(cause)) throw cause;
      }
    });
    if (result.done < count) this.#expectations.creationObserved(key, count - result.done);
    return result;
  }

  /** Deletes all of them at once; those that are gone already count as done. */
  async delete(pods: readonly Pod[], owner: PodOwner): Promise<PodWrites> {
    if (pods.length === 0) return { done: 0, error: undefined };
    const key = keyOfOwner(owner);
    this.#expectations.expect(key, { deletions: pods.map(({ metadata }) => metadata.uid ?? '') });
    const results = await Promise.allSettled(
      pods.map(async ({ metadata: { name = '', uid = '' } }) => {
        try {
          await this.#control.delete(name, owner);
        } catch (error) {
          this.#expectations.deletionObserved(key, uid);
          if (!isReason(error, 'NotFound')) throw error;
        }
      }),
    );
    const failed = results.filter((result) => result.status === 'rejected');
    return { done: pods.length - failed.length, error: failed[0]?.reason };
  }
}

function keyOfOwner({ namespace, name }: PodOwner): string {
  return `${namespace}/${name}`;
}
