import type { ContainerImage } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { Image } from '../runtime/index.ts';

/** Where images are listed, and how many the status may show (`nodeStatusMaxImages`). */
export interface ImageListOptions {
  readonly images: () => Promise<readonly Image[]>;
  /** Images that are shown at most; negative for all. */
  readonly limit: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How old the list may be; what is pulled or removed meanwhile shows later, as in release 1.20. */
const maxAgeMs = 30_000;
/** A runtime that hangs must not hold the node's status up. */
const waitLimitMs = 2000;

/** The images of the node as the runtime last listed them. */
export class ImageList {
  readonly #options: ImageListOptions;
  #shown: readonly ContainerImage[] = [];
  #asking: Promise<void> | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #hasAnswered = true;

  constructor(options: ImageListOptions) {
    this.#options = options;
  }

  get shown(): readonly ContainerImage[] {
    return this.#shown;
  }

  /** Asks the runtime when the list is old, and waits for a while. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#options.clock.nowMs() - this.#askedAtMs < maxAgeMs) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const late = new AbortController();
    await Promise.race([this.#asking, pause(this.#options.clock, waitLimitMs, late.signal)]);
    late.abort();
  }

  async #ask(): Promise<void> {
    const { images, limit, clock, logger } = this.#options;
    try {
      const atMs = clock.nowMs();
      this.#shown = nodeImages(await images(), limit);
      this.#askedAtMs = atMs;
      this.#hasAnswered = true;
    } catch (error) {
      // Logged once for each outage of the runtime.
      if (this.#hasAnswered) logger.error('image list failed', { error });
      this.#hasAnswered = false;
    }
  }
}

/** Names that the status shows of one image. */
const maxNames = 5;

/** Images for the node's status: the largest first, no more than `limit` unless it is negative. */
export function nodeImages(images: readonly Image[], limit: number): ContainerImage[] {
  const largest = images.toSorted((a, b) => b.sizeBytes - a.sizeBytes);
  const shown = limit < 0 ? largest : largest.slice(0, limit);
  return shown.map(({ digests, tags, sizeBytes }) => ({
    names: [...digests, ...tags].slice(0, maxNames),
    sizeBytes,
  }));
}
