import type { RuntimeService } from '../runtime/index.ts';
import type { PodAction } from '../sync/actions.ts';
import { PlanExecution, type PlanExecutionOptions, type PlanRequest } from './plan-execution.ts';

/** What carrying plans out takes when they may be given up or hastened. */
export interface PlanRunOptions extends PlanExecutionOptions {
  readonly runtime: PlanExecutionOptions['runtime'] & Pick<RuntimeService, 'stopContainer'>;
}

/** A plan that is under way, as the one who began it may change its course. */
export class PlanRun {
  readonly #execution: PlanExecution;
  readonly #runtime: PlanRunOptions['runtime'];
  readonly #abort = new AbortController();
  readonly #starting: Map<string, number>;
  /** The shortest grace that anybody asked for since the run began. */
  #graceMs = Number.POSITIVE_INFINITY;
  readonly actions: readonly PodAction[];

  constructor(request: Omit<PlanRequest, 'signal'>, options: PlanRunOptions) {
    const onStart: PlanRequest['onStart'] = (result) => {
      this.#starting.delete(result.name);
      request.onStart(result);
    };
    this.actions = request.actions;
    this.#execution = new PlanExecution({ ...request, signal: this.#abort.signal, onStart }, options);
    this.#runtime = options.runtime;
    this.#starting = new Map(request.actions.flatMap(startedAttempt));
  }

  /** Attempts whose start has not ended, by the names of their containers. */
  get starting(): ReadonlyMap<string, number> {
    return this.#starting;
  }

  /** To be called once. @throws as `PlanExecution.perform` */
  perform(): Promise<void> {
    return this.#execution.perform();
  }

  /** Nothing is started any more, and what a start waits for is given up. Instances are stopped nevertheless. */
  abort(): void {
    this.#abort.abort();
  }

  /** A shorter grace than the one that is being waited for counts at once. */
  hasten(graceMs: number): void {
    if (graceMs >= this.#graceMs) return;
    this.#graceMs = graceMs;
    for (const action of this.actions) {
      if (action.kind !== 'stop-containers' && action.kind !== 'stop-pod') continue;
      for (const stop of action.stops) if (stop.graceMs > graceMs) this.#stop(stop.containerId, graceMs);
    }
  }

  #stop(containerId: string, timeoutMs: number): void {
    this.#runtime.stopContainer(containerId, { timeoutMs }).catch(() => {}); // The run says it.
  }
}

function startedAttempt(action: PodAction): readonly (readonly [name: string, attempt: number])[] {
  return action.kind === 'start-container' ? [[action.name, action.attempt]] : [];
}
