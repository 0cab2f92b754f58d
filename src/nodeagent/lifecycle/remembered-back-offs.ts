import type { Clock } from '../../base/index.ts';
import type { BackOffs } from '../sync/back-off.ts';

/** How long back-offs of crash loops outlive their pod: it may come back under the same uid. */
const rememberMs = 600_000;

/** Back-offs of pods that are gone, by uid, for ten minutes. */
export class RememberedBackOffs {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly backOffs: BackOffs; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keep(podUid: string, backOffs: BackOffs): void {
    if (backOffs.size === 0) return;
    this.#entries.set(podUid, { backOffs, untilMs: this.#clock.nowMs() + rememberMs });
  }

  recall(podUid: string): BackOffs | undefined {
    const nowMs = this.#clock.nowMs();
    for (const [key, { untilMs }] of this.#entries) if (untilMs < nowMs) this.#entries.delete(key);
    return this.#entries.get(podUid)?.backOffs;
  }
}
