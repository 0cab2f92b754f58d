import type { Clock } from '../../base/index.ts';

/** How often old containers of a pod are removed (the period of release 1.20). */
const garbagePeriodMs = 60_000;

/** How often the volumes of a running pod are renewed, and what does it. */
export interface PodUpkeepOptions {
  readonly clock: Clock;
  /** How often contents of volumes are renewed. */
  readonly syncFrequencyMs: number;
  /** Renews the contents of the pod's volumes. Must not reject. */
  renew(podIp: string | undefined): Promise<void>;
  /** A renewal has ended, and another is due already: something has changed meanwhile. */
  onDueAgain(): void;
}

/** When a pod that is as it should be gets what it needs now and then: old containers go, volumes are renewed. */
export class PodUpkeep {
  readonly #options: PodUpkeepOptions;
  #garbageDueMs: number;
  #renewalDueMs: number;
  #renewal: Promise<void> | undefined;

  constructor(options: PodUpkeepOptions) {
    this.#options = options;
    const nowMs = options.clock.nowMs();
    this.#garbageDueMs = nowMs + garbagePeriodMs;
    this.#renewalDueMs = nowMs + options.syncFrequencyMs;
  }

  /** When volumes are to be renewed next. */
  get renewalDueMs(): number {
    return this.#renewalDueMs;
  }

  /** Volumes are to be renewed at the next opportunity. */
  hasten(): void {
    this.#renewalDueMs = 0;
  }

  /** True once in each period. */
  takesGarbage(): boolean {
    const nowMs = this.#options.clock.nowMs();
    if (nowMs < this.#garbageDueMs) return false;
    this.#garbageDueMs = nowMs + garbagePeriodMs;
    return true;
  }

  /**
   * Renews volumes when that is due and `isRunning`, beside all else: it may wait long for objects, and a pod must be able
   * to end meanwhile.
   */
  renewWhenDue(isRunning: boolean, podIp: string | undefined): void {
    const { clock, syncFrequencyMs, renew, onDueAgain } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs < this.#renewalDueMs || this.#renewal !== undefined) return;
    this.#renewalDueMs = nowMs + syncFrequencyMs;
    if (!isRunning) return;
    this.#renewal = renew(podIp).finally(() => {
      this.#renewal = undefined;
      if (clock.nowMs() >= this.#renewalDueMs) onDueAgain();
    });
  }

  /** Resolves when no renewal is under way. */
  async settled(): Promise<void> {
    await this.#renewal;
  }
}
