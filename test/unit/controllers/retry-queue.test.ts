import { expect } from 'chai';
import { RetryQueue } from '../../../src/controllers/retry-queue.ts';
import { ManualClock } from '../storage/manual-clock.ts';

/** A queue whose runs end when the test says so. */
function setUp(concurrency = 1) {
  const clock = new ManualClock();
  const end = new AbortController();
  const started: string[] = [];
  const failures: number[] = [];
  const open = new Map<string, PromiseWithResolvers<void>>();
  const queue = new RetryQueue<string>({
    reconcile(key) {
      started.push(key);
      const run = Promise.withResolvers<void>();
      open.set(key, run);
      return run.promise;
    },
    concurrency,
    backoff: { baseMs: 100, maxMs: 400, random: () => 1 },
    clock,
    signal: end.signal,
    onFailure: (_key, _error, retryMs) => void failures.push(retryMs),
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    queue,
    clock,
    started,
    failures,
    stop: () => end.abort(),
    async finish(key: string) {
      open.get(key)?.resolve();
      await settle();
    },
    async fail(key: string) {
      open.get(key)?.reject(new Error('no'));
      await settle();
    },
  };
}

describe('RetryQueue', () => {
  it('works on as many keys at once as it may, in order', async () => {
    const { queue, started, finish } = setUp(2);
    for (const key of ['a', 'b', 'c', 'a']) queue.add(key);
    expect(started).to.deep.equal(['a', 'b']);
    await finish('b');
    expect(started).to.deep.equal(['a', 'b', 'c']);
  });

  it('runs a key once more when it was added while it ran', async () => {
    const { queue, started, finish } = setUp(2);
    queue.add('a');
    queue.add('a');
    queue.add('a');
    expect(started).to.deep.equal(['a']);
    await finish('a');
    expect(started).to.deep.equal(['a', 'a']);
    await finish('a');
    expect(queue.size).to.equal(0);
  });

  it('tries again after growing delays up to a limit, and starts over after a success', async () => {
    const { queue, clock, failures, fail, finish, started } = setUp();
    queue.add('a');
    for (const delayMs of [100, 200, 400, 400]) {
      await fail('a');
      clock.advance(delayMs - 1);
      expect(started).to.have.length(failures.length);
      clock.advance(1);
    }
    await finish('a');
    queue.add('a');
    await fail('a');
    expect(failures).to.deep.equal([100, 200, 400, 400, 100]);
  });

  it('does not wait for a delay when the key is added meanwhile', async () => {
    const { queue, clock, fail, started } = setUp();
    queue.add('a');
    await fail('a');
    queue.add('a');
    expect(started).to.deep.equal(['a', 'a']);
    expect(clock.timerCount).to.equal(0);
  });

  it('starts nothing while it is held', () => {
    const { queue, started } = setUp();
    queue.hold();
    queue.add('a');
    expect(started).to.deep.equal([]);
    queue.release();
    expect(started).to.deep.equal(['a']);
  });

  it('ends after the signal, once what runs has ended', async () => {
    const { queue, clock, stop, finish, fail, started } = setUp();
    queue.add('later');
    await fail('later');
    queue.add('a');
    queue.add('b');
    stop();
    let isEnded = false;
    const ended = queue.ended().then(() => {
      isEnded = true;
    });
    expect(clock.timerCount).to.equal(0);
    await finish('none');
    expect(isEnded).to.equal(false);
    await finish('a');
    await ended;
    queue.add('c');
    expect(started).to.deep.equal(['later', 'a']);
  });
});
