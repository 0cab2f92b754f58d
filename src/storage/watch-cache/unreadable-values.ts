import { pathEnd } from '../key-range.ts';

/** A key whose value is no object. */
export interface UnreadableValue {
  readonly key: string;
  /** Revision of the value. */
  readonly revision: number;
  /** Revision since which there is no object. */
  readonly since: number;
  /** What is wrong with it. */
  readonly problem: string;
}

/** The keys of one resource whose values cannot be read: few, mostly none. */
export class UnreadableValues {
  readonly #byKey = new Map<string, UnreadableValue>();

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): UnreadableValue | undefined {
    return this.#byKey.get(key);
  }

  /** Whether it is news that there is no object at the key. */
  set({ key, revision, problem }: Omit<UnreadableValue, 'since'>): boolean {
    const known = this.#byKey.get(key);
    this.#byKey.set(key, { key, revision, problem, since: known?.since ?? revision });
    return known === undefined;
  }

  delete(key: string): boolean {
    return this.#byKey.delete(key);
  }

  /** One below a path (a folder that ends with `/`, or one exact key) that was there at `revision`. */
  find(path: string, revision = Number.POSITIVE_INFINITY): UnreadableValue | undefined {
    if (this.#byKey.size === 0) return undefined;
    const end = pathEnd(path);
    for (const value of this.#byKey.values()) {
      if (value.key >= path && value.key < end && value.since <= revision) return value;
    }
    return undefined;
  }

  /** Forgets and returns all below a path. */
  take(path: string): UnreadableValue[] {
    const end = pathEnd(path);
    const taken = [...this.#byKey.values()].filter(({ key }) => key >= path && key < end);
    for (const { key } of taken) this.#byKey.delete(key);
    return taken;
  }

  /** Keeps these only; returns those that are news. */
  replace(values: readonly Omit<UnreadableValue, 'since'>[]): UnreadableValue[] {
    const known = new Map(this.#byKey);
    this.#byKey.clear();
    for (const value of values) {
      const since = known.get(value.key)?.since ?? value.revision;
      this.#byKey.set(value.key, { ...value, since });
    }
    return [...this.#byKey.values()].filter(({ key }) => !known.has(key));
  }
}
