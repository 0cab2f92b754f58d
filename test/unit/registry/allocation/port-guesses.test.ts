import { expect } from 'chai';
import type { NumberPool } from '../../../../src/registry/allocation/number-pool.ts';
import { PortGuesses } from '../../../../src/registry/allocation/port-guesses.ts';

const firstPort = 30_000;

/** Guesses above a range of 2768 ports of which some are taken, asked by port instead of by slot. */
function createGuesses(...taken: readonly number[]) {
  const slots = new Set(taken.map((port) => port - firstPort));
  const trial: NumberPool = {
    // As pools do: what is outside is ignored.
    take: (slot) => slot < 0 || slot >= 2768 || (!slots.has(slot) && slots.add(slot) !== undefined),
    takeAny: () => expect.fail('a dry run takes no port of the range'),
    free: () => expect.fail('a dry run took nothing'),
    trial: () => trial,
  };
  const guesses = new PortGuesses(trial, firstPort);
  return {
    take: (port: number) => guesses.take(port - firstPort),
    takeAny: () => guesses.takeAny() + firstPort,
    guesses,
  };
}

describe('PortGuesses', () => {
  it('shows ports from 32769 on where none was asked for', () => {
    const { takeAny } = createGuesses();
    expect([takeAny(), takeAny(), takeAny()]).to.deep.equal([32_769, 32_770, 32_771]);
  });

  it('goes on behind the highest port that was asked for, also out of the range or when it is taken', async () => {
    const { take, takeAny } = createGuesses(30_101, 30_102);
    await take(30_100);
    await take(30_007);
    expect([takeAny(), takeAny()]).to.deep.equal([30_101, 30_102]);
    await take(32_767);
    expect([takeAny(), takeAny()]).to.deep.equal([32_768, 32_769]);
  });

  it('goes on behind what it showed when a lower port is asked for', async () => {
    const { take, takeAny } = createGuesses();
    expect(takeAny()).to.equal(32_769);
    await take(30_000);
    expect(takeAny()).to.equal(32_770);
  });

  it('refuses ports that are taken, and remembers nothing of them', async () => {
    const { take, takeAny } = createGuesses(30_100);
    expect(await take(30_100)).to.equal(false);
    expect(takeAny()).to.equal(32_769);
  });

  it('takes no port twice, whether it was asked for or shown, in the range or not', async () => {
    const { take, takeAny } = createGuesses();
    for (const port of [30_100, 29_999, 40_000]) {
      expect(await take(port)).to.equal(true);
      expect(await take(port)).to.equal(false);
    }
    const shown = takeAny();
    expect(shown).to.equal(40_001);
    expect(await take(shown)).to.equal(false);
    expect(takeAny()).to.equal(40_002);
  });

  it('gives nothing back, and is its own dry run', async () => {
    const { take, guesses } = createGuesses();
    await take(30_100);
    guesses.free();
    expect(await take(30_100)).to.equal(false);
    expect(guesses.trial()).to.equal(guesses);
  });
});
