import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { silentLogger } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  CheckpointStore,
  type ConfigSource,
  type ConfigState,
} from '../../../../src/nodeagent/dynamic-config/index.ts';
import { keepTrial, remainingTrialMs, trialMs } from '../../../../src/nodeagent/dynamic-config/trial.ts';
import { eventually } from '../../../support/eventually.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { source } from './sources.ts';

describe('remainingTrialMs', () => {
  it('is never longer than a trial nor shorter than nothing, whatever clocks do', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (assignedAt, now) => {
        expect(remainingTrialMs(assignedAt, now)).to.be.within(0, trialMs);
      }),
    );
    expect(remainingTrialMs(1000, 1000 + trialMs - 1)).to.equal(1);
    expect(remainingTrialMs(1000, 1000 + trialMs)).to.equal(0);
  });
});

describe('keepTrial', () => {
  let folder: TemporaryDirectory;
  let store: CheckpointStore;
  let time: SimulatedTime;
  let state: ConfigState;
  let good: ConfigSource[];
  let end: AbortController;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    store = new CheckpointStore(folder.path, orchDialect);
    time = new SimulatedTime();
    good = [];
    end = new AbortController();
    await store.prepare();
    await store.write('assigned', source());
    const at = new Date(time.nowMs);
    await utimes(join(folder.path, 'store/meta/assigned'), at, at);
  });
  afterEach(() => folder.remove());

  const keep = (): Promise<void> =>
    keepTrial({
      store,
      clock: time.clockOf('trial'),
      logger: silentLogger,
      state: () => state,
      onGood: (each) => good.push(each),
      signal: end.signal,
    });
  /** The first look at the file has been taken: what is waited for is the rest of the trial. */
  const untilWaiting = (): Promise<unknown> =>
    eventually(async () => {
      await time.pass(1);
      return time.pending('trial') > 0 ? true : undefined;
    });

  it('makes the active configuration the last known good one after ten minutes', async () => {
    state = { assigned: source(), active: source() };
    const done = keep();
    await untilWaiting();
    await time.pass(trialMs - 60_000);
    expect(good).to.deep.equal([]);
    expect(await store.read('last-known-good')).to.equal(undefined);
    await time.pass(60_000);
    await eventually(async () => {
      await time.pass(1);
      return good.length > 0 ? true : undefined;
    });
    await done;
    expect(good).to.deep.equal([source()]);
    expect(await store.read('last-known-good')).to.deep.equal(source());
  });

  it('has nothing to do for local, failed and proven configurations', async () => {
    const states: ConfigState[] = [
      {},
      { assigned: source(), error: 'x' },
      { assigned: source(), active: source({ uid: 'v' }), lastKnownGood: source({ uid: 'v' }) },
      { assigned: source(), active: source(), lastKnownGood: source() },
    ];
    for (state of states) await keep();
    expect(good).to.deep.equal([]);
    expect(time.pending('trial')).to.equal(0);
  });

  it('proves nothing once another one was assigned, and ends when it is told to', async () => {
    state = { assigned: source(), active: source() };
    const replaced = keep();
    await untilWaiting();
    state = { ...state, assigned: source({ resourceVersion: '8' }) };
    let hasEnded = false;
    void replaced.then(() => {
      hasEnded = true;
    });
    await eventually(async () => {
      await time.pass(trialMs);
      return hasEnded ? true : undefined;
    });
    state = { assigned: source(), active: source() };
    const stopped = keep();
    end.abort();
    await stopped;
    expect(good).to.deep.equal([]);
  });
});
