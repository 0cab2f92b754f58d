import { expect } from 'chai';
import {
  compilePolicy,
  expressionsOf,
} from '../../../../src/apis/admissionregistration/policy-expressions.ts';
import { takeSteps } from '../../../../src/base/index.ts';

const spec = {
  matchConditions: [{ name: 'c', expression: 'true' }],
  variables: [
    { name: 'one', expression: '1' },
    { name: 'two', expression: 'variables.one + 1' },
  ],
  validations: [
    { expression: 'variables.two == 2', messageExpression: '"two"' },
    { expression: 'variables.three == 2' },
    { expression: ' ' },
  ],
  auditAnnotations: [{ key: 'k', valueExpression: '"v"' }],
};

describe('compilePolicy', () => {
  it('compiles one expression in each step, so that others may go first', () => {
    const steps = compilePolicy(spec);
    let count = 0;
    while (steps.next().done !== true) count++;
    // All but the empty one.
    expect(count).to.equal(7);
  });

  it('reads a text once, however many kinds it is compiled for', () => {
    const read = new Map();
    takeSteps(compilePolicy(spec, {}, read));
    expect([...read.keys()]).to.deep.equal([
      'true',
      '1',
      'variables.one + 1',
      'variables.two == 2',
      '"two"',
      'variables.three == 2',
      '"v"',
    ]);
    const before = [...read.values()];
    takeSteps(compilePolicy(spec, {}, read));
    expect([...read.values()]).to.have.length(before.length);
    for (const [at, value] of [...read.values()].entries()) expect(value).to.equal(before[at]);
  });

  it('tells of each expression whether it is right', () => {
    const compiled = [...expressionsOf(takeSteps(compilePolicy(spec)))];
    const faults = compiled.flatMap(({ path, compiled: each }) =>
      'fault' in each ? [`${path}: ${each.fault.split('\n')[0]}`] : [],
    );
    expect(faults).to.deep.equal([
      "spec.validations[1].expression: ERROR: <input>:1:10: undefined field 'three'",
      'spec.validations[2].expression: missing expression',
    ]);
  });
});
