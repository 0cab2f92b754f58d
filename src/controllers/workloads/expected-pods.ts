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
    this.#expectations.expect(keyOfOwner(owner), { creations: count });
    return this.#create(new Array<Pod>(count).fill(pod), owner);
  }

  /** Deletes all of them at once; those that are gone already count as done. */
  async delete(pods: readonly Pod[], owner: PodOwner): Promise<PodWrites> {
    if (pods.length === 0) return { done: 0, error: undefined };
    this.#expectations.expect(keyOfOwner(owner), { deletions: uidsOf(pods) });
    return this.#delete(pods, owner);
  }

  /** Creates pods, slowly at first, and then deletes others, whether or not that went well. */
  async replace(
    owner: PodOwner,
    { creations, deletions }: { readonly creations: readonly Pod[]; readonly deletions: readonly Pod[] },
  ): Promise<PodWrites> {
    if (creations.length + deletions.length === 0) return { done: 0, error: undefined };
    // Of both at once: what is expected takes the place of what was expected before.
    const expected = { creations: creations.length, deletions: uidsOf(deletions) };
    this.#expectations.expect(keyOfOwner(owner), expected);
    const created = await this.#create(creations, owner);
    const deleted = await this.#delete(deletions, owner);
    return { done: created.done + deleted.done, error: created.error ?? deleted.error };
  }

  async #create(pods: readonly Pod[], owner: PodOwner): Promise<PodWrites> {
    const result = await startSlowly(pods, async (pod) => {
      try {
        await this.#control.create(pod, owner);
      } catch (cause) {
        // Nothing can be made here any more, and nothing is missing: its owner goes as well.
        if (!isNamespaceTerminating(cause)) throw cause;
      }
    });
    if (result.done < pods.length) {
      this.#expectations.creationObserved(keyOfOwner(owner), pods.length - result.done);
    }
    return result;
  }

  async #delete(pods: readonly Pod[], owner: PodOwner): Promise<PodWrites> {
    const results = await Promise.allSettled(
      pods.map(async ({ metadata: { name = '', uid = '' } }) => {
        try {
          await this.#control.delete(name, owner);
        } catch (error) {
          this.#expectations.deletionObserved(keyOfOwner(owner), uid);
          if (!isReason(error, 'NotFound')) throw error;
        }
      }),
    );
    const failed = results.filter((result) => result.status === 'rejected');
    return { done: pods.length - failed.length, error: failed[0]?.reason };
  }
}

const uidsOf = (pods: readonly Pod[]): string[] => pods.map(({ metadata }) => metadata.uid ?? '');

function keyOfOwner({ namespace, name }: PodOwner): string {
  return `${namespace}/${name}`;
}
