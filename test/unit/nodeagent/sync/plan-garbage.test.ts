import { expect } from 'chai';
import { describe, it } from 'mocha';
import { planGarbage } from '../../../../src/nodeagent/sync/plan-garbage.ts';
import type { ObservedContainer, ObservedSandbox } from '../../../../src/nodeagent/sync/pod-state.ts';

const nowMs = 1_000_000;

const container = (attempt: number, state: ObservedContainer['state'] = 'exited'): ObservedContainer => ({
  id: `c${attempt}`,
  podSandboxId: 's1',
  name: 'c',
  attempt,
  state,
  specHash: 'h',
  createdAtMs: nowMs - 100_000 + attempt * 10_000,
  finishedAtMs: undefined,
  exitCode: 1,
  health: 'fine',
});

const sandbox = (attempt: number, state: ObservedSandbox['state']): ObservedSandbox => ({
  id: `s${attempt}`,
  attempt,
  state,
  createdAtMs: nowMs,
  usesHostNetwork: false,
  hasAddress: true,
});

/** Ids that are removed. */
function removed(
  containers: readonly ObservedContainer[],
  keepPerContainer: number,
  { minAgeMs = 0, sandboxes = [sandbox(1, 'ready')] } = {},
): readonly string[] {
  const options = { keepPerContainer, minAgeMs, nowMs };
  return planGarbage({ sandboxes, containers }, options).map((action) =>
    'containerId' in action
      ? action.containerId
      : 'podSandboxId' in action
        ? String(action.podSandboxId)
        : '',
  );
}

describe('planGarbage', () => {
  const ended = [container(0), container(1), container(2)];
  const last = container(3, 'running');

  it('keeps so many ended instances beside the one that runs, the newest', () => {
    expect(removed([...ended, last], 1)).to.deep.equal(['c1', 'c0']);
    expect(removed([...ended, last], 2)).to.deep.equal(['c0']);
    expect(removed([...ended, last], 0)).to.deep.equal(['c2', 'c1', 'c0']);
    expect(removed([...ended, last], -1)).to.deep.equal([]);
  });

  it('never removes the newest, which tells whether the container has run', () => {
    expect(removed(ended, 0)).to.deep.equal(['c1', 'c0']);
  });

  it('never removes what may run', () => {
    expect(removed([container(0, 'running'), container(1, 'unknown'), container(2)], 0)).to.deep.equal([]);
  });

  it('keeps what is young', () => {
    expect(removed(ended, 0, { minAgeMs: 95_000 })).to.deep.equal(['c0']);
  });

  it('removes ended sandboxes that nothing lies in, but the newest', () => {
    const sandboxes = [sandbox(0, 'not-ready'), sandbox(1, 'not-ready'), sandbox(2, 'not-ready')];
    expect(removed([], 1, { sandboxes })).to.deep.equal(['s1', 's0']);
    expect(removed([container(0)], 1, { sandboxes })).to.deep.equal(['s0']);
    expect(removed([], 1, { sandboxes: [sandbox(0, 'ready'), sandbox(1, 'ready')] })).to.deep.equal([]);
  });
});
