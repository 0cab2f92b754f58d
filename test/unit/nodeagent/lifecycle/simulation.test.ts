import { expect } from 'chai';
import fc from 'fast-check';
import { findFlaws } from './simulation/find-flaws.ts';
import { type Happening, happen, happenings } from './simulation/history.ts';
import { World } from './simulation/world.ts';

/** Waits of crash loops and of images, calls that take their whole time, and two periods of the watch. */
const quietMs = 1_000_000;
const windowMs = 30_000;
/** More runs with other seeds are for those who change something. */
const { SIMULATION_RUNS = '60', SIMULATION_SEED = '20' } = process.env;
const runs = { numRuns: Number(SIMULATION_RUNS), seed: Number(SIMULATION_SEED) };

interface Troubles {
  readonly seed: number;
  readonly failurePercent: number;
  readonly slowPercent: number;
  readonly hasLateEffects: boolean;
}

/** Lets a history happen to a new world, and then nothing go wrong for long. */
async function live(history: readonly Happening[], { seed, ...troubles }: Troubles): Promise<World> {
  const world = new World(seed);
  Object.assign(world.faults, troubles);
  world.startAgent();
  for (const each of history) await happen(world, each);
  Object.assign(world.faults, { failurePercent: 0, slowPercent: 0, hasLateEffects: false });
  await world.time.pass(quietMs);
  return world;
}

async function check(world: World): Promise<void> {
  expect(world.invariants.broken.join('\n'), 'rules').to.equal('');
  expect(findFlaws(world).join('\n'), 'flaws').to.equal('');
  const before = world.invariants.callCount;
  await world.time.pass(windowMs);
  const podCount = world.desired.api.size + world.desired.file.size;
  // Those of the watch, and those of pods that are renewed, or crash.
  const maxCalls = 2 * (windowMs / 1000 + 1) + 60 * podCount;
  expect(world.invariants.callCount - before, 'calls').to.be.at.most(maxCalls);
  expect(await world.closeAgent(), 'timers').to.equal(0);
}

describe('the lifecycle of pods, in random histories', () => {
  const cases = [
    { name: 'without faults', percents: [0], late: false },
    { name: 'with calls that fail or are slow', percents: [3, 15, 40], late: false },
    { name: 'with calls that take effect long after they failed', percents: [5, 25], late: true },
  ];
  for (const { name, percents, late } of cases) {
    it(`breaks no rule and comes to rest as it should, ${name}`, async () => {
      const troubles = fc.record({
        seed: fc.nat(),
        failurePercent: fc.constantFrom(...percents),
        slowPercent: fc.constantFrom(...percents),
        hasLateEffects: fc.constant(late),
      });
      let startCount = 0;
      const property = fc.asyncProperty(happenings, troubles, async (history, each) => {
        const world = await live(history, each);
        startCount += world.invariants.startCount;
        await check(world);
      });
      await fc.assert(property, runs);
      expect(startCount, 'processes').to.be.at.least(5 * runs.numRuns);
    });
  }
});
