import type { Pod } from '../../apis/types/core-v1.ts';
import { containerFieldPath, type EventRecorder } from '../events/index.ts';
import type { LifecycleHooks } from '../probes/index.ts';
import type { RuntimeService } from '../runtime/index.ts';
import type { ContainerStop } from '../sync/actions.ts';
import { findContainer } from './find-container.ts';

/** What stopping containers takes. */
export interface ContainerStopperOptions {
  readonly runtime: Pick<RuntimeService, 'stopContainer'>;
  readonly hooks: Pick<LifecycleHooks, 'preStop'>;
  readonly events: EventRecorder;
}

/** A container of a pod that is to stop. */
export interface StopRequest {
  readonly pod: Pod;
  readonly stop: ContainerStop;
  readonly podIp: string | undefined;
}

/** Stops containers in the order that the API promises: hook, SIGTERM, SIGKILL. */
export class ContainerStopper {
  readonly #options: ContainerStopperOptions;

  constructor(options: ContainerStopperOptions) {
    this.#options = options;
  }

  /**
   * Runs the preStop hook within the grace, unless the pod has none, then has the runtime send SIGTERM, and SIGKILL when the grace is over.
   * Resolves when the container has ended or is gone.
   *
   * @throws RuntimeError when the runtime could not, or did not answer
   */
  async stop({ pod, stop, podIp }: StopRequest): Promise<void> {
    const { runtime, hooks, events } = this.#options;
    const { containerId, name, graceMs, message } = stop;
    const found = findContainer(pod, name);
    const fieldPath = containerFieldPath(found?.list ?? 'containers', name);
    const about = { kind: 'pod', pod, fieldPath } as const;
    events.record({ about, type: 'Normal', reason: 'Killing', message });
    const skipsHook = graceMs === 0 || !hasTimeToEnd(pod) || found === undefined;
    const timeoutMs = skipsHook
      ? graceMs
      : await hooks.preStop({ pod, container: found.container, containerId, podIp }, graceMs);
    await runtime.stopContainer(containerId, { timeoutMs });
  }
}

/** Containers of pods without a grace get a short one all the same, but no hooks (release 1.20). */
function hasTimeToEnd({ metadata, spec }: Pod): boolean {
  return (metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 1) > 0;
}
