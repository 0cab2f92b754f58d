import type { InFlightGauges } from '../filters/in-flight.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { isLongRunning, requestKindOf } from '../request/long-running.ts';
import { respondTooManyRequests } from '../request/respond.ts';
import { distinguisherOf, type FlowControl, type Lane } from './flow-control.ts';
import type { Ticket } from './queue-set.ts';

/** A number that grows and shrinks. */
interface Counter {
  add(amount: number): void;
}

/** Takes values one by one. */
interface Observer {
  observe(value: number): void;
}

/** What is counted of the requests of a flow schema in its level. Times are in seconds. */
export interface FlowCounters {
  readonly dispatched: Counter;
  readonly waiting: Counter;
  readonly seated: Counter;
  readonly queueLength: Observer;
  readonly waited: Observer;
  readonly waitedInVain: Observer;
  readonly executed: Observer;
  reject(reason: string): void;
}

/** Names of a flow schema and its priority level. */
export interface FlowLabels {
  readonly level: string;
  readonly schema: string;
}

/** What the filter works with. */
export interface FairnessOptions {
  readonly control: FlowControl;
  readonly countersOf: (flow: FlowLabels) => FlowCounters;
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
  readonly lane: Lane;
  readonly distinguisher: string;
  readonly arrivedAtMs: number;
}

/** What is made once for the requests of a lane. */
interface LaneParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly counters: FlowCounters;
}

/**
 * Shares the server among requests by flow schemas and priority levels (KEP-1040): each waits in a queue of its level for a
 * seat, or is rejected with 429. Long-running requests are not counted.
 */
export class Fairness {
  readonly #options: FairnessOptions;
  readonly #counts = { readOnly: 0, mutating: 0 };
  readonly #parts = new WeakMap<Lane, LaneParts>();

  constructor(options: FairnessOptions) {
    this.#options = options;
  }

  get control(): FlowControl {
    return this.#options.control;
  }

  readonly filter: Filter = (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    const lane = this.#options.control.classify(exchange);
    const { headers, counters } = this.#partsOf(lane);
    exchange.flowHeaders = headers;
    const { queues } = lane.level;
    if (queues === undefined) return this.#run(exchange, next, counters);
    const { nowMs } = this.#options;
    const ticket = new Request(exchange, lane, nowMs());
    const arrival = queues.arrive(ticket, ticket.hand, ticket.arrivedAtMs);
    if (ticket.queue !== undefined) counters.queueLength.observe(ticket.queue.waiting.length);
    if (arrival === 'seated') {
      counters.waited.observe(0);
      return this.#run(exchange, next, counters, ticket);
    }
    if (arrival === 'waiting') return this.#wait(ticket, next, counters);
    counters.reject(arrival);
    return this.#refuse(exchange);
  };

  #partsOf(lane: Lane): LaneParts {
    let parts = this.#parts.get(lane);
    if (parts === undefined) {
      const { headerNames, countersOf } = this.#options;
      const headers = { [headerNames.level]: lane.level.uid, [headerNames.schema]: lane.schemaUid };
      parts = { headers, counters: countersOf({ level: lane.level.name, schema: lane.schema }) };
      this.#parts.set(lane, parts);
    }
    return parts;
  }

  /** Until there is a seat, the time is over, or the client has left. */
  async #wait(ticket: Request, next: Parameters<Filter>[1], counters: FlowCounters): Promise<void> {
    const { nowMs, maxWaitMs } = this.#options;
    const { exchange, lane } = ticket;
    const giveUp = (reason: string) => () => {
      if (lane.level.queues?.giveUp(ticket, nowMs()) !== true) return;
      counters.reject(reason);
      ticket.onSeat();
    };
    const onAbort = giveUp('cancelled');
    const timer = setTimeout(giveUp('time-out'), maxWaitMs);
    exchange.signal.addEventListener('abort', onAbort);
    counters.waiting.add(1);
    await ticket.settled();
    counters.waiting.add(-1);
    clearTimeout(timer);
    exchange.signal.removeEventListener('abort', onAbort);
    const isSeated = ticket.seatedAtMs !== undefined;
    (isSeated ? counters.waited : counters.waitedInVain).observe((nowMs() - ticket.arrivedAtMs) / 1000);
    if (!isSeated) return this.#refuse(exchange);
    return this.#run(exchange, next, counters, ticket);
  }

  async #run(
    exchange: Exchange,
    next: Parameters<Filter>[1],
    counters: FlowCounters,
    ticket?: FlowRequest,
  ): Promise<void> {
    const { gauges, nowMs } = this.#options;
    const kind = requestKindOf(exchange.info);
    const startedAtMs = nowMs();
    counters.dispatched.add(1);
    counters.seated.add(1);
    gauges.set(kind, ++this.#counts[kind]);
    let isCounted = true;
    const release = (): void => {
      if (!isCounted) return;
      isCounted = false;
      const endedAtMs = nowMs();
      gauges.set(kind, --this.#counts[kind]);
      counters.seated.add(-1);
      counters.executed.observe((endedAtMs - startedAtMs) / 1000);
      if (ticket !== undefined) ticket.lane.level.queues?.leave(ticket, endedAtMs);
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
    respondTooManyRequests(exchange); // which names no flow
    return Promise.resolve();
  }
}

/** A request of a level with seats. */
class Request implements FlowRequest {
  readonly exchange: Exchange;
  readonly lane: Lane;
  readonly distinguisher: string;
  readonly arrivedAtMs: number;
  queue: Ticket['queue'] = undefined;
  seatedAtMs: number | undefined = undefined;
  #settle: (() => void) | undefined;
  #isSettled = false;

  constructor(exchange: Exchange, lane: Lane, arrivedAtMs: number) {
    this.exchange = exchange;
    this.lane = lane;
    this.distinguisher = distinguisherOf(lane, exchange);
    this.arrivedAtMs = arrivedAtMs;
  }

  readonly hand = (): readonly number[] =>
    this.lane.level.handOf(`${this.lane.schema}\0${this.distinguisher}`);

  readonly onSeat = (): void => {
    this.#isSettled = true;
    this.#settle?.();
  };

  /** Resolves when it has a seat, or waits no longer. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isSettled) resolve();
      else this.#settle = resolve;
    });
  }
}
