import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureDelay } from '../../../../src/nodeagent/shutdown/delay-lock.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('ensureDelay', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  /** What logind allows at each question; the last answer goes on. */
  function ensure(answers: readonly number[], desiredMs = 30_500) {
    const time = new SimulatedTime();
    const left = [...answers];
    const outcome = { reloads: 0, time };
    const logind = {
      maxDelayMs: async () => (left.length > 1 ? left.shift() : left[0]) ?? 0,
      reload: async () => {
        outcome.reloads += 1;
      },
    };
    const configFolder = join(directory.path, 'logind.conf.d');
    const { signal } = new AbortController();
    const common = { configFolder, agent: 'nodeagent', clock: time.clockOf('x'), signal };
    const done = ensureDelay({ logind, desiredMs, ...common });
    done.catch(() => {});
    return { done, outcome, configFolder };
  }

  it('changes nothing where logind allows enough', async () => {
    const { done, outcome } = ensure([30_500]);
    await done;
    expect(outcome.reloads).to.equal(0);
    expect(await readdir(directory.path)).to.deep.equal([]);
  });

  it('writes an addition to its configuration, in whole seconds, and waits until logind has read it', async () => {
    const { done, outcome, configFolder } = ensure([5000, 5000, 5000, 31_000]);
    let isDone = false;
    void done.then(() => {
      isDone = true;
    });
    while (!isDone) await outcome.time.pass(250);
    expect(outcome.reloads).to.equal(1);
    const text = await readFile(join(configFolder, '99-nodeagent.conf'), 'utf8');
    expect(text.split('\n').slice(1)).to.deep.equal(['[Login]', 'InhibitDelayMaxSec=31', '']);
  });

  it('gives up on a logind that goes on to allow less', async () => {
    const { done, outcome } = ensure([5000]);
    let failure: unknown;
    done.catch((error: unknown) => {
      failure = error;
    });
    while (failure === undefined) await outcome.time.pass(250);
    expect(String(failure)).to.include(
      'node shutdown manager was unable to update logind InhibitDelayMaxSec to 30.5s (ShutdownGracePeriod), current value of InhibitDelayMaxSec (5s) is less than requested ShutdownGracePeriod',
    );
  });
});
