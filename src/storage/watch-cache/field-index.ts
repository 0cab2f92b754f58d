import type { Slice } from '../../base/index.ts';
import { createSortedTree, type SortedTree } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { Change } from './change.ts';

const nothing: SortedTree<CachedObject> = createSortedTree();

/** The current objects of one resource by the text of one field. It follows the changes from when it was built. */
export class FieldIndex {
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
