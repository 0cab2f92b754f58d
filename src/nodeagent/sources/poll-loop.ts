import type { Clock } from '../../base/index.ts';

/** What is polled, and the pause between two polls in ms. */
export interface PollLoopOptions {
  /** Runs once at the beginning, and again after each pause. Must not reject. */
  readonly poll: (signal: AbortSignal) => Promise<void>;
  readonly frequencyMs: number;
  readonly clock: Clock;
}

/** Repeats something with pauses, never twice at a time, until it is disposed of. */
export class PollLoop implements AsyncDisposable {
  /** Resolves after the first run. */
  readonly whenPolled: Promise<void>;
  readonly #options: PollLoopOptions;
  readonly #end = new AbortController();
  readonly #polled = Promise.withResolvers<void>();
  readonly #done: Promise<void>;
  /** Asked for while a run was under way, which may have missed the reason. */
  #isDesired = false;
  #wake: (() => void) | undefined;

  constructor(options: PollLoopOptions) {
    this.#options = options;
    this.whenPolled = this.#polled.promise;
    this.#done = this.#run();
  }

  /** Runs now, or once more after the run under way. */
  trigger(): void {
    this.#isDesired = true;
    this.#wake?.();
  }

  /** Ends the pause or the run under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    this.#wake?.();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { poll } = this.#options;
    const { signal } = this.#end;
    while (!signal.aborted) {
      this.#isDesired = false;
      await poll(signal);
      this.#polled.resolve();
      if (!this.#isDesired && !signal.aborted) await this.#rest();
    }
  }

  #rest(): Promise<void> {
    const { clock, frequencyMs } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.setTimer(frequencyMs, () => this.#wake?.());
      this.#wake = () => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
