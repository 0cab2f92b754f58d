import type { MetricRegistry, Series } from '../../net/metrics/index.ts';
import type { FlowCounters, FlowLabels } from './fairness.ts';

const prefix = 'apiserver_flowcontrol_';

/** Counts requests by flow, under the names of release 1.20. */
export class FlowMetrics {
  readonly #registry: MetricRegistry;

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
  }

  /** The counters of a flow schema in its priority level, looked up once. */
  countersOf({ level, schema }: FlowLabels): FlowCounters {
    const registry = this.#registry;
    const series = (name: string, ...more: readonly string[]): Series =>
      registry.series(`${prefix}${name}`, [level, schema, ...more]);
    return {
      dispatched: series('dispatched_requests_total'),
      waiting: series('current_inqueue_requests'),
      seated: series('current_executing_requests'),
      queueLength: series('request_queue_length_after_enqueue'),
      waited: series('request_wait_duration_seconds', 'true'),
      waitedInVain: series('request_wait_duration_seconds', 'false'),
      executed: series('request_execution_seconds'),
      reject: (reason) => registry.add(`${prefix}rejected_requests_total`, 1, [level, schema, reason]),
    };
  }

  /** Seats of a priority level. */
  setSeats(level: string, seats: number): void {
    this.#registry.set(`${prefix}request_concurrency_limit`, seats, [level]);
  }
}
