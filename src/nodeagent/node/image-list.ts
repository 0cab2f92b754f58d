import type { ContainerImage } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { Image } from '../runtime/index.ts';
import { nodeImages } from './images.ts';

export interface ImageListOptions {
  readonly images: () => Promise<readonly Image[]>;
  /** Images that are shown at most; negative for all. */
  readonly limit: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A runtime that hangs must not hold the node's status up. */
const waitLimitMs = 2000;

/** The images of the node as they were when the runtime last told. */
export class ImageList {
  readonly #options: ImageListOptions;
  #shown: readonly ContainerImage[] = [];
  #asking: Promise<void> | undefined;
  #hasAnswered = true;

  constructor(options: ImageListOptions) {
    this.#options = options;
  }

  get shown(): readonly ContainerImage[] {
    return this.#shown;
  }

  /** Asks the runtime, and waits for a while. Never rejects. */
  async refresh(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const late = new AbortController();
    await Promise.race([this.#asking, pause(this.#options.clock, waitLimitMs, late.signal)]);
    late.abort();
  }

  async #ask(): Promise<void> {
    const { images, limit, logger } = this.#options;
    try {
      this.#shown = nodeImages(await images(), limit);
      this.#hasAnswered = true;
    } catch (error) {
      // Said once for each time that the runtime is away.
      if (this.#hasAnswered) logger.error('Error getting image list', { error });
      this.#hasAnswered = false;
    }
  }
}
