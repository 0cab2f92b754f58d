import type { Container } from '../../apis/types/core-v1.ts';
import type { ProbeResults } from '../sync/pod-input.ts';
import { findProbe, type ProbeType, probeTypes } from './probe-type.ts';
import type { ProbedInstance, ProbeWorker } from './probe-worker.ts';

/** The probes of one container of a pod, over all its instances. */
export class ProbedContainer {
  readonly #workers = new Map<ProbeType, ProbeWorker>();
  readonly #makeWorker: (type: ProbeType, container: Container, onChange: () => void) => ProbeWorker;
  readonly #onChange: () => void;
  #instance: ProbedInstance | undefined;

  constructor(
    makeWorker: (type: ProbeType, container: Container, onChange: () => void) => ProbeWorker,
    onChange: () => void,
  ) {
    this.#makeWorker = makeWorker;
    this.#onChange = onChange;
  }

  /** Of the instance that runs. */
  get containerId(): string | undefined {
    return this.#instance?.containerId;
  }

  /** Updates the container's specification, and its running instance. */
  update(container: Container, instance: ProbedInstance | undefined): void {
    const isNew = instance?.containerId !== this.#instance?.containerId;
    // Changed probes apply from the next instance on.
    if (isNew || this.#instance === undefined) this.#matchWorkers(container);
    const known = isNew
      ? instance
      : instance && { ...instance, container: this.#instance?.container ?? container };
    this.#instance = known;
    for (const worker of this.#workers.values()) {
      if (known === undefined) worker.stop();
      else if (isNew) worker.begin(known);
      else worker.refresh(known);
    }
    this.#letOn();
  }

  results(): ProbeResults {
    const hasFailed = (type: ProbeType): boolean => this.#workers.get(type)?.state === 'failure';
    const health = hasFailed('liveness')
      ? 'liveness-failed'
      : hasFailed('startup')
        ? 'startup-failed'
        : 'fine';
    return {
      health,
      isStarted: this.#hasSucceeded('startup'),
      isReady: this.#hasSucceeded('readiness'),
    };
  }

  stop(): void {
    for (const worker of this.#workers.values()) worker.stop();
    this.#instance = undefined;
  }

  /** There is no such probe, or it has succeeded. */
  #hasSucceeded(type: ProbeType): boolean {
    const worker = this.#workers.get(type);
    return worker === undefined || worker.state === 'success';
  }

  #matchWorkers(container: Container): void {
    for (const type of probeTypes) {
      const worker = this.#workers.get(type);
      if (findProbe(container, type) === undefined) {
        worker?.stop();
        this.#workers.delete(type);
      } else if (worker === undefined) {
        this.#workers.set(
          type,
          this.#makeWorker(type, container, () => {
            this.#letOn();
            this.#onChange();
          }),
        );
      }
    }
  }

  /**
   * Before a container has started, only its startup probe runs, and afterwards never again. A container that will be
   * restarted is not probed.
   */
  #letOn(): void {
    if (this.#instance === undefined) return;
    const isEnding = typeof this.#instance.pod.metadata.deletionTimestamp === 'string';
    const isStarted = this.#hasSucceeded('startup');
    this.#workers.get('startup')?.letOn(!isStarted && !isEnding);
    this.#workers.get('liveness')?.letOn(isStarted && !isEnding);
    this.#workers.get('readiness')?.letOn(isStarted);
  }
}
