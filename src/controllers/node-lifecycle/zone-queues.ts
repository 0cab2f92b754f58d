import { type Clock, TokenBucket } from '../../base/index.ts';

/** How nodes that lose their pods are worked on. */
export interface ZoneQueuesOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Nodes per second of a zone, until `setRate` says otherwise. */
  readonly firstRate: number;
  /** False makes the node come again. Must not reject. */
  readonly work: (node: string) => Promise<boolean>;
}

/** How often queues are looked at while something waits in them. */
const periodMs = 100;

interface Zone {
  rate: number;
  bucket: TokenBucket | undefined;
  readonly waiting: Set<string>;
}

/** Nodes that wait to lose their pods: per zone in order, and so many per second only. */
export class ZoneQueues {
  readonly #options: ZoneQueuesOptions;
  readonly #zones = new Map<string, Zone>();
  #isAwake = false;

  constructor(options: ZoneQueuesOptions) {
    this.#options = options;
  }

  /** One that waits already keeps its turn. */
  add(zone: string, node: string): void {
    this.#zoneOf(zone).waiting.add(node);
    this.#wake();
  }

  remove(node: string): void {
    for (const { waiting } of this.#zones.values()) waiting.delete(node);
  }

  /** Changes how fast a zone goes; a turn that was just taken counts for the new rate as well. */
  setRate(name: string, rate: number): void {
    const zone = this.#zoneOf(name);
    if (zone.rate === rate) return;
    const nowMs = this.#options.clock.nowMs();
    const isUsedUp = zone.bucket?.tryTake(nowMs) !== true;
    zone.rate = rate;
    zone.bucket = createBucket(rate, nowMs);
    if (isUsedUp) zone.bucket?.tryTake(nowMs);
    this.#wake();
  }

  #zoneOf(name: string): Zone {
    let zone = this.#zones.get(name);
    if (zone === undefined) {
      const { firstRate: rate, clock } = this.#options;
      zone = { rate, bucket: createBucket(rate, clock.nowMs()), waiting: new Set() };
      this.#zones.set(name, zone);
    }
    return zone;
  }

  /** Nothing runs while nothing waits, or may go on. */
  #wake(): void {
    const { clock, signal } = this.#options;
    if (this.#isAwake || signal.aborted) return;
    if (![...this.#zones.values()].some(({ bucket, waiting }) => bucket && waiting.size > 0)) return;
    this.#isAwake = true;
    clock.setTimer(periodMs, () => void this.#pass());
  }

  async #pass(): Promise<void> {
    for (const zone of this.#zones.values()) await this.#passZone(zone);
    this.#isAwake = false;
    this.#wake();
  }

  async #passZone(zone: Zone): Promise<void> {
    const { clock, signal, work } = this.#options;
    for (const node of [...zone.waiting]) {
      if (signal.aborted || zone.bucket?.tryTake(clock.nowMs()) !== true) return;
      if (await work(node)) zone.waiting.delete(node);
    }
  }
}

/** A rate of 0 lets nothing through. */
const createBucket = (rate: number, nowMs: number): TokenBucket | undefined =>
  rate > 0 ? new TokenBucket({ perSecond: rate, burst: 1 }, nowMs) : undefined;
