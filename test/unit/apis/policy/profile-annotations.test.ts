import { expect } from 'chai';
import { validateProfileAnnotations } from '../../../../src/apis/policy/profile-annotations.ts';
import { type FieldError, invalid } from '../../../../src/machinery/errors/index.ts';
import { makeContext } from '../rule-fixture.ts';

function errorsOf(annotations: Record<string, string>): FieldError[] {
  const errors: FieldError[] = [];
  validateProfileAnnotations(errors, annotations, makeContext());
  return errors;
}

describe('validateProfileAnnotations', () => {
  const listKey = 'apparmor.security.beta.orch.io/allowedProfileNames';

  it('tells of each wrong name in a short list', () => {
    expect(errorsOf({ [listKey]: 'a,runtime/default,b' })).to.have.length(2);
  });

  it('does not repeat a long list for each wrong name in it', () => {
    const errors = errorsOf({ [listKey]: 'a,'.repeat(100_000) });
    const refusal = invalid({ group: 'policy', kind: 'PodSecurityPolicy' }, 'x', errors);
    expect(JSON.stringify(refusal.status).length).to.be.below(2 ** 22);
  });
});
