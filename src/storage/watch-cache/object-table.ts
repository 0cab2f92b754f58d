import type { StorageError, StorageEvent } from '../contract.ts';
import { prefixEnd } from '../key-range.ts';
import { createSortedTree, type SortedTree } from '../sorted-tree.ts';
import { unreadableError } from '../storage-errors.ts';
import type { CacheHost } from './cache-host.ts';
import { CachedObject, type DecodeValue, type ObjectScope } from './cached-object.ts';
import { Change } from './change.ts';
import { ChangeLog } from './change-log.ts';
import { FieldIndexes } from './field-indexes.ts';
import type { FieldValue, RequiredValue } from './field-layout.ts';
import type { CurrentState } from './recent-states.ts';
import { type UnreadableValue, UnreadableValues } from './unreadable-values.ts';

/** The current objects of one resource by key and by indexed fields, and the values that are no objects. */
export class ObjectTable implements CurrentState {
  readonly prefix: string;
  readonly scope: ObjectScope;
  readonly log = new ChangeLog();
  readonly #host: CacheHost;
  readonly #indexes: FieldIndexes;
  readonly #unreadable = new UnreadableValues();
  #tree: SortedTree<CachedObject> = createSortedTree();
  #lastChange = 0;
  /** Revision of the state that the table was last filled with: its log begins after it. */
  #filledAt = 0;

  constructor(prefix: string, host: CacheHost, decode?: DecodeValue) {
    this.prefix = prefix;
    this.#host = host;
    const { fieldLayout, selectableFields, slices } = host;
    this.scope = {
      resourcePrefix: prefix,
      selectableFields,
      locate: fieldLayout === undefined ? undefined : (field) => fieldLayout.locate(prefix, field),
      decode,
    };
    this.#indexes = new FieldIndexes({ fields: fieldLayout?.indexedFields(prefix) ?? [], slices });
  }

  get objects(): SortedTree<CachedObject> {
    return this.#tree;
  }

  get revision(): number {
    return this.#host.revision;
  }

  get lastChange(): number {
    return this.#lastChange;
  }

  get windowStart(): number {
    return Math.max(this.log.start, this.#filledAt);
  }

  /** The current object at `key`. @throws StorageError `unreadable` when there is a value that is none. */
  get(key: string): CachedObject | undefined {
    if (this.#unreadable.size > 0) this.assertReadable(key);
    return this.#tree.get(key);
  }

  /** What is at `key` instead of an object. */
  unreadable(key: string): UnreadableValue | undefined {
    return this.#unreadable.get(key);
  }

  /** Why the objects below a path (a folder that ends with `/`, or one exact key) cannot be told. */
  problemBelow(path: string): StorageError | undefined {
    const found = this.#unreadable.find(path);
    return found && unreadableError(found.key, found.problem);
  }

  /** @throws StorageError `unreadable`, unless it can be told what was below the path at the revision. */
  assertReadable(path: string, revision?: number): void {
    const found = this.#unreadable.find(path, revision);
    if (found !== undefined) throw unreadableError(found.key, found.problem);
  }

  /** The indexed field that a selection demands a value of. */
  demandOf(requiredValue: RequiredValue | undefined): FieldValue | undefined {
    return this.#indexes.demandOf(requiredValue);
  }

  /** Builds the index that a demand needs; a promise when that takes a while. */
  prepare(demand: FieldValue | undefined): Promise<void> | undefined {
    return demand && this.#indexes.prepare(demand, this.#tree);
  }

  /** The current objects; where an index knows them, those only that meet the demand. Never change them. */
  candidates(demand: FieldValue | undefined): SortedTree<CachedObject> {
    return (demand && this.#indexes.objectsOf(demand)) ?? this.#tree;
  }

  /** Puts a readable object in its place, or removes it. */
  apply(event: StorageEvent): Change {
    const { key } = event.object;
    const object = new CachedObject(this.scope, event.object);
    const change = new Change(this.scope, { kind: event.kind, object, previous: this.#tree.get(key) });
    if (event.kind === 'delete') this.#tree.delete(key);
    else this.#tree.set(key, object);
    this.#indexes.apply(change);
    this.#lastChange = event.revision;
    return change;
  }

  /** True when a value at `key` was no object until now: what was before cannot be told from memory. */
  mend({ revision, object: { key } }: StorageEvent): boolean {
    if (this.#unreadable.size === 0 || !this.#unreadable.delete(key)) return false;
    this.#startAnew(revision);
    return true;
  }

  /** Puts a value that is no object in its place, or removes one; whether that is news. */
  applyUnreadable({ kind, revision, object: { key } }: StorageEvent, problem: string): boolean {
    const isNews = kind === 'put' ? this.#unreadable.set({ key, revision, problem }) : this.#tree.has(key);
    if (kind === 'delete') this.#unreadable.delete(key);
    this.#tree.delete(key);
    this.#indexes.clear();
    this.#startAnew(revision);
    return isNews;
  }

  /** Replaces everything by the state at `revision`. Returns the values that are news as no objects. */
  reset(
    tree: SortedTree<CachedObject>,
    revision: number,
    unreadable: readonly Omit<UnreadableValue, 'since'>[],
  ): readonly UnreadableValue[] {
    this.#tree = tree;
    const news = this.#unreadable.replace(unreadable);
    this.#indexes.clear();
    this.#startAnew(revision);
    this.log.clear();
    return news;
  }

  /** Takes the objects below the prefix of `scope` out of the table. */
  take(scope: ObjectScope): [SortedTree<CachedObject>, readonly UnreadableValue[]] {
    const tree = createSortedTree<CachedObject>();
    const [from, to] = [scope.resourcePrefix, prefixEnd(scope.resourcePrefix)];
    this.#tree.forRange(from, to, false, (key, object) => {
      tree.set(key, new CachedObject(scope, object));
      return undefined;
    });
    this.#tree.deleteRange(from, to, false);
    return [tree, this.#unreadable.take(scope.resourcePrefix)];
  }

  /** Adds objects that were in another table until now. */
  takeOver(objects: SortedTree<CachedObject>): void {
    for (const [key, object] of objects.entries()) this.#tree.set(key, new CachedObject(this.scope, object));
    this.#indexes.clear();
    this.#startAnew(this.#host.revision);
  }

  /** What was before cannot be told from memory: the log does not know all of it. */
  #startAnew(revision: number): void {
    this.#lastChange = revision;
    this.#filledAt = revision;
  }
}
