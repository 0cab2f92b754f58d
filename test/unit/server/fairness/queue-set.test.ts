import { expect } from 'chai';
import { Dealer, dealHand } from '../../../../src/server/fairness/priority-level.ts';
import { QueueSet, type Ticket } from '../../../../src/server/fairness/queue-set.ts';

/** A level in a time of its own, where each request of a flow is worked on as long as the flow says. */
class Simulation {
  readonly set: QueueSet;
  readonly seated: string[] = [];
  nowMs = 0;
  readonly #ends: { readonly atMs: number; readonly ticket: Ticket }[] = [];

  constructor(seats: number, queuing: { queues: number; queueLength: number } | undefined) {
    this.set = new QueueSet({ seats, queuing });
  }

  arrive(name: string, hand: readonly number[], lastsMs = 10): string {
    const begin = (): void => {
      this.seated.push(name);
      this.#ends.push({ atMs: this.nowMs + lastsMs, ticket });
    };
    const ticket: Ticket = { onSeat: begin, queue: undefined, seatedAtMs: undefined };
    const arrival = this.set.arrive(ticket, () => hand, this.nowMs);
    if (arrival === 'seated') begin();
    return arrival;
  }

  /** Lets the next request end. */
  step(): boolean {
    this.#ends.sort((first, second) => first.atMs - second.atMs);
    const next = this.#ends.shift();
    if (next === undefined) return false;
    this.nowMs = Math.max(this.nowMs, next.atMs);
    this.set.leave(next.ticket, this.nowMs);
    return true;
  }
}

const countOf = (names: readonly string[], name: string): number =>
  names.filter((other) => other === name).length;

describe('QueueSet', () => {
  it('rejects what finds no seat where there are no queues', () => {
    const level = new Simulation(2, undefined);
    expect([1, 2, 3].map(() => level.arrive('a', []))).to.deep.equal([
      'seated',
      'seated',
      'concurrency-limit',
    ]);
    level.step();
    expect(level.arrive('a', [])).to.equal('seated');
  });

  it('lets requests wait until their queue is full', () => {
    const level = new Simulation(1, { queues: 4, queueLength: 2 });
    expect([1, 2, 3, 4].map(() => level.arrive('a', [0]))).to.deep.equal([
      'seated',
      'waiting',
      'waiting',
      'queue-full',
    ]);
    expect(level.arrive('b', [1])).to.equal('waiting');
    expect([level.set.seatedCount, level.set.waitingCount]).to.deep.equal([1, 3]);
  });

  it('puts a request into the shortest queue of its hand', () => {
    const level = new Simulation(1, { queues: 4, queueLength: 9 });
    for (let index = 0; index < 7; index++) level.arrive('a', [0, 2, 3]);
    expect(level.set.queues.map(({ waiting }) => waiting.length)).to.deep.equal([2, 0, 2, 2]);
  });

  it('gives flows with requests of equal length equal numbers of seats, however many of one wait', () => {
    const level = new Simulation(2, { queues: 8, queueLength: 1000 });
    for (let index = 0; index < 300; index++) level.arrive('greedy', [0]);
    for (let index = 0; index < 50; index++) level.arrive('modest', [1]);
    level.seated.length = 0;
    for (let index = 0; index < 80; index++) level.step();
    expect(countOf(level.seated, 'modest')).to.be.within(38, 42);
  });

  it('gives flows equal time: one with long requests gets fewer', () => {
    const level = new Simulation(1, { queues: 8, queueLength: 1000 });
    for (let index = 0; index < 400; index++) level.arrive('long', [0], 90);
    for (let index = 0; index < 900; index++) level.arrive('short', [1], 10);
    level.seated.length = 0;
    while (level.nowMs < 9000) level.step();
    const ratio = (countOf(level.seated, 'short') * 10) / (countOf(level.seated, 'long') * 90);
    expect(ratio).to.be.within(0.8, 1.25);
  });

  it('owes nothing to a flow that was away', () => {
    const level = new Simulation(1, { queues: 8, queueLength: 1000 });
    for (let index = 0; index < 200; index++) level.arrive('busy', [0]);
    for (let index = 0; index < 100; index++) level.step();
    for (let index = 0; index < 50; index++) level.arrive('late', [1]);
    level.seated.length = 0;
    for (let index = 0; index < 40; index++) level.step();
    expect(countOf(level.seated, 'late')).to.be.within(18, 22);
  });

  it('forgets a request that gives up, once', () => {
    const level = new Simulation(1, { queues: 1, queueLength: 9 });
    level.arrive('a', [0]);
    const ticket: Ticket = {
      onSeat: () => level.seated.push('gone'),
      queue: undefined,
      seatedAtMs: undefined,
    };
    level.set.arrive(ticket, () => [0], 0);
    expect([level.set.giveUp(ticket, 1), level.set.giveUp(ticket, 1)]).to.deep.equal([true, false]);
    level.step();
    expect(level.seated).to.deep.equal(['a']);
    expect([level.set.seatedCount, level.set.waitingCount]).to.deep.equal([0, 0]);
  });

  it('seats those who wait when there are more seats, and empties queues that went', () => {
    const level = new Simulation(1, { queues: 4, queueLength: 9 });
    for (const queue of [0, 3, 3]) level.arrive(`q${queue}`, [queue]);
    level.set.setLimits({ seats: 2, queuing: { queues: 1, queueLength: 9 } }, 1);
    expect(level.seated).to.deep.equal(['q0', 'q3']);
    while (level.step());
    expect(level.seated).to.deep.equal(['q0', 'q3', 'q3']);
  });

  it('never seats more than there are seats, whatever happens', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    const level = new Simulation(3, { queues: 16, queueLength: 5 });
    let rejected = 0;
    for (let index = 0; index < 5000; index++) {
      if (random(3) === 0) level.step();
      else {
        const hand = dealHand(`flow${random(20)}`, 16, 4);
        if (level.arrive(`${index}`, hand, random(50)) === 'queue-full') rejected++;
      }
      expect(level.set.seatedCount).to.be.at.most(3);
      if (level.set.waitingCount > 0) expect(level.set.seatedCount).to.equal(3);
    }
    while (level.step());
    expect([level.set.seatedCount, level.set.waitingCount]).to.deep.equal([0, 0]);
    expect(level.seated.length + rejected).to.be.greaterThan(3000);
  });
});

describe('one greedy user and nine modest ones', () => {
  /** What the default configuration gives most users. */
  const seats = 59;
  const untilMs = 1500;

  /** How many requests of each modest user end, each sent when the one before has ended, beside so many of the greedy one. */
  function countServed(greedyRequests: number): number[] {
    const set = new QueueSet({ seats, queuing: { queues: 128, queueLength: 50 } });
    const dealer = new Dealer(128, 6);
    const served = new Array<number>(10).fill(0);
    const due: { readonly atMs: number; run(): void }[] = [];
    let seed = 11;
    let nowMs = 0;
    /** Requests take between 8 and 12 ms. */
    const lastsMs = (): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return 8 + (seed % 4001) / 1000;
    };
    const send = (user: number): void => {
      const begin = (): void => {
        const end = (): void => {
          served[user] = (served[user] ?? 0) + 1;
          set.leave(ticket, nowMs);
          send(user);
        };
        due.push({ atMs: nowMs + lastsMs(), run: end });
      };
      const ticket: Ticket = { onSeat: begin, queue: undefined, seatedAtMs: undefined };
      const arrival = set.arrive(ticket, () => dealer.handOf(`global-default\0user${user}`), nowMs);
      if (arrival === 'seated') begin();
      // As the refused client is told: again after a second.
      if (arrival === 'queue-full') due.push({ atMs: nowMs + 1000, run: () => send(user) });
    };
    for (let user = 1; user < 10; user++) send(user);
    for (let index = 0; index < greedyRequests; index++) send(0);
    while (nowMs < untilMs) {
      due.sort((first, second) => second.atMs - first.atMs);
      const next = due.pop();
      if (next === undefined) break;
      nowMs = next.atMs;
      next.run();
    }
    return served.slice(1);
  }

  it('leaves the modest ones nine tenths of what they do alone', () => {
    const alone = countServed(0);
    const beside = countServed(500);
    for (const [index, count] of beside.entries()) expect(count / (alone[index] ?? 0)).to.be.at.least(0.9);
  });
});

describe('dealHand', () => {
  it('deals different queues, all that there are in the end', () => {
    for (let index = 0; index < 200; index++) {
      const hand = dealHand(`flow${index}`, 12, 5);
      expect(new Set(hand).size).to.equal(5);
      expect(hand.every((queue) => queue >= 0 && queue < 12)).to.equal(true);
    }
    expect([...dealHand('a', 6, 6)].sort()).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(dealHand('a', 12, 5)).to.deep.equal(dealHand('a', 12, 5));
  });

  it('deals each queue about as often', () => {
    const counts = new Array<number>(8).fill(0);
    for (let index = 0; index < 4000; index++)
      for (const queue of dealHand(`f${index}`, 8, 2)) counts[queue] = (counts[queue] ?? 0) + 1;
    for (const count of counts) expect(count).to.be.within(850, 1150);
  });
});
