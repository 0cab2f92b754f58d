import type { Change } from './change.ts';

/** A watcher as the fan-out sees it. */
export interface LiveWatcher {
  /** A folder that ends with `/`, or one exact key. */
  readonly path: string;
  receive(change: Change): void;
}

/** The live watchers of one resource by the path that they watch: a write costs only those that it can concern. */
export class WatcherIndex {
  readonly #root: string;
  readonly #atRoot = new Set<LiveWatcher>();
  readonly #byPath = new Map<string, Set<LiveWatcher>>();

  /** @param root prefix of the resource, which every key starts with. */
  constructor(root: string) {
    this.#root = root;
  }

  add(watcher: LiveWatcher): void {
    if (watcher.path === this.#root) {
      this.#atRoot.add(watcher);
      return;
    }
    const known = this.#byPath.get(watcher.path);
    if (known === undefined) this.#byPath.set(watcher.path, new Set([watcher]));
    else known.add(watcher);
  }

  delete(watcher: LiveWatcher): void {
    this.#atRoot.delete(watcher);
    const known = this.#byPath.get(watcher.path);
    known?.delete(watcher);
    if (known?.size === 0) this.#byPath.delete(watcher.path);
  }

  notify(change: Change): void {
    for (const watcher of this.#atRoot) watcher.receive(change);
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
