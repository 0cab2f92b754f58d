import type { PodAction } from '../sync/index.ts';
import type { LifecycleParts } from './parts.ts';
import { type PlanRun, performPlan } from './perform-plan.ts';

/** Actions of one plan, while they are carried out. */
export class ActionRun {
  readonly #run: PlanRun;
  readonly #parts: LifecycleParts;
  readonly #abort = new AbortController();
  readonly #starting: Set<string>;
  /** The shortest grace that anybody asked for since the run began. */
  #graceMs = Number.POSITIVE_INFINITY;

  constructor(run: Omit<PlanRun, 'signal'>, parts: LifecycleParts) {
    this.#run = {
      ...run,
      signal: this.#abort.signal,
      onStart: (result) => {
        this.#starting.delete(result.name);
        run.onStart(result);
      },
    };
    this.#parts = parts;
    this.#starting = new Set(run.actions.flatMap(startedName));
  }

  get actions(): readonly PodAction[] {
    return this.#run.actions;
  }

  /** Names of containers whose start has not ended. */
  get starting(): ReadonlySet<string> {
    return this.#starting;
  }

  /** To be called once. @throws as `performPlan` */
  perform(): Promise<void> {
    return performPlan(this.#run, this.#parts);
  }

  /** Nothing is started any more, and what a start waits for is given up. Instances are ended nevertheless. */
  abort(): void {
    this.#abort.abort();
  }

  /** A shorter grace than the one that is being waited for counts at once. */
  hasten(graceMs: number): void {
    if (graceMs >= this.#graceMs) return;
    this.#graceMs = graceMs;
    for (const action of this.#run.actions) {
      if (action.kind !== 'stop-containers' && action.kind !== 'stop-pod') continue;
      for (const stop of action.stops) if (stop.graceMs > graceMs) this.#stop(stop.containerId, graceMs);
    }
  }

  #stop(containerId: string, timeoutMs: number): void {
    this.#parts.runtime.stopContainer(containerId, { timeoutMs }).catch(() => {}); // The run says it.
  }
}

function startedName(action: PodAction): readonly string[] {
  return action.kind === 'start-container' ? [action.name] : [];
}
