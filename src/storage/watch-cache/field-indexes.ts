import type { Slice, TimeSlices } from '../../base/index.ts';
import { createSortedTree, type SortedTree } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { Change } from './change.ts';
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

const nothing: SortedTree<CachedObject> = createSortedTree();

/** The current objects of one resource by the text of one field. It follows the changes from when it was built. */
class FieldIndex {
  readonly #field: string;
  readonly #byValue = new Map<string, SortedTree<CachedObject>>();
  #isComplete = false;
  /** Changes that came while the index was built. */
  #late: Change[] = [];

  constructor(field: string) {
    this.#field = field;
  }

  /** Whether every object is in it. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The objects with this value, in key order. Never change it. */
  objectsOf(value: string): SortedTree<CachedObject> {
    return this.#byValue.get(value) ?? nothing;
  }

  apply(change: Change): void {
    if (!this.#isComplete) {
      this.#late.push(change);
      return;
    }
    const { key, object, previous } = change;
    const after = change.kind === 'put' ? object.field(this.#field) : undefined;
    const before = previous?.field(this.#field);
    if (before !== undefined && before !== after) this.#remove(before, key);
    if (after !== undefined) this.#add(after, object);
  }

  /** Takes the objects in, a copy that does not change; at once, or with rests where there are many. */
  async build(objects: SortedTree<CachedObject>, slice: Slice): Promise<void> {
    for (const object of objects.values()) {
      this.#add(object.field(this.#field), object);
      if (slice.isSpent()) await slice.rest();
    }
    this.#complete();
  }

  #complete(): void {
    this.#isComplete = true;
    const late = this.#late;
    this.#late = [];
    for (const change of late) this.apply(change);
  }

  #add(value: string, object: CachedObject): void {
    let objects = this.#byValue.get(value);
    if (objects === undefined) {
      objects = createSortedTree();
      this.#byValue.set(value, objects);
    }
    objects.set(object.key, object);
  }

  #remove(value: string, key: string): void {
    const objects = this.#byValue.get(value);
    objects?.delete(key);
    if (objects?.size === 0) this.#byValue.delete(value);
  }
}
