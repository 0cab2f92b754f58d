import { type Clock, errorText } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import { formatParts } from './format-parts.ts';

/** What all pods may have together, and where it is reported. */
export interface AllocatableLimitOptions {
  /** Name of their group, as parts from the root. */
  readonly parts: readonly string[];
  /** Writes the bounds. @throws CgroupError */
  readonly bound: () => Promise<void>;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/** Time between two attempts, as in release 1.20. */
const retryMs = 60_000;

/**
 * The bounds of the group of all pods. While pods have more than that, from before, the kernel may refuse; evictions make
 * room, and it is tried again.
 */
export class AllocatableLimit {
  readonly #options: AllocatableLimitOptions;
  #isEnforced = false;
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AllocatableLimitOptions) {
    this.#options = options;
  }

  /** Tries unless it has succeeded, or was tried a moment ago. Records what came of it; never rejects. */
  async enforce(): Promise<void> {
    const { bound, events, clock } = this.#options;
    const nowMs = clock.nowMs();
    if (this.#isEnforced || nowMs - this.#triedAtMs < retryMs) return;
    this.#triedAtMs = nowMs;
    const about = { kind: 'node' } as const;
    try {
      await bound();
      this.#isEnforced = true;
      const message = 'Updated Node Allocatable limit across pods';
      events.record({ about, type: 'Normal', reason: 'NodeAllocatableEnforced', message });
    } catch (error) {
      const message = this.#describe(error);
      events.record({ about, type: 'Warning', reason: 'FailedNodeAllocatableEnforcement', message });
    }
  }

  #describe(error: unknown): string {
    const { parts } = this.#options;
    const start = `Failed to update Node Allocatable Limits ${formatParts(parts)}`;
    const group = `failed to set supported cgroup subsystems for cgroup [${parts.join(' ')}]`;
    return `${start}: ${group}: failed to set config for supported subsystems : ${errorText(error)}`;
  }
}
