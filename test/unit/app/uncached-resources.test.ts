import { expect } from 'chai';
import { uncachedResources } from '../../../src/app/uncached-resources.ts';

describe('uncachedResources', () => {
  const pods = { group: '', resource: 'pods' };
  const deployments = { group: 'apps', resource: 'deployments' };
  const events = { group: 'events.orch.io', resource: 'events' };

  it('are all when there is no cache', () => {
    const isUncached = uncachedResources({ watchCache: false, watchCacheSizes: [] });
    expect([pods, deployments, events].map(isUncached)).to.deep.equal([true, true, true]);
  });

  it('are events and those whose cache has no size', () => {
    const isUncached = uncachedResources({
      watchCache: true,
      watchCacheSizes: ['deployments.apps#0', 'pods#5'],
    });
    expect([pods, deployments, events].map(isUncached)).to.deep.equal([false, true, true]);
  });
});
