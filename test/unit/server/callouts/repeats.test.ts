import { expect } from 'chai';
import type { Clock } from '../../../../src/base/index.ts';
import { CalloutError, callWithBackoff } from '../../../../src/server/callouts/index.ts';

/** A clock that notes how long it was asked to wait, and does not. */
class HastyClock implements Clock {
  readonly delaysMs: number[] = [];
  nowMs = (): number => 0;
  setTimer(delayMs: number, callback: () => void): () => void {
    this.delaysMs.push(delayMs);
    callback();
    return () => {};
  }
}

const transient = new CalloutError('busy', { isTransient: true });
const { signal } = new AbortController();

describe('callWithBackoff', () => {
  let clock: HastyClock;
  beforeEach(() => {
    clock = new HastyClock();
  });
  const run = (outcomes: readonly (Error | string)[], more: object = {}) => {
    let calls = 0;
    const call = async (): Promise<string> => {
      const outcome = outcomes[calls++] ?? expect.fail('called too often');
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const result = callWithBackoff(call, { clock, random: () => 0, signal, ...more });
    return result.then(
      (value) => [value, calls],
      (error: unknown) => [error, calls],
    );
  };

  it('gives what the call gives', async () => {
    expect(await run(['done'])).to.deep.equal(['done', 1]);
    expect(clock.delaysMs).to.deep.equal([]);
  });

  it('calls again after transient failures, five times at most, ever more slowly', async () => {
    expect(await run([transient, transient, 'done'])).to.deep.equal(['done', 3]);
    clock.delaysMs.length = 0;
    expect(await run(Array(5).fill(transient))).to.deep.equal([transient, 5]);
    expect(clock.delaysMs).to.deep.equal([500, 750, 1125, 1687.5]);
  });

  it('makes pauses up to a fifth longer', async () => {
    await run([transient, 'done'], { random: () => 1, initialDelayMs: 100 });
    expect(clock.delaysMs).to.deep.equal([120]);
  });

  it('calls once where the failure stays', async () => {
    const refused = new CalloutError('no');
    expect(await run([refused])).to.deep.equal([refused, 1]);
    const other = new TypeError('a bug');
    expect(await run([other])).to.deep.equal([other, 1]);
  });

  it('ends when nobody waits any more', async () => {
    expect(await run([transient], { signal: AbortSignal.abort() })).to.deep.equal([transient, 1]);
  });
});
