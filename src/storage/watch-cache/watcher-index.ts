import { pathEnd } from '../key-range.ts';
import type { Change } from './change.ts';
import type { FieldValue } from './field-layout.ts';

/** A watcher as the fan-out sees it. */
export interface LiveWatcher {
  /** A folder that ends with `/`, or one exact key. */
  readonly path: string;
  /** Only changes to or from this value concern the watcher. */
  readonly demand: FieldValue | undefined;
  receive(change: Change): void;
}

/**
 * The live watchers of one resource by the path that they watch, or by the value that they demand of a field: a write
 * costs only those that it can concern.
 */
export class WatcherIndex {
  readonly #root: string;
  readonly #atRoot = new Set<LiveWatcher>();
  readonly #byPath = new Map<string, Set<LiveWatcher>>();
  /** By field, then by value. */
  readonly #byField = new Map<string, Map<string, Set<LiveWatcher>>>();

  /** @param root prefix of the resource, which every key starts with. */
  constructor(root: string) {
    this.#root = root;
  }

  add(watcher: LiveWatcher): void {
    const { path, demand } = watcher;
    if (demand !== undefined) addTo(mapAt(this.#byField, demand.field), demand.value, watcher);
    else if (path === this.#root) this.#atRoot.add(watcher);
    else addTo(this.#byPath, path, watcher);
  }

  delete(watcher: LiveWatcher): void {
    const { path, demand } = watcher;
    this.#atRoot.delete(watcher);
    if (demand === undefined) {
      deleteFrom(this.#byPath, path, watcher);
      return;
    }
    const byValue = this.#byField.get(demand.field);
    if (byValue === undefined) return;
    deleteFrom(byValue, demand.value, watcher);
    if (byValue.size === 0) this.#byField.delete(demand.field);
  }

  /** The watchers that a change can concern, also those that begin while others are told. */
  *concernedBy(change: Change): Generator<LiveWatcher> {
    const { key } = change;
    for (const watchers of this.#setsFor(change)) {
      for (const watcher of watchers) {
        // The others are found by their path.
        if (watcher.demand === undefined || isBelow(key, watcher.path)) yield watcher;
      }
    }
  }

  #setsFor(change: Change): ReadonlySet<LiveWatcher>[] {
    const sets: (ReadonlySet<LiveWatcher> | undefined)[] = [this.#atRoot];
    for (const [field, byValue] of this.#byField) {
      const after = change.object.field(field);
      const before = change.previous?.field(field);
      sets.push(byValue.get(after));
      if (before !== undefined && before !== after) sets.push(byValue.get(before));
    }
    if (this.#byPath.size > 0) {
      const { key } = change;
      for (let slash = key.indexOf('/', this.#root.length); slash >= 0; slash = key.indexOf('/', slash + 1)) {
        sets.push(this.#byPath.get(key.slice(0, slash + 1)));
      }
      sets.push(this.#byPath.get(key));
    }
    return sets.filter((set) => set !== undefined);
  }
}

function isBelow(key: string, path: string): boolean {
  return key >= path && key < pathEnd(path);
}

function mapAt<Inner>(maps: Map<string, Map<string, Inner>>, key: string): Map<string, Inner> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, Inner>();
  maps.set(key, made);
  return made;
}

function addTo(sets: Map<string, Set<LiveWatcher>>, key: string, watcher: LiveWatcher): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([watcher]));
  else known.add(watcher);
}

function deleteFrom(sets: Map<string, Set<LiveWatcher>>, key: string, watcher: LiveWatcher): void {
  const known = sets.get(key);
  known?.delete(watcher);
  if (known?.size === 0) sets.delete(key);
}
