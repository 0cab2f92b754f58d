import { expect } from 'chai';
import { create } from '../write-bench.ts';

type Requirement = { scopeName: string; operator: string; values?: string[] };

const path = 'spec.scopeSelector.matchExpressions';
const onlyExists =
  "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort";
const needsValue = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
const needsNone = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";

const cases: readonly (readonly [Requirement, readonly string[]])[] = [
  [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }, []],
  [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] }, []],
  [{ scopeName: 'PriorityClass', operator: 'Exists' }, []],
  [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }, []],
  [{ scopeName: 'Terminating', operator: 'Exists' }, []],
  [{ scopeName: 'PriorityClass', operator: 'In' }, [`${path}.values: Required value: ${needsValue}`]],
  [{ scopeName: 'PriorityClass', operator: 'NotIn' }, [`${path}.values: Required value: ${needsValue}`]],
  [
    { scopeName: 'PriorityClass', operator: 'Exists', values: ['x'] },
    [`${path}.values: Invalid value: []string{"x"}: ${needsNone}`],
  ],
  [
    { scopeName: 'PriorityClass', operator: 'Is' },
    [`${path}.operator: Invalid value: "Is": not a valid selector operator`],
  ],
  ...['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'].map(
    (scopeName): readonly [Requirement, readonly string[]] => [
      { scopeName, operator: 'DoesNotExist' },
      [`${path}.operator: Invalid value: "DoesNotExist": ${onlyExists}`],
    ],
  ),
];

describe('kindRules of resource quotas: scope selectors', () => {
  for (const [requirement, errors] of cases) {
    it(`judges ${JSON.stringify(requirement)}`, () => {
      const spec = { hard: { pods: '1' }, scopeSelector: { matchExpressions: [requirement] } };
      const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec };
      expect(create(body).errors).to.deep.equal(errors);
    });
  }
});
