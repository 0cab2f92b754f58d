import type { MetricRegistry, Series } from '../net/metrics/index.ts';

type SecondsInWork = () => readonly number[];

/** Counts what goes through one queue, or several of one controller. */
export interface QueueCounters {
  addDepth(change: number): void;
  countAdd(): void;
  countRetry(): void;
  observeWait(seconds: number): void;
  observeWork(seconds: number): void;
  /** Asked whenever metrics are shown, until the returned function is called. */
  followWork(secondsInWork: SecondsInWork): () => void;
}

/** Metrics of work queues, by the names of release 1.20. */
export class QueueMetrics {
  readonly #registry: MetricRegistry;
  readonly #inWork = new Map<string, Set<SecondsInWork>>();

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
    registry.onCollect(() => this.#collect());
  }

  /** The counters of a controller's queues; all that ask for the same name share them. */
  countersOf(name: string): QueueCounters {
    const series = (metric: string): Series => this.#registry.series(`workqueue_${metric}`, [name]);
    const depth = series('depth');
    const adds = series('adds_total');
    const retries = series('retries_total');
    const waits = series('queue_duration_seconds');
    const works = series('work_duration_seconds');
    const inWork = this.#inWork.get(name) ?? new Set();
    this.#inWork.set(name, inWork);
    return {
      addDepth: (change) => depth.add(change),
      countAdd: () => adds.add(1),
      countRetry: () => retries.add(1),
      observeWait: (seconds) => waits.observe(seconds),
      observeWork: (seconds) => works.observe(seconds),
      followWork(secondsInWork) {
        inWork.add(secondsInWork);
        return () => void inWork.delete(secondsInWork);
      },
    };
  }

  #collect(): void {
    for (const [name, sources] of this.#inWork) {
      const seconds = [...sources].flatMap((secondsInWork) => secondsInWork());
      const sum = seconds.reduce((total, each) => total + each, 0);
      this.#registry.set('workqueue_unfinished_work_seconds', sum, [name]);
      this.#registry.set('workqueue_longest_running_processor_seconds', Math.max(0, ...seconds), [name]);
    }
  }
}
