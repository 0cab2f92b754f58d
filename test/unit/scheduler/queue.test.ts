import { expect } from 'chai';
import { Heap } from '../../../src/scheduler/heap.ts';
import { type QueuedPod, SchedulingQueue } from '../../../src/scheduler/queue.ts';
import { createRandomSource } from '../../support/random-source.ts';
import { ManualClock } from '../storage/manual-clock.ts';
import { podOf } from './fixtures.ts';

describe('SchedulingQueue', () => {
  let clock: ManualClock;
  let ready: number;
  let queue: SchedulingQueue;
  beforeEach(() => {
    clock = new ManualClock();
    ready = 0;
    queue = new SchedulingQueue(clock, () => ready++);
  });
  const popKey = () => queue.pop()?.key;
  const take = (): QueuedPod => {
    const pod = queue.pop();
    if (pod === undefined) throw new Error('nothing is ready');
    return pod;
  };
  const fail = () => queue.retry(take());

  it('gives pods of higher priority first, then those that came first', () => {
    for (const [name, priority] of [
      ['a', 0],
      ['b', 5],
      ['c', 5],
      ['d', 9],
    ] as const) {
      queue.set(podOf(name, { priority }));
      clock.advance(1);
    }
    expect([popKey(), popKey(), popKey(), popKey(), popKey()]).to.deep.equal([
      'default/d',
      'default/b',
      'default/c',
      'default/a',
      undefined,
    ]);
  });

  it('has no timers while it is empty or all is ready', () => {
    queue.set(podOf('a'));
    expect(clock.timerCount).to.equal(0);
    queue.deleteTried(take());
    expect([queue.size, clock.timerCount]).to.deep.equal([0, 0]);
  });

  it('keeps a pod that failed until something changes, and pauses it longer each time', () => {
    queue.set(podOf('a'));
    for (const pauseMs of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
      fail();
      queue.wake();
      clock.advance(pauseMs - 1);
      expect(queue.pop()).to.equal(undefined);
      clock.advance(1);
    }
    expect(popKey()).to.equal('default/a');
  });

  it('tries at once what changes after the pause', () => {
    queue.set(podOf('a'));
    fail();
    clock.advance(30_000);
    expect(queue.pop()).to.equal(undefined);
    queue.wake();
    expect(popKey()).to.equal('default/a');
  });

  it('tries again after a minute in any case', () => {
    queue.set(podOf('a'));
    fail();
    clock.advance(59_999);
    expect(queue.pop()).to.equal(undefined);
    const before = ready;
    clock.advance(1);
    expect([popKey(), ready]).to.deep.equal(['default/a', before + 1]);
  });

  it('tries again when something changed during the try', () => {
    queue.set(podOf('a'));
    const tried = take();
    queue.wake();
    queue.retry(tried);
    clock.advance(1000);
    expect(popKey()).to.equal('default/a');
  });

  it('wakes those only that are concerned', () => {
    queue.set(podOf('a'));
    queue.set(podOf('b'));
    fail();
    fail();
    clock.advance(5000);
    queue.wake(({ key }) => key === 'default/b');
    expect([popKey(), popKey()]).to.deep.equal(['default/b', undefined]);
  });

  for (const [when, wake] of [
    ['', () => {}],
    [', also one that has begun', () => queue.wake()],
  ] as const) {
    it(`tries a pod anew once it was written, whatever was, and without a pause${when}`, () => {
      const info = podOf('a');
      queue.set(info);
      fail();
      wake();
      const { pod } = info;
      queue.set({ ...info });
      expect(queue.pop()).to.equal(undefined);
      const status = { ...pod.status, message: 'x' };
      queue.set({ ...info, pod: { ...pod, status, metadata: { ...pod.metadata, resourceVersion: '8' } } });
      expect(popKey()).to.equal('default/a');
      expect(queue.pop()).to.equal(undefined);
    });
  }

  it('forgets pods that are gone, also while they are tried', () => {
    queue.set(podOf('a'));
    const tried = take();
    queue.delete(tried.key);
    expect(queue.isTrying(tried)).to.equal(false);
    queue.retry(tried);
    clock.advance(100_000);
    expect([queue.pop(), queue.size, clock.timerCount]).to.deep.equal([undefined, 0, 0]);
  });

  it('takes a pod of the same name for another one', () => {
    queue.set(podOf('a'));
    fail();
    queue.set(podOf('a', { priority: 3 }));
    expect(take().info.priority).to.equal(3);
  });
});

describe('Heap', () => {
  it('gives what is left in order, whatever was removed', () => {
    const random = createRandomSource(7);
    const items = Array.from({ length: 200 }, () => ({ value: random.below(50) }));
    const heap = new Heap<{ readonly value: number }>((a, b) => a.value < b.value);
    for (const item of items) heap.push(item);
    const kept = items.filter((_, at) => at % 3 !== 0);
    for (const [at, item] of items.entries()) if (at % 3 === 0) heap.remove(item);
    heap.remove({ value: 1 });
    const popped: number[] = [];
    for (let item = heap.pop(); item !== undefined; item = heap.pop()) popped.push(item.value);
    expect(popped).to.deep.equal(kept.map(({ value }) => value).sort((a, b) => a - b));
  });
});
