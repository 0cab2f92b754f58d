import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { ProbeResults } from '../sync/pod-input.ts';
import type { ProbeMetricSink, Prober, RunningContainer } from './contract.ts';
import { countProbes, type ProbeCounter } from './probe-counter.ts';
import type { ProbeHandlers } from './probe-handlers.ts';
import { findProbe, type ProbeType, readTimes } from './probe-type.ts';
import { ProbeWorker } from './probe-worker.ts';
import { ProbedContainer } from './probed-container.ts';

/** What a prober is made from. */
export interface ProberOptions {
  readonly handlers: ProbeHandlers;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Called after the results of one of the pod's containers have changed. */
  readonly onChange: (podUid: string) => void;
  readonly metrics: ProbeMetricSink;
}

/** Probes containers after the rules of release 1.20; `remove` ends all that belongs to a pod. */
export function createProber(options: ProberOptions): Prober & Disposable {
  return new PodProber(options);
}

/** Results of a container that `update` has not named yet. */
const unseen: ProbeResults = { health: 'fine', isStarted: false, isReady: false };

/** The containers of one pod by name. */
type Containers = Map<string, ProbedContainer>;

class PodProber implements Prober, Disposable {
  readonly #options: ProberOptions;
  readonly #counter: ProbeCounter;
  readonly #startMs: number;
  readonly #pods = new Map<string, Containers>();
  readonly #byContainerId = new Map<string, ProbedContainer>();

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#counter = countProbes(options.metrics);
    this.#startMs = options.clock.nowMs();
  }

  update(pod: Pod, running: readonly RunningContainer[], podIp: string | undefined): void {
    const containers = this.#containersOf(pod.metadata.uid ?? '');
    const specs = pod.spec.containers ?? [];
    for (const name of containers.keys()) {
      if (!specs.some((spec) => spec.name === name)) this.#drop(containers, name);
    }
    for (const container of specs) {
      const probed = containers.get(container.name) ?? this.#add(containers, pod, container);
      const instance = running.find(({ name }) => name === container.name);
      const before = probed.containerId;
      if (before !== undefined && before !== instance?.id) this.#byContainerId.delete(before);
      if (instance === undefined) {
        probed.update(container, undefined);
        continue;
      }
      const { id: containerId, startedAtMs } = instance;
      probed.update(container, { pod, container, containerId, podIp, startedAtMs });
      this.#byContainerId.set(containerId, probed);
    }
  }

  results(containerId: string): ProbeResults {
    return this.#byContainerId.get(containerId)?.results() ?? unseen;
  }

  remove(podUid: string): void {
    const containers = this.#pods.get(podUid);
    if (containers === undefined) return;
    for (const name of [...containers.keys()]) this.#drop(containers, name);
    this.#pods.delete(podUid);
    this.#counter.forget(podUid);
  }

  [Symbol.dispose](): void {
    for (const podUid of [...this.#pods.keys()]) this.remove(podUid);
  }

  #containersOf(podUid: string): Containers {
    const known = this.#pods.get(podUid);
    if (known !== undefined) return known;
    const containers: Containers = new Map();
    this.#pods.set(podUid, containers);
    return containers;
  }

  #add(containers: Containers, pod: Pod, { name }: Container): ProbedContainer {
    const added: ProbedContainer = new ProbedContainer(
      (type, container, onChange) => this.#makeWorker({ type, pod, container, onChange }),
      () => this.#options.onChange(pod.metadata.uid ?? ''),
    );
    containers.set(name, added);
    return added;
  }

  #drop(containers: Containers, name: string): void {
    const probed = containers.get(name);
    if (probed?.containerId !== undefined) this.#byContainerId.delete(probed.containerId);
    probed?.stop();
    containers.delete(name);
  }

  #makeWorker({ type, pod, container, onChange }: NewWorker): ProbeWorker {
    const { handlers, events, clock, logger } = this.#options;
    return new ProbeWorker({
      type,
      handlers,
      events,
      clock,
      firstStepMs: this.#firstStepMs(type, container),
      onChange,
      onResult: (result) => {
        this.#counter.count({ type, result, pod, containerName: container.name });
        if (result !== 'success')
          logger.debug('probe failed', { pod: pod.metadata.name, container: container.name, type });
      },
    });
  }

  /** After its start the agent finds many containers at once: their first probes are spread over the period. */
  #firstStepMs(type: ProbeType, container: Container): number {
    const { clock, random } = this.#options;
    const nowMs = clock.nowMs();
    const probe = findProbe(container, type);
    const periodMs = probe === undefined ? 0 : readTimes(probe).periodMs;
    return nowMs - this.#startMs < periodMs ? nowMs + random() * periodMs : nowMs;
  }
}

interface NewWorker {
  readonly type: ProbeType;
  readonly pod: Pod;
  readonly container: Container;
  readonly onChange: () => void;
}
