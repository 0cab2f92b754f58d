import { expect } from 'chai';
import {
  conflictingScopes,
  isQuotaScope,
  isScopeForResource,
  scopesWithoutValues,
} from '../../../../src/apis/core/quota-scopes.ts';

const scopes = ['BestEffort', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating'];

describe('isQuotaScope', () => {
  for (const scope of scopes) it(`knows ${scope}`, () => expect(isQuotaScope(scope)).to.equal(true));

  // The last one came with release 1.21.
  for (const scope of ['', 'besteffort', ' BestEffort', 'constructor', 'CrossNamespacePodAffinity'])
    it(`does not know ${JSON.stringify(scope)}`, () => expect(isQuotaScope(scope)).to.equal(false));
});

describe('scopesWithoutValues', () => {
  it('are all but that of priority classes', () => {
    expect([...scopesWithoutValues]).to.have.members(scopes.filter((scope) => scope !== 'PriorityClass'));
  });
});

describe('isScopeForResource', () => {
  const compute = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
  const others = [
    'services',
    'services.nodeports',
    'services.loadbalancers',
    'secrets',
    'configmaps',
    'persistentvolumeclaims',
    'replicationcontrollers',
    'resourcequotas',
    'ephemeral-storage',
    'requests.storage',
    'requests.ephemeral-storage',
    'limits.ephemeral-storage',
    'hugepages-2Mi',
    'requests.hugepages-1Gi',
    'hugepages-',
  ];
  /** What quotas do not know by name is nobody's business. */
  const unknown = [
    'count/pods',
    'count/secrets',
    'example.com/gpu',
    'requests.example.com/gpu',
    'gold.storageclass.storage.orch.io/requests.storage',
    'limits.hugepages-2Mi',
    'hugepages',
    'CPU',
    '',
  ];

  for (const scope of scopes) {
    it(`${scope} may bound the number of pods`, () =>
      expect(isScopeForResource(scope, 'pods')).to.equal(true));
    for (const resource of compute) {
      const answer = scope !== 'BestEffort';
      it(`${scope} may ${answer ? '' : 'not '}bound ${resource}`, () =>
        expect(isScopeForResource(scope, resource)).to.equal(answer));
    }
    for (const resource of others)
      it(`${scope} may not bound ${resource}`, () =>
        expect(isScopeForResource(scope, resource)).to.equal(false));
    for (const resource of unknown)
      it(`${scope} may bound ${JSON.stringify(resource)}`, () =>
        expect(isScopeForResource(scope, resource)).to.equal(true));
  }

  it('says nothing against scopes that are unknown', () => {
    for (const resource of [...compute, ...others, 'pods'])
      expect(isScopeForResource('Sometimes', resource)).to.equal(true);
  });
});

describe('conflictingScopes', () => {
  const rows: readonly (readonly [given: readonly string[], pairs: readonly string[]])[] = [
    [[], []],
    [['BestEffort'], []],
    [['BestEffort', 'BestEffort'], []],
    [['BestEffort', 'Terminating', 'PriorityClass'], []],
    [['NotBestEffort', 'NotTerminating'], []],
    [['BestEffort', 'NotBestEffort'], ['BestEffort+NotBestEffort']],
    [['NotBestEffort', 'PriorityClass', 'BestEffort'], ['BestEffort+NotBestEffort']],
    [['NotTerminating', 'Terminating'], ['Terminating+NotTerminating']],
    [scopes, ['BestEffort+NotBestEffort', 'Terminating+NotTerminating']],
    [['Sometimes', 'NotSometimes'], []],
  ];
  for (const [given, pairs] of rows) {
    it(`of ${given.join(', ') || 'none'}: ${pairs.join(', ') || 'none'}`, () =>
      expect(conflictingScopes(given).map((pair) => pair.join('+'))).to.deep.equal(pairs));
  }
});
