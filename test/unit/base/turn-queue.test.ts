import { expect } from 'chai';
import * as fc from 'fast-check';
import { createSystemTurns, createTurnQueue } from '../../../src/base/index.ts';

/** A queue whose clock and event loop the test drives. */
class Loop {
  nowMs = 0;
  readonly log: string[] = [];
  #deferred: (() => void)[] = [];
  #settling: (() => void)[] = [];
  readonly turns = createTurnQueue({
    sliceMs: 8,
    nowMs: () => this.nowMs,
    defer: (callback) => void this.#deferred.push(callback),
    settle: (callback) => void this.#settling.push(callback),
  });

  /** Work that takes a while, of which a part comes only after the step itself. */
  step(name: string, { ownMs = 0, laterMs = 0 }: { ownMs?: number; laterMs?: number }): () => void {
    return () => {
      this.log.push(name);
      this.nowMs += ownMs;
      this.#settling.push(() => {
        this.nowMs += laterMs;
      });
    };
  }

  /** Until nothing of the present turn is left to react. */
  settle(): void {
    for (let next = this.#settling.shift(); next !== undefined; next = this.#settling.shift()) next();
  }

  /** One round of the event loop. */
  round(): void {
    for (const run of this.#deferred.splice(0)) run();
    this.settle();
  }

  get isIdle(): boolean {
    return this.#deferred.length === 0 && this.#settling.length === 0;
  }
}

describe('createTurnQueue', () => {
  let loop: Loop;
  beforeEach(() => {
    loop = new Loop();
  });

  it('runs steps at once while there is time', () => {
    for (const name of ['a', 'b', 'c']) loop.turns.push(loop.step(name, { ownMs: 1 }));
    loop.settle();
    expect(loop.log.join('')).to.equal('abc');
  });

  it('leaves the rest to the next rounds, as many steps in each as its time allows', () => {
    for (const name of 'abcdefgh') loop.turns.push(loop.step(name, { ownMs: 3 }));
    loop.settle();
    expect(loop.log.join('')).to.equal('abc');
    loop.round();
    expect(loop.log.join('')).to.equal('abcdef');
    loop.round();
    expect(loop.log.join('')).to.equal('abcdefgh');
    loop.round();
    expect(loop.isIdle, 'nothing is left to run').to.equal(true);
  });

  it('counts what a step causes to its turn', () => {
    for (const name of 'abcd') loop.turns.push(loop.step(name, { laterMs: 5 }));
    loop.settle();
    expect(loop.log.join('')).to.equal('ab');
    loop.round();
    expect(loop.log.join('')).to.equal('abcd');
  });

  it('runs one step per round however long others kept the loop', () => {
    for (const name of 'abc') loop.turns.push(loop.step(name, { ownMs: 100 }));
    loop.settle();
    for (const expected of ['a', 'ab', 'abc']) {
      expect(loop.log.join('')).to.equal(expected);
      loop.round();
    }
  });

  it('lets callers go on at once while there is time and nobody waits, else in their order', async () => {
    expect(loop.turns.take()).to.equal(undefined);
    loop.nowMs += 8;
    const log: string[] = [];
    const all = ['a', 'b'].map((name) => loop.turns.take()?.then(() => log.push(name)));
    expect(all).to.not.include(undefined);
    loop.turns.push(() => log.push('c'));
    loop.round();
    await Promise.all(all);
    expect(log.sort().join('')).to.equal('abc');
    loop.round();
    expect(loop.turns.take()).to.equal(undefined);
  });

  it('lets timers and input go before who has worked long when input came', async () => {
    const reactions = () => new Promise(setImmediate);
    const rest = () => loop.turns.take({ isAfterLongWork: true })?.then(() => loop.log.push('rested'));
    expect(loop.turns.take()).to.equal(undefined);
    loop.nowMs += 30;
    void rest();
    // The end of the round in which the input came: nothing else was served since.
    loop.round();
    await reactions();
    expect(loop.log).to.deep.equal([]);
    loop.round();
    await reactions();
    expect(loop.log).to.deep.equal(['rested']);
  });

  it('lets who has worked long at the end of a round go on in the next one', async () => {
    loop.turns.push(loop.step('first', { ownMs: 8 }));
    loop.turns.push(() => {
      loop.nowMs += 30;
      void loop.turns.take({ isAfterLongWork: true })?.then(() => loop.log.push('rested'));
    });
    loop.settle();
    loop.round();
    expect(loop.log).to.deep.equal(['first']);
    loop.round();
    await new Promise(setImmediate);
    expect(loop.log).to.deep.equal(['first', 'rested']);
  });

  it('makes those who come later wait behind those who wait', () => {
    loop.turns.push(loop.step('a', { ownMs: 8 }));
    loop.turns.push(loop.step('b', {}));
    loop.nowMs = 0; // as if there was time again
    expect(loop.turns.take()).to.be.instanceOf(Promise);
  });

  it('goes on after a step that fails', () => {
    expect(() =>
      loop.turns.push(() => {
        throw new Error('broken');
      }),
    ).to.throw('broken');
    loop.turns.push(loop.step('b', {}));
    loop.settle();
    expect(loop.log).to.deep.equal(['b']);
  });

  it('loses nothing and keeps the order, whatever comes when', () => {
    const action = fc.oneof(
      fc.record({ ownMs: fc.integer({ min: 0, max: 12 }), laterMs: fc.integer({ min: 0, max: 12 }) }),
      fc.constantFrom('round' as const, 'settle' as const),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const random = new Loop();
        const pushed: string[] = [];
        for (const next of actions) {
          if (next === 'round') random.round();
          else if (next === 'settle') random.settle();
          else {
            const name = String(pushed.length);
            pushed.push(name);
            random.turns.push(random.step(name, next));
          }
        }
        random.settle();
        for (let rounds = 0; !random.isIdle; rounds++) {
          expect(rounds).to.be.below(100);
          random.round();
        }
        expect(random.log).to.deep.equal(pushed);
      }),
    );
  });
});

describe('createSystemTurns', () => {
  it('runs every step in order, each after all that the one before has caused', async () => {
    const turns = createSystemTurns();
    const log: number[] = [];
    await new Promise<void>((resolve) => {
      for (let n = 0; n < 100; n++) {
        turns.push(() => {
          log.push(n);
          // A chain of reactions, as a request has.
          void (async () => {
            for (let hop = 0; hop < 10; hop++) await undefined;
            log.push(n);
            if (n === 99) resolve();
          })();
        });
      }
    });
    expect(log).to.deep.equal(Array.from({ length: 200 }, (_, index) => index >> 1));
  });
});
