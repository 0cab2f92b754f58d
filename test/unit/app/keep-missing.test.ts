import { expect } from 'chai';
import type { ApiModel } from '../../../src/app/api-model.ts';
import { type BootstrapSources, bootstrap, lookEveryMs } from '../../../src/app/bootstrap.ts';
import { openOwnEndpoints } from '../../../src/app/own-address.ts';
import { keepMissing } from '../../../src/app/server-tasks.ts';
import { silentLogger } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { eventually } from '../../support/eventually.ts';
import { TestRegistry, table } from '../../support/registry.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const model = { dialect: orchDialect, table } as ApiModel; // nothing else of the model is looked at

describe('what a running server keeps of its own', () => {
  let registry: TestRegistry;
  let sources: BootstrapSources;
  const clock = new ManualClock();
  beforeEach(async () => {
    registry = await TestRegistry.open();
    sources = {
      stores: registry.stores,
      model,
      securePort: 6443,
      advertiseAddresses: ['192.0.2.1'],
      firstServiceAddress: '10.0.0.1',
      clientAuthorityPem: 'PEM',
      nowMs: Date.UTC(2021, 1, 3),
      logger: silentLogger,
    };
    await bootstrap(sources);
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  describe('keepMissing', () => {
    let end: () => Promise<void>;
    beforeEach(() => {
      const ending = new AbortController();
      const done = keepMissing(sources, { clock, logger: silentLogger, signal: ending.signal });
      end = () => {
        ending.abort();
        return done;
      };
    });
    afterEach(() => end());

    it('makes the service of the API and its namespaces again that somebody deleted', async () => {
      const before = await registry.stored('v1/services', 'orch');
      await registry.remove('v1/services', 'orch');
      await registry.storage.delete('/registry/namespaces/orch-public', await revisionOf('orch-public'));
      clock.advance(lookEveryMs);
      const after = await eventually(async () => await registry.stored('v1/services', 'orch'));
      expect(after.spec).to.deep.equal(before?.spec);
      expect(after.metadata.uid).to.not.equal(before?.metadata.uid);
      expect(await registry.stored('v1/namespaces', 'orch-public')).to.not.equal(undefined);
    });

    const revisionOf = async (name: string): Promise<number> =>
      Number((await registry.stored('v1/namespaces', name))?.metadata.resourceVersion);

    it('leaves alone what is there, whatever became of it', async () => {
      await registry.change('v1/services', 'orch', ({ spec }) => {
        spec.ports[0].name = 'mine';
      });
      await registry.remove('v1/namespaces', 'orch-node-lease');
      const { writeCount } = registry.storage;
      clock.advance(lookEveryMs);
      await end();
      expect(registry.storage.writeCount).to.equal(writeCount);
    });
  });

  it('has its endpoints put back that somebody changed or deleted', async () => {
    const config = { endpointReconcilerType: 'lease', etcdServers: [], storage: 'memory:' } as const;
    const options = {
      config,
      model: { root: '/registry/' },
      storage: registry.storage,
      clock,
      logger: silentLogger,
    };
    const own = await openOwnEndpoints({ ...options, advertiseAddress: '192.0.2.1' });
    const end = own.keep(sources);
    await registry.change('v1/endpoints', 'orch', ({ subsets }) => {
      subsets[0].addresses = [{ ip: '192.0.2.9' }];
    });
    await registry.remove('discovery.orch.io/v1beta1/endpointslices', 'orch');
    clock.advance(lookEveryMs);
    const slice = await eventually(() => registry.stored('discovery.orch.io/v1beta1/endpointslices', 'orch'));
    expect(slice.endpoints[0].addresses).to.deep.equal(['192.0.2.1']);
    const endpoints = await registry.stored('v1/endpoints', 'orch');
    expect(endpoints?.subsets[0].addresses).to.deep.equal([{ ip: '192.0.2.1' }]);
    await end();
  });
});
