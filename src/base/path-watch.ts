import { type FSWatcher, statSync, watch } from 'node:fs';
import type { Clock } from './clock.ts';

/** Who is notified of changes below a path. */
export interface PathWatchOptions {
  /** Called when something has happened, once the path is quiet. */
  readonly onChange: () => void;
  readonly clock: Clock;
}

/** Files are written in steps: what begins to change is looked at when it has been quiet for this long. */
const quietMs = 50;
/** Even a path that is never quiet is looked at this long after the first change. */
const maxUnquietMs = 500;

/**
 * Announces changes in a directory, as far as the system announces them: what cannot be watched is silent. Whoever needs
 * to know looks again from time to time.
 */
export class PathWatch implements Disposable {
  readonly #options: PathWatchOptions;
  #watched:
    | { readonly directory: string; readonly identity: string; readonly watcher: FSWatcher }
    | undefined;
  #pending: { readonly sinceMs: number; readonly cancel: () => void } | undefined;

  constructor(options: PathWatchOptions) {
    this.#options = options;
  }

  /**
   * Watches this directory from now on, and names in it that `concerns` says true of. True when it was not watched
   * before: what has happened until now was not announced.
   */
  set(directory: string, concerns: (name: string) => boolean): boolean {
    const identity = identityOf(directory);
    if (this.#watched?.directory === directory && this.#watched.identity === identity) return false;
    this.#close();
    if (identity === undefined) return false;
    try {
      const watcher = watch(directory, { persistent: false }, (_kind, name) => {
        if (name === null || concerns(name)) this.#announce();
      });
      watcher.on('error', () => this.#close());
      this.#watched = { directory, identity, watcher };
      return true;
    } catch {
      return false; // no watches left, or the directory went away: the next look comes without an announcement
    }
  }

  [Symbol.dispose](): void {
    this.#close();
    this.#pending?.cancel();
    this.#pending = undefined;
  }

  #announce(): void {
    const { clock } = this.#options;
    const nowMs = clock.nowMs();
    const sinceMs = this.#pending?.sinceMs ?? nowMs;
    this.#pending?.cancel();
    const delayMs = Math.max(0, Math.min(quietMs, sinceMs + maxUnquietMs - nowMs));
    const cancel = clock.setTimer(delayMs, () => {
      this.#pending = undefined;
      this.#options.onChange();
    });
    this.#pending = { sinceMs, cancel };
  }

  #close(): void {
    this.#watched?.watcher.close();
    this.#watched = undefined;
  }
}

/** Differs for another directory of the same name; numbers of inodes are given again, so they alone do not tell. */
function identityOf(directory: string): string | undefined {
  try {
    const { dev, ino, birthtimeMs } = statSync(directory);
    return `${dev} ${ino} ${birthtimeMs}`;
  } catch {
    return undefined; // not there, or not ours to see
  }
}
