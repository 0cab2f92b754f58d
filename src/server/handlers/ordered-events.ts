import { asError } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { convertAll } from '../../registry/index.ts';
import type { WatchEvent } from '../../storage/watch-cache/index.ts';

/** What a watch's events are given to. */
export interface EventTarget {
  /** Converts the object of an event, which remembers the result. */
  convert(event: WatchEvent): unknown;
  send(event: WatchEvent): void;
  fail(error: StatusError): void;
}

/** Events that may wait while the webhook converts those before them; a watch that is further behind ends, and resumes. */
const maxWaiting = 10_000;
/** The same for old events, which can be held back. */
const maxCatchUp = 500;

/**
 * Sends the events of a watch whose objects are converted by a webhook: in order, those that came meanwhile in one batch.
 * A webhook that does not convert ends the watch.
 */
export class OrderedEvents {
  readonly #target: EventTarget;
  #waiting: (WatchEvent | (() => void))[] = [];
  #isAtWork = false;
  #isOver = false;
  #work: Promise<void> = Promise.resolve();

  constructor(target: EventTarget) {
    this.#target = target;
  }

  /** Whether everything was sent. */
  get isIdle(): boolean {
    return !this.#isAtWork;
  }

  /** An event, or what is done after those before it were sent. */
  add(step: WatchEvent | (() => void)): void {
    if (this.#isOver) return;
    this.#waiting.push(step);
    if (this.#waiting.length > maxWaiting)
      this.#fail(new Error('the conversion webhook is too slow for this watch'));
    else if (!this.#isAtWork) this.#work = this.#sendWaiting();
  }

  /** A promise when old events should wait for those that came before them. */
  drained(): Promise<void> | undefined {
    return this.#isAtWork && this.#waiting.length >= maxCatchUp ? this.#work : undefined;
  }

  async #sendWaiting(): Promise<void> {
    this.#isAtWork = true;
    try {
      // Old events come many at a time: the first of them goes with the others.
      await Promise.resolve();
      while (this.#waiting.length > 0) {
        const steps = this.#waiting;
        this.#waiting = [];
        const events = steps.filter((step) => typeof step !== 'function');
        await convertAll(events, (event) => this.#target.convert(event));
        if (this.#isOver) return;
        for (const step of steps) {
          if (typeof step === 'function') step();
          else this.#target.send(step);
        }
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isAtWork = false;
    }
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#target.fail(error instanceof StatusError ? error : serverError(error));
  }
}

const serverError = (error: unknown): StatusError =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: asError(error).message,
    code: 500,
  });
