import { expect } from 'chai';
import { update } from '../rule-fixture.ts';

describe('kindRules of disruption budgets: the status', () => {
  const kind = 'policy/v1beta1.PodDisruptionBudget';
  const budget = (status: object) => ({ spec: { minAvailable: 1 }, status });

  it('that is stored is checked with what is changed of the rest', () => {
    const errors = (status: object) => update(kind, budget(status), budget({})).errors;
    expect(errors({ disruptionsAllowed: 1 })).to.deep.equal([]);
    expect(errors({ disruptionsAllowed: -1, expectedPods: -2 })).to.deep.equal([
      'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
      'status.expectedPods: Invalid value: -2: must be greater than or equal to 0',
    ]);
  });

  it('may be told anything', () => {
    const told = budget({ disruptionsAllowed: -1 });
    expect(update(kind, budget({}), told, { way: 'status' }).errors).to.deep.equal([]);
  });
});
