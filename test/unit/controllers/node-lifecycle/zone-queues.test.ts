import { expect } from 'chai';
import { ZoneQueues } from '../../../../src/controllers/node-lifecycle/zone-queues.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

function setUp(firstRate: number) {
  const time = new SimulatedTime();
  const done: string[] = [];
  const refused = new Set<string>();
  const queues = new ZoneQueues({
    clock: time.clockOf('queues'),
    signal: new AbortController().signal,
    firstRate,
    work: async (node) => {
      const second = Math.floor((time.nowMs - time.beginMs) / 1000);
      done.push(`${second} ${node}`);
      return !refused.has(node);
    },
  });
  return { time, done, refused, queues };
}

describe('ZoneQueues', () => {
  it('works on so many nodes per second in each zone, in order', async () => {
    const { time, done, queues } = setUp(0.1);
    for (const node of ['a', 'b', 'c', 'a']) queues.add('x', node);
    queues.add('y', 'd');
    await time.pass(60_000);
    expect(done).to.deep.equal(['0 a', '0 d', '10 b', '20 c']);
    expect(time.pending('queues'), 'no timer while nothing waits').to.equal(0);
  });

  it('forgets nodes that need not go any more', async () => {
    const { time, done, queues } = setUp(1);
    for (const node of ['a', 'b', 'c']) queues.add('x', node);
    queues.remove('b');
    await time.pass(5000);
    expect(done.map((text) => text.split(' ')[1])).to.deep.equal(['a', 'c']);
  });

  it('rests at a rate of nothing, and goes on at another one without a turn more', async () => {
    const { time, done, queues } = setUp(0.1);
    for (const node of ['a', 'b', 'c']) queues.add('x', node);
    await time.pass(1000);
    queues.setRate('x', 0);
    await time.pass(100_000);
    expect(done).to.deep.equal(['0 a']);
    expect(time.pending('queues'), 'no timer while nothing may go on').to.equal(0);
    queues.setRate('x', 1);
    await time.pass(3000);
    expect(done).to.deep.equal(['0 a', '102 b', '103 c']);
  });

  it('tries again what could not be done, and counts that', async () => {
    const { time, done, refused, queues } = setUp(1);
    refused.add('a');
    queues.add('x', 'a');
    queues.add('x', 'b');
    await time.pass(1500);
    refused.delete('a');
    await time.pass(10_000);
    expect(done).to.deep.equal(['0 a', '1 a', '2 a', '3 b']);
  });
});
