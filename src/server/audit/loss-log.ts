import { type Clock, errorText, type Logger } from '../../base/index.ts';

/** Where lost events are counted and told of. */
export interface LossLogOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** `log` or `webhook`. */
  readonly plugin: string;
  /** Told how many events were lost. */
  readonly onLost?: ((count: number) => void) | undefined;
}

/** Losses are logged at most this often. */
const complainEveryMs = 60_000;

/** Counts the events that a sink lost, and tells of them now and then: a sink that is down loses many. */
export class LossLog {
  readonly #options: LossLogOptions;
  #lost = 0;
  #complainedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LossLogOptions) {
    this.#options = options;
  }

  /** Notes lost events, and why they were. */
  add(count: number, error: unknown): void {
    const { clock, logger, plugin, onLost } = this.#options;
    onLost?.(count);
    this.#lost += count;
    const nowMs = clock.nowMs();
    if (nowMs - this.#complainedAtMs < complainEveryMs) return;
    this.#complainedAtMs = nowMs;
    logger.error('audit events dropped', { plugin, count: this.#lost, error: errorText(error) });
    this.#lost = 0;
  }
}
