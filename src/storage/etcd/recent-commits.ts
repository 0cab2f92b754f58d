import type { StorageEvent } from '../contract.ts';

/** One delivery to the live watches: whole revisions, in order. */
export interface Commit {
  readonly events: readonly StorageEvent[];
  /** Everything up to here was delivered with it. */
  readonly revision: number;
}

const maxBytes = 16 * 1024 * 1024;

/** What was delivered last, so that watches that start a little behind need not read history from the cluster. */
export class RecentCommits {
  #commits: Commit[] = [];
  #bytes = 0;
  /** Every event after it is here. */
  #start: number;

  constructor(revision: number) {
    this.#start = revision;
  }

  /** Whether all that was delivered after `revision` is known. */
  reachesBackTo(revision: number): boolean {
    return revision >= this.#start;
  }

  push(commit: Commit): void {
    this.#commits.push(commit);
    this.#bytes += sizeOf(commit);
    if (this.#bytes > maxBytes) this.#dropHalf();
  }

  /** Events after `revision`, which `reachesBackTo` allows. */
  after(revision: number): readonly StorageEvent[] {
    let [low, high] = [0, this.#commits.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#commits[middle]?.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return this.#commits
      .slice(low)
      .flatMap(({ events }) => events)
      .filter((event) => event.revision > revision);
  }

  /** Forgets everything: what follows comes after `revision`. */
  reset(revision: number): void {
    this.#commits = [];
    this.#bytes = 0;
    this.#start = revision;
  }

  /** The older half, so that dropping costs little for each commit. */
  #dropHalf(): void {
    let count = 0;
    while (this.#bytes > maxBytes / 2) {
      const commit = this.#commits[count++];
      if (commit === undefined) break;
      this.#bytes -= sizeOf(commit);
      this.#start = commit.revision;
    }
    this.#commits = this.#commits.slice(count);
  }
}

/** Values before an event are mostly those of the event before it, so they do not count. */
function sizeOf({ events }: Commit): number {
  return events.reduce((bytes, { object }) => bytes + object.bytes.length + 200, 50);
}
