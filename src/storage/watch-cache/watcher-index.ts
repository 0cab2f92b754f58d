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

  notify(change: Change): void {
    for (const watcher of this.#atRoot) watcher.receive(change);
    for (const [field, byValue] of this.#byField) notifyByField(field, byValue, change);
    if (this.#byPath.size === 0) return;
    const { key } = change;
    for (let slash = key.indexOf('/', this.#root.length); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      this.#notifyPath(key.slice(0, slash + 1), change);
    }
    this.#notifyPath(key, change);
  }

  #notifyPath(path: string, change: Change): void {
    const watchers = this.#byPath.get(path);
    if (watchers === undefined) return;
    for (const watcher of watchers) watcher.receive(change);
  }
}

/** Tells those who demand the value that the field has, or had before. */
function notifyByField(
  field: string,
  byValue: ReadonlyMap<string, ReadonlySet<LiveWatcher>>,
  change: Change,
): void {
  const after = change.object.field(field);
  const before = change.previous?.field(field);
  notifyBelow(byValue.get(after), change);
  if (before !== undefined && before !== after) notifyBelow(byValue.get(before), change);
}

function notifyBelow(watchers: ReadonlySet<LiveWatcher> | undefined, change: Change): void {
  if (watchers === undefined) return;
  const { key } = change;
  for (const watcher of watchers) {
    const { path } = watcher;
    if (key >= path && key < pathEnd(path)) watcher.receive(change);
  }
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
