import type { Pod } from '../../apis/types/core-v1.ts';
import type { EventRecorder } from '../events/index.ts';
import { formatRuntimeFailure, RuntimeError } from '../runtime/index.ts';
import { KillError } from './kill-error.ts';

/** Events about a pod that the runtime does not show or end, in release 1.20's words. */
export class PodWarnings {
  readonly #events: EventRecorder;
  readonly #pod: () => Pod;

  constructor(events: EventRecorder, pod: () => Pod) {
    this.#events = events;
    this.#pod = pod;
  }

  /** The pod was to end, and has not. */
  exceedsGrace(): void {
    this.#record(
      'ExceededGracePeriod',
      'Container runtime did not kill the pod within specified grace period.',
    );
  }

  /** What the runtime has of the pod could not be read; that it answers nothing at all is no matter of a pod. */
  cannotBeRead(error: unknown): void {
    if (!isAbsence(error))
      this.#record('FailedSync', `error determining status: ${formatRuntimeFailure(error)}`);
  }

  /** A plan that was to end the pod has failed. */
  cannotBeKilled(error: unknown): void {
    if (error instanceof KillError) this.#record('FailedKillPod', `error killing pod: ${error.message}`);
  }

  #record(reason: string, message: string): void {
    this.#events.record({ about: { kind: 'pod', pod: this.#pod() }, type: 'Warning', reason, message });
  }
}

/** Whether the runtime gave no answer. */
export function isAbsence(error: unknown): boolean {
  const reason = error instanceof KillError ? error.cause : error;
  return reason instanceof RuntimeError && reason.isRetriable;
}
