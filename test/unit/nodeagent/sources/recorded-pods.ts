import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { eventually } from '../../../support/eventually.ts';
import { namesOf } from './manifests.ts';

/** Keeps the sets of pods that a source hands over. */
export class RecordedPods {
  readonly sets: (readonly Pod[])[] = [];
  readonly onPods = (pods: readonly Pod[]): void => void this.sets.push(pods);

  /** The set handed over last. */
  get last(): readonly Pod[] {
    return this.sets.at(-1) ?? [];
  }

  /** Waits until the last set has just these names. */
  until(...names: readonly string[]): Promise<readonly Pod[]> {
    const wanted = [...names].sort().join(' ');
    return eventually(async () => {
      const isThere = this.sets.length > 0 && namesOf(this.last).join(' ') === wanted;
      return isThere ? this.last : undefined;
    });
  }
}
