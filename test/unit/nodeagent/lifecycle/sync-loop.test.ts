import { expect } from 'chai';
import { SyncLoop } from '../../../../src/nodeagent/lifecycle/sync-loop.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

describe('SyncLoop', () => {
  function open(sync: (count: number) => Promise<readonly number[]>) {
    const time = new SimulatedTime();
    const syncsAtMs: number[] = [];
    const failures: unknown[] = [];
    const loop = new SyncLoop({
      sync() {
        syncsAtMs.push(time.nowMs - time.beginMs);
        return sync(syncsAtMs.length);
      },
      onFailure: (error) => failures.push(error),
      clock: time.clockOf('loop'),
    });
    return { time, loop, syncsAtMs, failures };
  }

  it('syncs once more for all that changes during a sync', async () => {
    const first = Promise.withResolvers<readonly number[]>();
    const { time, loop, syncsAtMs } = open((count) => (count === 1 ? first.promise : Promise.resolve([])));
    for (let each = 0; each < 5; each++) loop.notify();
    await time.pass(10);
    expect(syncsAtMs).to.deep.equal([0]);
    first.resolve([]);
    await time.pass(10_000);
    expect(syncsAtMs).to.deep.equal([0, 10]);
  });

  it('syncs at the first moment ahead that the last sync named', async () => {
    const { time, loop, syncsAtMs } = open(async (count) =>
      count === 1 ? [0, time.beginMs + 7000, time.beginMs + 3000] : [0],
    );
    loop.notify();
    await time.pass(60_000);
    expect(syncsAtMs).to.deep.equal([0, 3000]);
  });

  it('waits no longer than an hour, since timers bear no years', async () => {
    const { time, loop, syncsAtMs } = open(async () => [Number.MAX_SAFE_INTEGER]);
    loop.notify();
    await time.pass(3_600_000);
    expect(syncsAtMs).to.deep.equal([0, 3_600_000]);
  });

  it('tries again after failures, later each time, and forgets them after a success', async () => {
    const { time, loop, syncsAtMs, failures } = open((count) =>
      count === 3 || count > 4 ? Promise.resolve([]) : Promise.reject(new Error(`${count}`)),
    );
    loop.notify();
    await time.pass(60_000);
    loop.notify();
    await time.pass(60_000);
    expect(syncsAtMs).to.deep.equal([0, 1000, 3000, 60_000, 61_000]);
    expect(failures.map(String)).to.deep.equal(['Error: 1', 'Error: 2', 'Error: 4']);
  });

  it('is silent once it is closed', async () => {
    const { time, loop, syncsAtMs } = open(async () => [time.beginMs + 5000]);
    loop.notify();
    await time.pass(1000);
    loop.close();
    loop.notify();
    await time.pass(60_000);
    expect([syncsAtMs, time.pending('loop')]).to.deep.equal([[0], 0]);
  });
});
