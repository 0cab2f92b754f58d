import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, PathWatch, pause } from '../../base/index.ts';

/** How often files are looked at that nobody announces changes of, as on disks of other machines. */
const lookMs = 2000;
/** Files that change are read once they were the same for so long. */
const quietMs = 100;
/** A file that is gone may come back: programs save by putting another in its place. */
const absenceMs = 1000;
/** Files that never rest are read after this time. */
const maxUnrestMs = 5000;

/** What tells one state of a file or folder from another. */
type Stamp = string;
const absent: Stamp = 'absent';

/** Notices that files differ from what they were when they were read. */
export class SourceWatch implements Disposable {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Stamp>();
  readonly #watches = new Map<string, PathWatch>();
  #wake = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Forgets all files: another reading begins. */
  clear(): void {
    this.#seen.clear();
  }

  /** A file or folder that is about to be read. */
  add(path: string): void {
    this.#seen.set(path, stampOf(path));
    const folder = this.#seen.get(path)?.startsWith('folder') ? path : dirname(path);
    if (this.#watches.has(folder)) return;
    const watch = new PathWatch({ clock: this.#clock, onChange: () => this.#wake.resolve() });
    this.#watches.set(folder, watch);
    watch.set(folder, () => true);
  }

  /** Resolves when any of them changed and all of them rest; false when the signal aborted before. */
  async changed(signal: AbortSignal): Promise<boolean> {
    while (!this.#differ()) {
      this.#rewatch();
      if (!(await this.#sleep(signal))) return false;
    }
    return this.#rest(signal);
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches.values()) watch[Symbol.dispose]();
    this.#watches.clear();
  }

  /** Until something is announced, or it is time to look. */
  async #sleep(signal: AbortSignal): Promise<boolean> {
    this.#wake = Promise.withResolvers();
    const ending = new AbortController();
    const isOver = pause(this.#clock, lookMs, AbortSignal.any([signal, ending.signal]));
    await Promise.race([this.#wake.promise, isOver]);
    ending.abort();
    return !signal.aborted;
  }

  async #rest(signal: AbortSignal): Promise<boolean> {
    const startedAtMs = this.#clock.nowMs();
    let before = this.#stamps();
    for (;;) {
      if (!(await pause(this.#clock, quietMs, signal))) return false;
      const after = this.#stamps();
      const isSame = after.every((stamp, index) => stamp === before[index]);
      const lastedMs = this.#clock.nowMs() - startedAtMs;
      if (lastedMs >= maxUnrestMs || (isSame && (lastedMs >= absenceMs || !this.#isAnyMissing())))
        return true;
      before = after;
    }
  }

  /** A folder may have been replaced by another of its name. */
  #rewatch(): void {
    for (const [folder, watch] of this.#watches) watch.set(folder, () => true);
  }

  #differ(): boolean {
    return Array.from(this.#seen).some(([path, stamp]) => stampOf(path) !== stamp);
  }

  #isAnyMissing(): boolean {
    return Array.from(this.#seen).some(([path, stamp]) => stamp !== absent && stampOf(path) === absent);
  }

  #stamps(): readonly Stamp[] {
    return Array.from(this.#seen.keys(), stampOf);
  }
}

/** Links count as what they lead to. */
function stampOf(path: string): Stamp {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return absent;
  return `${stat.isDirectory() ? 'folder' : 'file'} ${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
