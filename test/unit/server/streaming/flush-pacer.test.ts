import { expect } from 'chai';
import { FlushPacer, type PacedStream } from '../../../../src/server/streaming/flush-pacer.ts';

/** An event loop that a test turns by hand, with the time that flushing one stream takes. */
class HandTurned {
  now = 0;
  pauses: number[] = [];
  #endOfTurn: (() => void)[] = [];
  #later: (() => void)[] = [];
  #afterPause: (() => void)[] = [];

  readonly turns = {
    atEndOfTurn: (step: () => void) => void this.#endOfTurn.push(step),
    afterOthers: (step: () => void) => void this.#later.push(step),
    afterPause: (step: () => void, pauseMs: number) => {
      this.pauses.push(pauseMs);
      this.#afterPause.push(step);
    },
    nowMs: () => this.now,
  };

  endTurn(): void {
    for (const step of this.#endOfTurn.splice(0)) step();
  }

  nextTurn(): void {
    for (const step of this.#later.splice(0)) step();
  }

  pass(): void {
    for (const step of this.#afterPause.splice(0)) step();
    while (this.#later.length > 0) this.nextTurn();
  }

  get isAtRest(): boolean {
    return this.#endOfTurn.length + this.#later.length + this.#afterPause.length === 0;
  }
}

/** A stream that counts what it sends. */
class CountingStream implements PacedStream {
  waiting = 0;
  readonly sent: number[] = [];
  readonly #loop: HandTurned;
  readonly #costMs: number;

  constructor(loop: HandTurned, costMs = 0) {
    this.#loop = loop;
    this.#costMs = costMs;
  }

  flush(): boolean {
    if (this.waiting === 0) return false;
    this.sent.push(this.waiting);
    this.waiting = 0;
    this.#loop.now += this.#costMs;
    return true;
  }
}

const open = (streamCount: number, costMs = 0) => {
  const loop = new HandTurned();
  const pacer = new FlushPacer(loop.turns);
  const streams = Array.from({ length: streamCount }, () => new CountingStream(loop, costMs));
  const put = (stream: CountingStream | undefined): void => {
    if (stream === undefined) throw new RangeError('no such stream');
    if (++stream.waiting === 1) pacer.request(stream);
  };
  return { loop, streams, put };
};

describe('FlushPacer', () => {
  it('sends for a quiet stream at the end of the turn, all that came in it', () => {
    const { loop, streams, put } = open(1);
    put(streams[0]);
    put(streams[0]);
    expect(streams[0]?.sent).to.deep.equal([]);
    loop.endTurn();
    expect(streams[0]?.sent).to.deep.equal([2]);
  });

  it('gathers for a stream that has just sent, until the round', () => {
    const { loop, streams, put } = open(2);
    put(streams[0]);
    loop.endTurn();
    for (let n = 0; n < 5; n++) put(streams[0]);
    put(streams[1]);
    loop.endTurn();
    expect(streams.map(({ sent }) => sent)).to.deep.equal([[1], [1]]);
    loop.pass();
    expect(streams.map(({ sent }) => sent)).to.deep.equal([[1, 5], [1]]);
  });

  it('forgets a stream that was quiet for a round, and rests when all are', () => {
    const { loop, streams, put } = open(1);
    put(streams[0]);
    loop.endTurn();
    loop.pass();
    expect(loop.isAtRest).to.equal(true);
    put(streams[0]);
    loop.endTurn();
    expect(streams[0]?.sent).to.deep.equal([1, 1]);
  });

  it('lets other work pass while many streams send', () => {
    const { loop, streams, put } = open(10, 3);
    for (const stream of streams) put(stream);
    const sentCount = () => streams.filter(({ sent }) => sent.length > 0).length;
    const counts: number[] = [];
    loop.endTurn();
    for (counts.push(sentCount()); sentCount() < 10; counts.push(sentCount())) loop.nextTurn();
    expect(counts).to.deep.equal([3, 6, 9, 10]);
  });

  it('takes what comes between the parts of a long round', () => {
    const { loop, streams, put } = open(10, 3);
    for (const stream of streams.slice(0, 9)) put(stream);
    loop.endTurn();
    put(streams[9]);
    put(streams[0]);
    loop.nextTurn();
    loop.nextTurn();
    loop.nextTurn();
    expect(streams[9]?.sent).to.deep.equal([1]);
    loop.pass();
    expect(streams[0]?.sent).to.deep.equal([1, 1]);
  });

  it('leaves half of the time for other work, but lets nobody wait long', () => {
    const costs: readonly [streams: number, pauseMs: number][] = [
      [1, 4],
      [10, 20],
      [100, 40],
    ];
    for (const [count, pauseMs] of costs) {
      const { loop, streams, put } = open(count, 2);
      for (const stream of streams) put(stream);
      loop.endTurn();
      while (streams.some(({ sent }) => sent.length === 0)) loop.nextTurn();
      expect(loop.pauses).to.deep.equal([4]);
      for (const stream of streams) put(stream);
      loop.pass();
      expect(loop.pauses).to.deep.equal([4, pauseMs]);
    }
  });
});
