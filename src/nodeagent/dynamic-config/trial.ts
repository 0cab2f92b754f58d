import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { CheckpointStore } from './checkpoint-store.ts';
import { type ConfigSource, isSameSource, sourcePath } from './config-source.ts';
import type { ConfigState } from './config-state.ts';

/** How long a configuration must have been assigned to be known as good, as in release 1.20. */
export const trialMs = 10 * 60_000;

/** The configuration on trial, and who is notified when it becomes the last known good one. */
export interface TrialOptions {
  readonly store: CheckpointStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly state: () => ConfigState;
  readonly onGood: (source: ConfigSource) => void;
  readonly signal: AbortSignal;
}

/** How long the trial goes on; a time of assignment in the future is a clock that was set back. */
export const remainingTrialMs = (assignedAtMs: number, nowMs: number): number =>
  Math.min(trialMs, Math.max(0, assignedAtMs + trialMs - nowMs));

/** What failed is tried again after so long. */
const retryMs = 10_000;

/** Makes the active configuration the last known good one when its trial is over. Never rejects. */
export async function keepTrial({
  store,
  clock,
  logger,
  state,
  onGood,
  signal,
}: TrialOptions): Promise<void> {
  const { assigned, active, lastKnownGood } = state();
  const isOnTrial = isSameSource(assigned, active) && !isSameSource(active, lastKnownGood);
  if (active === undefined || !isOnTrial) return;
  for (let waitMs = 0; await pause(clock, waitMs, signal); ) {
    try {
      waitMs = remainingTrialMs(await store.assignedAtMs(), clock.nowMs());
      if (waitMs > 0) continue;
      // Whoever assigned another one meanwhile is about to restart the agent.
      if (signal.aborted || !isSameSource(state().assigned, active)) return;
      await store.write('last-known-good', active);
      const { uid, resourceVersion } = active;
      const path = sourcePath(active);
      logger.info('last-known-good config updated', { path, uid, resourceVersion });
      onGood(active);
      return;
    } catch (error) {
      logger.error('last-known-good config update failed', { error });
      waitMs = retryMs;
    }
  }
}
