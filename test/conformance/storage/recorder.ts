import type {
  Storage,
  StorageError,
  StorageEvent,
  StorageWatch,
  WatchRequest,
} from '../../../src/storage/index.ts';

/** A watch that keeps what it was given and lets tests wait for it. */
export class WatchRecorder {
  readonly events: StorageEvent[] = [];
  readonly batches: StorageEvent[][] = [];
  readonly progress: number[] = [];
  readonly errors: StorageError[] = [];
  /** First revisions of batches, and progress, in the order in which they came. */
  readonly marks: { readonly kind: 'events' | 'progress'; readonly revision: number }[] = [];
  readonly #watch: StorageWatch;
  #checks: (() => void)[] = [];

  constructor(storage: Storage, request: WatchRequest) {
    this.#watch = storage.watch(request, {
      onEvents: (events) => {
        this.batches.push([...events]);
        this.events.push(...events);
        this.marks.push({ kind: 'events', revision: events[0]?.revision ?? 0 });
        this.#check();
      },
      onProgress: (revision) => {
        this.progress.push(revision);
        this.marks.push({ kind: 'progress', revision });
        this.#check();
      },
      onError: (error) => {
        this.errors.push(error);
        this.#check();
      },
    });
  }

  /** `put key@revision`, one string per event. */
  get lines(): string[] {
    return this.events.map(({ kind, object, revision }) => `${kind} ${object.key}@${revision}`);
  }

  /** Resolves when everything up to `revision` was delivered. */
  reaches(revision: number): Promise<void> {
    return this.#until(() => (this.progress.at(-1) ?? 0) >= revision);
  }

  /** Resolves when the watch has ended. */
  fails(): Promise<void> {
    return this.#until(() => this.errors.length > 0);
  }

  close(): void {
    this.#watch.close();
  }

  #until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (isDone()) resolve();
        else this.#checks.push(check);
      };
      check();
    });
  }

  #check(): void {
    const checks = this.#checks;
    this.#checks = [];
    for (const check of checks) check();
  }
}
