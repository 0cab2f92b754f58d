import type { Identity } from './node.ts';

/** Owners that were seen to be gone, so that their many dependents need not ask again. Bounded; the oldest go first. */
export class AbsentOwners {
  readonly #maxCount: number;
  readonly #keys = new Set<string>();

  constructor(maxCount = 500) {
    this.#maxCount = maxCount;
  }

  add(owner: Identity): void {
    const key = keyOf(owner);
    this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#maxCount) break;
      this.#keys.delete(oldest);
    }
  }

  /** True when exactly this owner is known to be gone: uids are never used again. */
  has(owner: Identity): boolean {
    return this.#keys.has(keyOf(owner));
  }
}

const keyOf = ({ uid, namespace, apiVersion, kind, name }: Identity): string =>
  `${uid} ${namespace} ${apiVersion} ${kind} ${name}`;
