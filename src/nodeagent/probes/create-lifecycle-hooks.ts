import type { Clock } from '../../base/index.ts';
import { formatPodName } from '../container-config/index.ts';
import { containerFieldPath, type EventRecorder } from '../events/index.ts';
import type { RuntimeService } from '../runtime/index.ts';
import { minGraceMs } from '../sync/desired-pod.ts';
import type { HookTarget, LifecycleHooks } from './contract.ts';
import { runHook } from './run-hook.ts';

/** What hooks are run with. */
export interface LifecycleHooksOptions {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/** How long a hook is waited for that its container's end should have cut. */
const afterGraceMs = 30_000;

/** Runs hooks after the rules of release 1.20. */
export function createLifecycleHooks({ runtime, events, clock }: LifecycleHooksOptions): LifecycleHooks {
  const record = ({ pod, container, containerId }: HookTarget, reason: string, message: string): void => {
    const about = { kind: 'pod', pod, fieldPath: containerFieldPath('containers', container.name) } as const;
    events.record({
      about,
      type: 'Warning',
      reason,
      message: message.replaceAll(containerId, container.name),
    });
  };
  const podNameOf = ({ pod }: HookTarget): string => formatPodName(pod);

  return {
    async postStart(target, signal) {
      const handler = target.container.lifecycle?.postStart;
      if (!handler) return undefined;
      const failure = await runHook(handler, { ...target, podName: podNameOf(target) }, { runtime, signal });
      if (failure === undefined) return undefined;
      if (!signal?.aborted) record(target, 'FailedPostStartHook', failure.message);
      return { reason: `PostStartHookError: ${failure.error}`, message: failure.message };
    },
    async preStop(target, graceMs) {
      const handler = target.container.lifecycle?.preStop;
      if (!handler || graceMs <= 0) return graceMs;
      const startMs = clock.nowMs();
      const { promise: isOver, resolve } = Promise.withResolvers<void>();
      const cancel = clock.setTimer(graceMs, resolve);
      // A hook that still runs then is cut by the end of its container, and fails.
      const giveUp = new AbortController();
      const cancelGiveUp = clock.setTimer(graceMs + afterGraceMs, () => giveUp.abort());
      const done = runHook(
        handler,
        { ...target, podName: podNameOf(target) },
        { runtime, signal: giveUp.signal },
      );
      const reported = done.then((failure) => {
        cancelGiveUp();
        if (failure !== undefined) record(target, 'FailedPreStopHook', failure.message);
      });
      await Promise.race([reported, isOver]);
      cancel();
      return Math.max(minGraceMs, graceMs - Math.max(0, clock.nowMs() - startMs));
    },
  };
}
