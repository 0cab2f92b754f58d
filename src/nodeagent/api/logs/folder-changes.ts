import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../../../base/index.ts';

/** Changes in a folder, none of them missed between two waits. Disposing ends the watch. */
export class FolderChanges implements Disposable {
  readonly #watcher: FSWatcher | undefined;
  readonly #clock: Clock;
  #hasChanged = false;
  #onChange: (() => void) | undefined;

  constructor(path: string, clock: Clock) {
    this.#clock = clock;
    this.#watcher = watchFolder(path, () => {
      this.#hasChanged = true;
      this.#onChange?.();
    });
  }

  /** Resolves with true when something has changed since the last wait, with false when nothing does in time. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasChanged && !signal.aborted) await this.#pause(timeoutMs, signal);
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  [Symbol.dispose](): void {
    this.#watcher?.close();
  }

  #pause(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        cancel();
        this.#onChange = undefined;
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = this.#clock.setTimer(timeoutMs, finish);
      this.#onChange = finish;
      signal.addEventListener('abort', finish, { once: true });
    });
  }
}

/** Undefined where folders cannot be watched: polling must do then. */
function watchFolder(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined; // the folder is gone, or the limit of watches is reached
  }
}
