import { expect } from 'chai';
import { bootstrapResources } from '../../../src/apis/bootstrap/index.ts';
import type { ApiModel } from '../../../src/app/api-model.ts';
import { type BootstrapSources, bootstrap } from '../../../src/app/bootstrap.ts';
import { silentLogger } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { makeAuthority } from '../../../src/server/pki/index.ts';
import { StorageError } from '../../../src/storage/index.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { namesOf, TestRegistry, table } from '../../support/registry.ts';

const roles = 'rbac.authorization.orch.io/v1/clusterroles';
const levels = 'flowcontrol.apiserver.orch.io/v1beta1/prioritylevelconfigurations';

describe('bootstrap', () => {
  let registry: TestRegistry;
  let authorityPem: string;
  before(async () => {
    const times = { nowMs: Date.UTC(2021, 1, 1), lifetimeMs: 7 * 24 * 3_600_000 };
    authorityPem = (await makeAuthority({ commonName: 'clients', ...times })).certificatePem;
  });
  beforeEach(async () => {
    registry = await TestRegistry.open();
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const start = (changes: Partial<BootstrapSources> = {}, target = registry) =>
    bootstrap({
      stores: target.stores,
      model: { dialect: orchDialect, table } as ApiModel, // nothing else of the model is looked at
      securePort: 6443,
      advertiseAddresses: ['192.0.2.1'],
      firstServiceAddress: '10.0.0.1',
      clientAuthorityPem: authorityPem,
      nowMs: Date.UTC(2021, 1, 3),
      logger: silentLogger,
      ...changes,
    });
  const names = async (path: string) => namesOf(await registry.list(path));

  it('tells of each resource when its objects are there, and of those that are not served', async () => {
    const seen = new Map<string, number | undefined>();
    await start({
      onSettled(resource) {
        expect([...seen.keys()]).not.to.include(resource);
        const store = [...registry.stores.stores.values()].find((each) => each.resource === resource);
        seen.set(resource, store?.cache.size);
      },
    });
    expect(seen.keys().next().value).to.equal('namespaces');
    expect([...seen.keys()].sort()).to.deep.equal([...bootstrapResources].sort());
    expect(seen.get('namespaces')).to.equal(4);
    expect(seen.get('clusterroles')).to.equal((await registry.list(roles)).objects.length);
    expect(seen.get('priorityclasses')).to.equal(2);
    expect(seen.get('apiservices')).to.be.greaterThan(20);
  });

  describe('on the first start', () => {
    beforeEach(() => start());

    it('makes the namespaces', async () => {
      expect(await names('v1/namespaces')).to.deep.equal([
        'default',
        'orch-node-lease',
        'orch-public',
        'orch-system',
      ]);
    });

    it('makes its own service with the first address, and says where it is', async () => {
      const service = await registry.stored('v1/services', 'orch');
      expect(service?.spec.clusterIP).to.equal('10.0.0.1');
      const endpoints = await registry.stored('v1/endpoints', 'orch');
      expect(endpoints?.subsets[0].addresses).to.deep.equal([{ ip: '192.0.2.1' }]);
      expect(endpoints?.subsets[0].ports[0].port).to.equal(6443);
    });

    it('makes roles, flow control and priority classes', async () => {
      expect(await names(roles)).to.include.members(['admin', 'cluster-admin', 'system:discovery']);
      expect(await names(levels)).to.include.members(['exempt', 'catch-all', 'workload-low']);
      expect(await names('scheduling.orch.io/v1/priorityclasses')).to.have.length(2);
    });

    it('publishes the authority of client certificates', async () => {
      const name = 'extension-apiserver-authentication';
      const map = await registry.stored('v1/configmaps', name, 'orch-system');
      expect(map?.data['client-ca-file']).to.equal(authorityPem);
    });
  });

  it('writes nothing on the next start', async () => {
    await start();
    const before = registry.storage.writeCount;
    await start();
    expect(registry.storage.writeCount).to.equal(before);
  });

  it('leaves out where the server is on a machine without an address', async () => {
    await start({ advertiseAddresses: [] });
    expect(await registry.stored('v1/endpoints', 'orch')).to.equal(undefined);
    expect(await registry.stored('v1/services', 'orch')).not.to.equal(undefined);
  });

  it('moves with the server', async () => {
    await start();
    await start({ advertiseAddresses: ['192.0.2.9'], securePort: 7443 });
    const endpoints = await registry.stored('v1/endpoints', 'orch');
    expect(endpoints?.subsets[0]).to.deep.include({ addresses: [{ ip: '192.0.2.9' }] });
    expect(endpoints?.subsets[0].ports[0].port).to.equal(7443);
  });

  describe('on a later start', () => {
    beforeEach(() => start());

    it('gives roles back what they lost, and leaves what was added', async () => {
      const before = await registry.stored(roles, 'system:discovery');
      const added = { verbs: ['get'], nonResourceURLs: ['/mine'] };
      await registry.change(roles, 'system:discovery', (role: JsonObject) => {
        role.rules = [added];
      });
      await start();
      const rules = (await registry.stored(roles, 'system:discovery'))?.rules;
      expect(rules).to.deep.include(added);
      // Missing rules come back one path each, as the reference breaks them up to compare them.
      const paths = rules.flatMap(({ nonResourceURLs }: JsonObject) => nonResourceURLs);
      expect(paths).to.have.members([...(before?.rules[0].nonResourceURLs ?? []), '/mine']);
    });

    describe('with limited discovery and without public information', () => {
      const bindings = 'rbac.authorization.orch.io/v1/clusterrolebindings';
      const autoupdate = 'rbac.authorization.orch.io/autoupdate';
      const limit = async (annotations: JsonObject) => {
        await registry.change(bindings, 'system:discovery', ({ metadata, subjects }: JsonObject) => {
          metadata.labels = { mine: 'l' };
          metadata.annotations = annotations;
          subjects[0].name = 'staff';
        });
        await registry.remove(bindings, 'system:public-info-viewer');
        await start();
        const binding = await registry.stored(bindings, 'system:public-info-viewer');
        expect(binding?.roleRef.name).to.equal('system:public-info-viewer');
        const subjects = binding?.subjects.map(({ name }: JsonObject) => name);
        return { metadata: binding?.metadata, subjects };
      };

      it('limits public information in the same way', async () => {
        const { metadata, subjects } = await limit({ [autoupdate]: 'false', mine: 'a' });
        expect(subjects).to.deep.equal(['staff']);
        expect(metadata).to.deep.include({
          ...{ labels: { mine: 'l' }, annotations: { [autoupdate]: 'false', mine: 'a' } },
        });
      });

      it('adds the usual users where the binding is to be kept up', async () => {
        const { subjects } = await limit({ [autoupdate]: 'true' });
        expect(subjects).to.deep.equal(['staff', 'system:authenticated', 'system:unauthenticated']);
      });
    });

    it('makes what is missing', async () => {
      await registry.remove(roles, 'admin');
      await start();
      expect(await names(roles)).to.include('admin');
    });

    it('puts mandatory flow control back, and leaves suggested levels to their owner', async () => {
      await registry.remove(levels, 'workload-low');
      await registry.remove(levels, 'catch-all');
      await start();
      expect(await names(levels)).to.include('catch-all');
      expect(await names(levels)).not.to.include('workload-low');
    });
  });

  it('does not mind another server of the same store that is faster', async () => {
    await using other = await TestRegistry.open({ storage: registry.storage });
    await Promise.all([start(), start({}, other)]);
    expect(await names('v1/namespaces')).to.have.length(4);
  });

  it('fails when storage does', async () => {
    registry.storage.interruptNextWrite(() => {
      throw new StorageError('unavailable', 'gone');
    });
    await expectStatus(start(), { code: 503 });
  });
});
