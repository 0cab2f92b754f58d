import { expect } from 'chai';
import {
  createWorkQueue,
  type WorkQueueMetrics,
  type WorkQueueOptions,
} from '../../../src/client/work-queue/index.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../storage/manual-clock.ts';

describe('createWorkQueue', () => {
  let controller: AbortController;
  let clock: ManualClock;
  beforeEach(() => {
    controller = new AbortController();
    clock = new ManualClock();
  });
  afterEach(() => controller.abort());
  const create = (options: Pick<WorkQueueOptions<string>, 'work'> & Partial<WorkQueueOptions<string>>) =>
    createWorkQueue<string>({ clock, signal: controller.signal, ...options });

  it('works on each key once, oldest first', async () => {
    const done: string[] = [];
    const queue = create({ work: async (key) => void done.push(key) });
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    await queue.whenIdle();
    // The first is in work when it is added again, so it comes once more.
    expect(done).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('never works on a key twice at a time and does a key again that was added meanwhile', async () => {
    const gates: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const queue = create({
      concurrency: 4,
      async work() {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => gates.push(resolve));
        running--;
      },
    });
    queue.add('a');
    queue.add('a');
    queue.add('a');
    gates.shift()?.();
    while (gates.length === 0) await Promise.resolve();
    gates.shift()?.();
    await queue.whenIdle();
    expect(most).to.equal(1);
    expect(gates).to.deep.equal([]);
  });

  it('works on several keys at a time, up to its limit', async () => {
    let running = 0;
    let most = 0;
    const queue = create({
      concurrency: 2,
      async work() {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
      },
    });
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    await queue.whenIdle();
    expect(most).to.equal(2);
  });

  it('tries a failed key again after pauses that double, and forgets failures after a success', async () => {
    const times: number[] = [];
    const failures: number[] = [];
    const queue = create({
      firstRetryMs: 100,
      async work() {
        times.push(clock.nowMs());
        if (times.length < 4) throw new Error('no');
      },
      onError: (_error, _key, count) => failures.push(count),
    });
    const startMs = clock.nowMs();
    queue.add('a');
    await queue.whenIdle();
    for (const delayMs of [100, 200, 400]) {
      clock.advance(delayMs);
      await queue.whenIdle();
    }
    expect(times.map((time) => time - startMs)).to.deep.equal([0, 100, 300, 700]);
    expect(failures).to.deep.equal([1, 2, 3]);
  });

  it('keeps the earliest of several delays, and adding a key ends its delay', async () => {
    const done: string[] = [];
    const queue = create({ work: async (key) => void done.push(key) });
    queue.addAfter('a', 500);
    queue.addAfter('a', 100);
    queue.addAfter('a', 900);
    clock.advance(100);
    await queue.whenIdle();
    queue.addAfter('b', 100);
    queue.add('b');
    await queue.whenIdle();
    clock.advance(1000);
    await queue.whenIdle();
    expect(done).to.deep.equal(['a', 'b']);
  });

  it('lets keys rest after the work on them, and does what was added meanwhile once', async () => {
    const done: string[] = [];
    const queue = create({
      work: async (key) => void done.push(`${key} at ${clock.nowMs()}`),
      restMs: (key) => (key === 'large' ? 50 : 0),
    });
    const startMs = clock.nowMs();
    queue.add('large');
    queue.add('small');
    await eventually(async () => done.length === 2 || undefined);
    for (const key of ['large', 'small', 'large']) queue.add(key);
    await eventually(async () => done.length === 3 || undefined);
    let isIdle = false;
    const idle = queue.whenIdle().then(() => {
      isIdle = true;
    });
    clock.advance(49);
    expect([done.length, isIdle], 'what rests and was added is still to be done').to.deep.equal([3, false]);
    clock.advance(1);
    await idle;
    expect(done).to.deep.equal([
      ...[`large at ${startMs}`, `small at ${startMs}`, `small at ${startMs}`],
      `large at ${startMs + 50}`,
    ]);
    clock.advance(50);
    queue.add('large');
    await queue.whenIdle();
    expect(done.at(-1), 'nothing was added in its rest').to.equal(`large at ${startMs + 100}`);
  });

  it('ends when its signal aborts, after the work in progress', async () => {
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    const queue = create({
      async work(key) {
        await gate.promise;
        done.push(key);
      },
    });
    queue.add('a');
    queue.add('b');
    controller.abort();
    gate.resolve();
    await queue.done;
    queue.add('c');
    expect(done).to.deep.equal(['a']);
    expect(queue.length).to.equal(0);
  });

  it('counts what goes through it, each key once for as long as it waits', async () => {
    const counted = { depth: 0, adds: 0, retries: 0, waits: [] as number[], works: [] as number[] };
    let secondsInWork: () => readonly number[] = () => [];
    let isFollowed = true;
    const metrics: WorkQueueMetrics = {
      addDepth(change) {
        counted.depth += change;
      },
      countAdd: () => void counted.adds++,
      countRetry: () => void counted.retries++,
      observeWait: (seconds) => void counted.waits.push(seconds),
      observeWork: (seconds) => void counted.works.push(seconds),
      followWork(source) {
        secondsInWork = source;
        return () => {
          isFollowed = false;
        };
      },
    };
    const gates: (() => void)[] = [];
    const queue = create({
      metrics,
      work: () => new Promise((resolve) => gates.push(resolve)),
    });
    for (const key of ['a', 'b', 'b', 'a']) queue.add(key);
    expect(counted).to.deep.include({ depth: 2, adds: 3, waits: [0] });
    clock.advance(2000);
    expect(secondsInWork()).to.deep.equal([2]);
    gates.shift()?.();
    await eventually(async () => (gates.length === 1 ? true : undefined));
    expect(counted).to.deep.include({ depth: 1, waits: [0, 2], works: [2] });
    queue.addAfter('c', 1000);
    queue.addAfter('c', 2000);
    queue.add('d');
    expect(counted).to.deep.include({ depth: 2, adds: 4, retries: 2 });
    controller.abort();
    expect(counted.depth).to.equal(0);
    expect(isFollowed).to.equal(false);
    for (const open of gates) open();
    await queue.done;
  });
});
