import { expect } from 'chai';
import {
  initialThresholdState,
  nextThresholdState,
  type ThresholdState,
} from '../../../../src/nodeagent/eviction/threshold-state.ts';
import type { EvictionSignal, EvictionThreshold } from '../../../../src/nodeagent/options/index.ts';

describe('nextThresholdState', () => {
  const hard: EvictionThreshold = {
    signal: 'memory.available',
    below: { amount: 100 },
    gracePeriodMs: 0,
    minimumReclaim: { amount: 50 },
  };
  const soft: EvictionThreshold = {
    signal: 'nodefs.available',
    below: { percent: 10 },
    gracePeriodMs: 60_000,
  };

  /** The states after looks: when, and what is left of 1000 by signal. */
  function look(
    steps: readonly (readonly [nowMs: number, left: Partial<Record<EvictionSignal, number>>])[],
    transitionPeriodMs = 300_000,
  ): ThresholdState {
    return steps.reduce((state, [nowMs, left]) => {
      const observations = new Map(
        // The keys are signals by the type of the argument.
        (Object.entries(left) as [EvictionSignal, number][]).map(([signal, available]) => [
          signal,
          { available, capacity: 1000 },
        ]),
      );
      return nextThresholdState(state, { thresholds: [hard, soft], observations, transitionPeriodMs, nowMs });
    }, initialThresholdState);
  }
  const shown = ({ active, pressure }: ThresholdState) => [
    [...active].map(({ signal }) => signal),
    [...pressure],
  ];

  it('is calm while enough is left', () => {
    expect(shown(look([[0, { 'memory.available': 100, 'nodefs.available': 100 }]]))).to.deep.equal([[], []]);
  });

  it('is calm about what nobody can read', () => {
    expect(shown(look([[0, {}]]))).to.deep.equal([[], []]);
  });

  it('acts at once on a hard threshold', () => {
    expect(shown(look([[0, { 'memory.available': 99 }]]))).to.deep.equal([['memory.available'], ['memory']]);
  });

  it('shows the pressure of a soft threshold, and acts after its grace', () => {
    const low = { 'nodefs.available': 99 };
    expect(
      shown(
        look([
          [0, low],
          [59_999, low],
        ]),
      ),
    ).to.deep.equal([[], ['disk']]);
    expect(
      shown(
        look([
          [0, low],
          [60_000, low],
        ]),
      ),
    ).to.deep.equal([['nodefs.available'], ['disk']]);
  });

  it('begins the grace anew after a break', () => {
    const low = { 'nodefs.available': 99 };
    const { active } = look([
      [0, low],
      [30_000, { 'nodefs.available': 500 }],
      [61_000, low],
      [90_000, low],
    ]);
    expect(active.size).to.equal(0);
  });

  it('goes on until the minimum is reclaimed', () => {
    const statesAfter = (left: number) =>
      look([
        [0, { 'memory.available': 99 }],
        [1, { 'memory.available': left }],
      ]);
    expect(statesAfter(149).active.size).to.equal(1);
    expect(statesAfter(150).active.size).to.equal(0);
  });

  it('shows pressure for the transition period after it was seen last', () => {
    const steps = [
      [0, { 'memory.available': 99 }],
      [1000, { 'memory.available': 99 }],
    ] as const;
    const enough = { 'memory.available': 900 };
    expect(shown(look([...steps, [300_999, enough]]))).to.deep.equal([[], ['memory']]);
    expect(shown(look([...steps, [301_000, enough]]))).to.deep.equal([[], []]);
  });

  it('shows pressure that is there even without a transition period', () => {
    expect(shown(look([[0, { 'memory.available': 99 }]], 0))[1]).to.deep.equal(['memory']);
  });
});
