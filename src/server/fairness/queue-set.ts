/** How a priority level holds back requests. */
export interface QueueSetLimits {
  /** Requests that are worked on at the same time. */
  readonly seats: number;
  /** Undefined: what finds no seat is rejected. */
  readonly queuing: { readonly queues: number; readonly queueLength: number } | undefined;
}

/** A request on its way through a queue set; the set fills in what is behind its type. */
export interface Ticket {
  /** Called once it has a seat, when it had to wait for one. */
  readonly onSeat: () => void;
  queue: Queue | undefined;
  /** Since when it has a seat; undefined while it waits. */
  seatedAtMs: number | undefined;
}

/** What becomes of a request that arrives. */
export type Arrival = 'seated' | 'waiting' | 'queue-full' | 'concurrency-limit';

interface Queue {
  readonly index: number;
  readonly waiting: Ticket[];
  seated: number;
  /** Virtual time at which its next request begins. */
  virtualStart: number;
}

/** What the next request of a queue is taken to last, in virtual milliseconds, until it has ended. Source: release 1.20. */
const guessedServiceMs = 60_000;

/**
 * The seats of one priority level and the queues before them: a scheduler without timers, which is told the time. Queues
 * get seats in turn by fair queuing: each has a clock of its own, which its requests move on by the time that they were
 * worked on, and the queue that is furthest behind comes first (apiserver, `fairqueuing/queueset`).
 */
export class QueueSet {
  #limits: QueueSetLimits;
  readonly #queues: Queue[] = [];
  #virtualTime = 0;
  #realTimeMs = 0;
  #seated = 0;
  #waiting = 0;
  /** Queues with requests, seated or waiting. */
  #active = 0;
  #lastServed = -1;

  constructor(limits: QueueSetLimits) {
    this.#limits = limits;
  }

  get seatedCount(): number {
    return this.#seated;
  }

  get waitingCount(): number {
    return this.#waiting;
  }

  get limits(): QueueSetLimits {
    return this.#limits;
  }

  /** What its queues hold now. */
  get queues(): readonly Readonly<Pick<Queue, 'index' | 'waiting' | 'seated' | 'virtualStart'>>[] {
    return this.#queues;
  }

  /** Fewer seats take none from those who have one; queues that go are emptied first. */
  setLimits(limits: QueueSetLimits, nowMs: number): void {
    this.#passTime(nowMs);
    this.#limits = limits;
    this.#seatWaiting(nowMs);
  }

  /** A request arrives. `hand` has the queues that it may wait in, and is asked for only where there are queues. */
  arrive(ticket: Ticket, hand: () => readonly number[], nowMs: number): Arrival {
    const { seats, queuing } = this.#limits;
    if (queuing === undefined) {
      if (this.#seated >= seats) return 'concurrency-limit';
      this.#seated++;
      ticket.seatedAtMs = nowMs;
      return 'seated';
    }
    this.#passTime(nowMs);
    const queue = this.#shortest(hand());
    if (this.#seated >= seats && queue.waiting.length >= queuing.queueLength) return 'queue-full';
    if (queue.seated + queue.waiting.length === 0) {
      queue.virtualStart = this.#virtualTime;
      this.#active++;
    }
    ticket.queue = queue;
    if (this.#waiting === 0 && this.#seated < seats) {
      this.#seat(ticket, queue, nowMs);
      return 'seated';
    }
    queue.waiting.push(ticket);
    this.#waiting++;
    return 'waiting';
  }

  /** A request that had a seat has ended. */
  leave(ticket: Ticket, nowMs: number): void {
    this.#passTime(nowMs);
    this.#seated--;
    const { queue, seatedAtMs = nowMs } = ticket;
    if (queue !== undefined) {
      queue.seated--;
      queue.virtualStart -= guessedServiceMs - (nowMs - seatedAtMs);
      this.#noteEmpty(queue);
    }
    if (this.#waiting > 0) this.#seatWaiting(nowMs);
  }

  /** A request waits no longer. False when it has a seat already. */
  giveUp(ticket: Ticket, nowMs: number): boolean {
    const at = ticket.queue?.waiting.indexOf(ticket) ?? -1;
    if (ticket.queue === undefined || at < 0) return false;
    this.#passTime(nowMs);
    ticket.queue.waiting.splice(at, 1);
    this.#waiting--;
    this.#noteEmpty(ticket.queue);
    return true;
  }

  #seatWaiting(nowMs: number): void {
    while (this.#waiting > 0 && this.#seated < this.#limits.seats) {
      const queue = this.#nextQueue();
      const ticket = queue?.waiting.shift();
      if (queue === undefined || ticket === undefined) return;
      this.#waiting--;
      this.#seat(ticket, queue, nowMs);
      ticket.onSeat();
    }
  }

  #seat(ticket: Ticket, queue: Queue, nowMs: number): void {
    this.#seated++;
    queue.seated++;
    queue.virtualStart += guessedServiceMs;
    ticket.seatedAtMs = nowMs;
  }

  /** The queue whose first request ends first by its own clock; equals take turns. */
  #nextQueue(): Queue | undefined {
    let next: Queue | undefined;
    const count = this.#queues.length;
    for (let step = 1; step <= count; step++) {
      const queue = this.#queues[(this.#lastServed + step) % count];
      if (queue === undefined || queue.waiting.length === 0) continue;
      if (next === undefined || queue.virtualStart < next.virtualStart) next = queue;
    }
    if (next !== undefined) this.#lastServed = next.index;
    return next;
  }

  #shortest(hand: readonly number[]): Queue {
    let shortest: Queue | undefined;
    for (const index of hand) {
      const queue = this.#queueAt(index);
      if (shortest === undefined || queue.waiting.length < shortest.waiting.length) shortest = queue;
    }
    return shortest ?? this.#queueAt(0);
  }

  #queueAt(index: number): Queue {
    for (let next = this.#queues.length; next <= index; next++) {
      this.#queues.push({ index: next, waiting: [], seated: 0, virtualStart: 0 });
    }
    const queue = this.#queues[index];
    if (queue === undefined) throw new RangeError(`queue ${index}`);
    return queue;
  }

  #noteEmpty(queue: Queue): void {
    if (queue.seated + queue.waiting.length === 0) this.#active--;
  }

  /** Virtual time passes as fast as each of the active queues can get on. */
  #passTime(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#realTimeMs);
    this.#realTimeMs = nowMs;
    if (this.#active === 0) return;
    const served = Math.min(this.#seated + this.#waiting, this.#limits.seats);
    this.#virtualTime += (passedMs * served) / this.#active;
  }
}
