import type { InFlightGauges } from '../filters/in-flight.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';
import { respondText } from '../request/respond.ts';
import type { Classification, FlowControl } from './flow-control.ts';
import type { QueueSet, Ticket } from './queue-set.ts';

/** What is told of requests on their way. Times are in seconds. */
export interface FairnessMetrics {
  reject(flow: FlowLabels, reason: string): void;
  dispatch(flow: FlowLabels): void;
  /** By how many the waiting and the seated requests of a flow schema changed. */
  count(flow: FlowLabels, waiting: number, seated: number): void;
  observeQueue(flow: FlowLabels, length: number): void;
  observeWait(flow: FlowLabels, seconds: number, wasSeated: boolean): void;
  observeExecution(flow: FlowLabels, seconds: number): void;
}

/** Names of a flow schema and its priority level. */
export interface FlowLabels {
  readonly level: string;
  readonly schema: string;
}

/** What the filter works with. */
export interface FairnessOptions {
  readonly control: FlowControl;
  readonly metrics: FairnessMetrics;
  readonly gauges: InFlightGauges;
  readonly nowMs: () => number;
  /** How long a request may wait for a seat. */
  readonly maxWaitMs: number;
  /** Headers that name the flow schema and the priority level of an answer. */
  readonly headerNames: { readonly schema: string; readonly level: string };
}

/** A request that waits, or is worked on. */
export interface FlowRequest extends Ticket {
  readonly exchange: Exchange;
  readonly classification: Classification;
  readonly arrivedAtMs: number;
}

const readOnlyVerbs = new Set(['get', 'list', 'watch']);

/**
 * Shares the server among requests by flow schemas and priority levels (KEP-1040): each waits in a queue of its level for a
 * seat, or is rejected with 429. Long-running requests are not counted.
 */
export class Fairness {
  readonly #options: FairnessOptions;
  readonly #counts = { readOnly: 0, mutating: 0 };

  constructor(options: FairnessOptions) {
    this.#options = options;
  }

  get control(): FlowControl {
    return this.#options.control;
  }

  readonly filter: Filter = (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    const { control, headerNames } = this.#options;
    const classification = control.classify(exchange);
    exchange.flowHeaders = {
      [headerNames.level]: classification.level.uid,
      [headerNames.schema]: classification.schemaUid,
    };
    const { queues } = classification.level;
    if (queues === undefined) return this.#run(exchange, next, labelsOf(classification), () => {});
    return this.#runSeated(exchange, next, classification, queues);
  };

  async #runSeated(
    exchange: Exchange,
    next: Parameters<Filter>[1],
    classification: Classification,
    queues: QueueSet,
  ): Promise<void> {
    const { metrics, nowMs } = this.#options;
    const flow = labelsOf(classification);
    const { level, schema, distinguisher } = classification;
    const seat = Promise.withResolvers<void>();
    const arrivedAtMs = nowMs();
    const ticket: FlowRequest = {
      onSeat: seat.resolve,
      queue: undefined,
      seatedAtMs: undefined,
      exchange,
      classification,
      arrivedAtMs,
    };
    const arrival = queues.arrive(ticket, () => level.handOf(`${schema}\0${distinguisher}`), arrivedAtMs);
    if (arrival === 'queue-full' || arrival === 'concurrency-limit') {
      metrics.reject(flow, arrival);
      return this.#refuse(exchange);
    }
    if (ticket.queue !== undefined) metrics.observeQueue(flow, ticket.queue.waiting.length);
    if (arrival === 'waiting') {
      const isSeated = await this.#wait(ticket, queues, seat.promise);
      metrics.observeWait(flow, (nowMs() - arrivedAtMs) / 1000, isSeated);
      if (!isSeated) return this.#refuse(exchange);
    } else metrics.observeWait(flow, 0, true);
    return this.#run(exchange, next, flow, () => queues.leave(ticket, nowMs()));
  }

  /** Until there is a seat; false when the time is over or the client has left. */
  async #wait(ticket: FlowRequest, queues: QueueSet, seated: Promise<void>): Promise<boolean> {
    const { metrics, nowMs, maxWaitMs } = this.#options;
    const flow = labelsOf(ticket.classification);
    const { signal } = ticket.exchange;
    metrics.count(flow, 1, 0);
    const given = Promise.withResolvers<void>();
    const giveUp = (reason: string) => () => {
      if (!queues.giveUp(ticket, nowMs())) return;
      metrics.reject(flow, reason);
      given.resolve();
    };
    const onAbort = giveUp('cancelled');
    const timer = setTimeout(giveUp('time-out'), maxWaitMs);
    signal.addEventListener('abort', onAbort);
    await Promise.race([seated, given.promise]);
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    metrics.count(flow, -1, 0);
    return ticket.seatedAtMs !== undefined;
  }

  async #run(
    exchange: Exchange,
    next: Parameters<Filter>[1],
    flow: FlowLabels,
    leave: () => void,
  ): Promise<void> {
    const { metrics, gauges, nowMs } = this.#options;
    const kind = readOnlyVerbs.has(exchange.info.verb) ? 'readOnly' : 'mutating';
    const startedAtMs = nowMs();
    metrics.dispatch(flow);
    metrics.count(flow, 0, 1);
    gauges.set(kind, ++this.#counts[kind]);
    let isCounted = true;
    const release = (): void => {
      if (!isCounted) return;
      isCounted = false;
      gauges.set(kind, --this.#counts[kind]);
      metrics.count(flow, 0, -1);
      metrics.observeExecution(flow, (nowMs() - startedAtMs) / 1000);
      leave();
    };
    // Work that goes on behind a deadline counts no longer.
    exchange.onDeadline = release;
    try {
      await next(exchange);
    } finally {
      release();
    }
  }

  #refuse(exchange: Exchange): Promise<void> {
    // Release 1.20 names no flow here.
    exchange.flowHeaders = { 'retry-after': '1' };
    respondText(exchange, 429, 'Too many requests, please try again later.\n');
    return Promise.resolve();
  }
}

const labelsOf = ({ schema, level }: Classification): FlowLabels => ({ level: level.name, schema });
