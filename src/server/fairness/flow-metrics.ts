import type { MetricRegistry, Series } from '../../net/metrics/index.ts';
import type { FairnessMetrics, FlowLabels } from './fairness.ts';

/** Counters of one flow schema in its priority level, looked up once. */
interface FlowSeries {
  readonly dispatched: Series;
  readonly waiting: Series;
  readonly seated: Series;
  readonly queueLength: Series;
  readonly waited: Series;
  readonly waitedInVain: Series;
  readonly executed: Series;
}

const prefix = 'apiserver_flowcontrol_';

/** Counts requests by flow, under the names of release 1.20. */
export class FlowMetrics implements FairnessMetrics {
  readonly #registry: MetricRegistry;
  readonly #flows = new Map<string, FlowSeries>();

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
  }

  reject({ level, schema }: FlowLabels, reason: string): void {
    this.#registry.add(`${prefix}rejected_requests_total`, 1, [level, schema, reason]);
  }

  dispatch(flow: FlowLabels): void {
    this.#of(flow).dispatched.add(1);
  }

  count(flow: FlowLabels, waiting: number, seated: number): void {
    const series = this.#of(flow);
    if (waiting !== 0) series.waiting.add(waiting);
    if (seated !== 0) series.seated.add(seated);
  }

  observeQueue(flow: FlowLabels, length: number): void {
    this.#of(flow).queueLength.observe(length);
  }

  observeWait(flow: FlowLabels, seconds: number, wasSeated: boolean): void {
    const series = this.#of(flow);
    (wasSeated ? series.waited : series.waitedInVain).observe(seconds);
  }

  observeExecution(flow: FlowLabels, seconds: number): void {
    this.#of(flow).executed.observe(seconds);
  }

  /** Seats of a priority level. */
  setSeats(level: string, seats: number): void {
    this.#registry.set(`${prefix}request_concurrency_limit`, seats, [level]);
  }

  #of({ level, schema }: FlowLabels): FlowSeries {
    const key = `${level} ${schema}`;
    let found = this.#flows.get(key);
    if (found === undefined) {
      const series = (name: string, ...more: readonly string[]): Series =>
        this.#registry.series(`${prefix}${name}`, [level, schema, ...more]);
      found = {
        dispatched: series('dispatched_requests_total'),
        waiting: series('current_inqueue_requests'),
        seated: series('current_executing_requests'),
        queueLength: series('request_queue_length_after_enqueue'),
        waited: series('request_wait_duration_seconds', 'true'),
        waitedInVain: series('request_wait_duration_seconds', 'false'),
        executed: series('request_execution_seconds'),
      };
      this.#flows.set(key, found);
    }
    return found;
  }
}
