import type { TimeSlices } from '../../base/index.ts';
import type { SortedTree } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { Change } from './change.ts';
import { FieldIndex } from './field-index.ts';
import type { FieldValue, RequiredValue } from './field-layout.ts';

export interface FieldIndexesOptions {
  /** Fields that may be indexed, in order of preference. */
  readonly fields: readonly string[];
  readonly slices: TimeSlices;
}

/** The indexes of one resource, each built when it is first of use. */
export class FieldIndexes {
  readonly #options: FieldIndexesOptions;
  readonly #indexes = new Map<string, FieldIndex>();
  readonly #building = new Map<string, Promise<void>>();

  constructor(options: FieldIndexesOptions) {
    this.#options = options;
  }

  /** The indexed field that a selection demands a value of. */
  demandOf(requiredValue: RequiredValue | undefined): FieldValue | undefined {
    if (requiredValue === undefined) return undefined;
    for (const field of this.#options.fields) {
      const value = requiredValue(field);
      if (value !== undefined) return { field, value };
    }
    return undefined;
  }

  /** The objects that meet a demand, or undefined while that is not known. */
  objectsOf({ field, value }: FieldValue): SortedTree<CachedObject> | undefined {
    const index = this.#indexes.get(field);
    return index?.isComplete === true ? index.objectsOf(value) : undefined;
  }

  /** Builds what a demand needs; a promise when that takes a while. */
  prepare({ field }: FieldValue, tree: SortedTree<CachedObject>): Promise<void> | undefined {
    const known = this.#indexes.get(field);
    if (known !== undefined) return this.#building.get(field);
    const index = new FieldIndex(field);
    this.#indexes.set(field, index);
    const building = index.build(tree.clone(), this.#options.slices.begin());
    if (index.isComplete) return undefined;
    const built = building.finally(() => {
      if (this.#building.get(field) === built) this.#building.delete(field);
    });
    this.#building.set(field, built);
    return built;
  }

  apply(change: Change): void {
    for (const index of this.#indexes.values()) index.apply(change);
  }

  /** Forgets everything: the objects were replaced. */
  clear(): void {
    this.#indexes.clear();
    this.#building.clear();
  }
}
