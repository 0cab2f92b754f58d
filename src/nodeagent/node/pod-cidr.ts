import type { Logger } from '../../base/index.ts';
import type { RuntimeService } from '../runtime/index.ts';

/** Tells the runtime the range of pod addresses whenever it changes. */
export class PodCidr {
  readonly #runtime: Pick<RuntimeService, 'setPodCidr'>;
  readonly #logger: Logger;
  #wished = '';
  #reported = '';
  #reporting: Promise<void> | undefined;

  constructor(runtime: Pick<RuntimeService, 'setPodCidr'>, logger: Logger) {
    this.#runtime = runtime;
    this.#logger = logger;
  }

  /** Ranges, separated by commas; empty for none. */
  wish(podCidr: string): void {
    this.#wished = podCidr;
  }

  /** Never rejects; after a failure the next call tries again. */
  apply(): Promise<void> {
    this.#reporting ??= this.#report().finally(() => {
      this.#reporting = undefined;
    });
    return this.#reporting;
  }

  async #report(): Promise<void> {
    const podCidr = this.#wished;
    if (podCidr === this.#reported) return;
    try {
      await this.#runtime.setPodCidr(podCidr);
      this.#reported = podCidr;
    } catch (error) {
      this.#logger.error('pod CIDR update failed', { podCidr, error });
    }
  }
}
