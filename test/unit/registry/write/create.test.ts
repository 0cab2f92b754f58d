import { expect } from 'chai';
import { createObject } from '../../../../src/registry/index.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { configMap, deployment, pod } from '../../../support/objects.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';

const configMaps = 'v1/configmaps';

describe('createObject', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open();
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  describe('fills the metadata', () => {
    it('with uid, time and the version of the write', async () => {
      const { metadata } = await registry.create(configMaps, configMap('a'));
      expect(metadata).to.deep.equal({
        name: 'a',
        namespace: 'default',
        uid: 'uid-1',
        resourceVersion: String(await registry.storage.currentRevision()),
        creationTimestamp: '2021-02-03T04:05:06Z',
      });
    });

    it('keeping a generation of kinds that count none, as release 1.20 does', async () => {
      const { metadata } = await registry.create(configMaps, configMap('a', {}, { generation: 9 }));
      expect(metadata.generation).to.equal(9);
    });
    it('whatever the client says of what only the server may say', async () => {
      const { metadata } = await registry.create(
        configMaps,
        configMap(
          'a',
          {},
          {
            uid: 'mine',
            creationTimestamp: '2001-01-01T00:00:00Z',
            deletionTimestamp: '2001-01-01T00:00:00Z',
            deletionGracePeriodSeconds: 7,
            selfLink: '/self',
            clusterName: 'c',
          },
        ),
      );
      expect(Object.keys(metadata)).to.have.members([
        'name',
        'namespace',
        'uid',
        'resourceVersion',
        'creationTimestamp',
      ]);
      expect(metadata.uid).to.equal('uid-1');
      expect(metadata.creationTimestamp).to.equal('2021-02-03T04:05:06Z');
    });

    it('keeping labels, annotations, owners and finalizers', async () => {
      const given = {
        labels: { a: 'b' },
        annotations: { c: 'd' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
        finalizers: ['example.com/f'],
      };
      const { metadata } = await registry.create(configMaps, configMap('a', {}, given));
      expect(metadata).to.deep.include(given);
    });

    it('with generation 1 for kinds that count generations only', async () => {
      const counted = await registry.create('apps/v1/deployments', deployment('d'));
      expect(counted.metadata.generation).to.equal(1);
      expect((await registry.create('v1/pods', pod('p'))).metadata).not.to.have.property('generation');
    });
  });

  it('drops the status that a client sends', async () => {
    const object = { ...deployment('d'), status: { replicas: 7 } };
    expect((await registry.create('apps/v1/deployments', object)).status).to.deep.equal({});
  });

  it('keeps the status of kinds that register with one', async () => {
    const node = { metadata: { name: 'n' }, status: { nodeInfo: { machineID: 'm' } } };
    const created = await registry.create('v1/nodes', node);
    expect(created.status.nodeInfo.machineID).to.equal('m');
  });

  it('refuses an object that names a version', async () => {
    await expectStatus(registry.create(configMaps, configMap('a', {}, { resourceVersion: '5' })), {
      code: 500,
      message: 'resourceVersion should not be set on objects to be created',
    });
  });

  it('takes no notice of a version that is no number', async () => {
    const { metadata } = await registry.create(configMaps, configMap('a', {}, { resourceVersion: 'x' }));
    expect(metadata.resourceVersion).to.equal(String(await registry.storage.currentRevision()));
  });

  it('shows a version that was sent with a dry run', async () => {
    for (const resourceVersion of ['5', 'x']) {
      const sent = configMap('a', {}, { resourceVersion });
      const { metadata } = await registry.create(configMaps, sent, { isDryRun: true });
      expect(metadata.resourceVersion).to.equal(resourceVersion);
    }
  });

  it('stores nothing that only validation is told', async () => {
    const target = { type: 'Utilization', averageUtilization: 50 };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 2, metrics };
    const path = 'autoscaling/v2beta2/horizontalpodautoscalers';
    const created = await registry.create(path, { metadata: { name: 'a' }, spec });
    expect(Object.keys(created.spec)).to.have.members([
      'scaleTargetRef',
      'maxReplicas',
      'minReplicas',
      'targetCPUUtilizationPercentage',
    ]);
  });

  it('names a limit range that has no name', async () => {
    const { metadata } = await registry.create('v1/limitranges', { metadata: {}, spec: { limits: [] } });
    expect(metadata.name).to.match(/^uid-/);
  });

  describe('settles the namespace', () => {
    const cases: [given: string | undefined, request: string, expected: string | undefined][] = [
      [undefined, 'n', 'n'],
      ['', 'n', 'n'],
      ['n', 'n', 'n'],
      ['other', 'n', undefined],
    ];
    for (const [given, request, expected] of cases) {
      it(`${given === undefined ? 'absent' : `"${given}"`} in a request for "${request}"`, async () => {
        const object = configMap('a', {}, given === undefined ? {} : { namespace: given });
        const created = registry.create(configMaps, object, { namespace: request });
        if (expected !== undefined) expect((await created).metadata.namespace).to.equal(expected);
        else {
          const message =
            'the namespace of the provided object does not match the namespace sent on the request';
          await expectStatus(created, { code: 400, reason: 'BadRequest', message });
        }
      });
    }

    it('by dropping it from objects of the cluster', async () => {
      const node = { metadata: { name: 'n', namespace: 'x' } };
      expect((await registry.create('v1/nodes', node)).metadata).not.to.have.property('namespace');
    });
  });

  describe('generates names', () => {
    it('out of the base and a suffix', async () => {
      const { metadata } = await registry.create(configMaps, { metadata: { generateName: 'a-' } });
      expect(metadata).to.include({ name: 'a-bcdfg', generateName: 'a-' });
    });

    it('of at most 63 characters, by cutting the base', async () => {
      const { metadata } = await registry.create(configMaps, {
        metadata: { generateName: 'x'.repeat(70) },
      });
      expect(metadata.name).to.equal(`${'x'.repeat(58)}bcdfg`);
    });

    it('only when no name is given', async () => {
      const { metadata } = await registry.create(configMaps, {
        metadata: { name: 'mine', generateName: 'a-' },
      });
      expect(metadata.name).to.equal('mine');
    });

    it('and asks the client to try again when one is taken', async () => {
      const object = { metadata: { generateName: 'a-' } };
      await registry.create('apps/v1/deployments', { ...deployment('d'), ...object });
      const status = await expectStatus(
        registry.create('apps/v1/deployments', { ...deployment('d'), ...object }),
        {
          code: 500,
          reason: 'ServerTimeout',
          message:
            'The POST operation against Deployment.apps could not be completed at this time, please try again.',
        },
      );
      expect(status.details).to.deep.equal({ name: 'POST', group: 'apps', kind: 'Deployment' });
    });
  });

  it('refuses a name that is taken and changes nothing', async () => {
    const first = await registry.create(configMaps, configMap('a', { k: '1' }));
    const status = await expectStatus(registry.create(configMaps, configMap('a', { k: '2' })), {
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
    expect(status.details).to.deep.equal({ name: 'a', kind: 'configmaps' });
    expect(await registry.stored(configMaps, 'a')).to.deep.equal(first);
  });

  it('says so when the name belongs to an object that is going', async () => {
    await registry.create(configMaps, configMap('a', {}, { finalizers: ['example.com/f'] }));
    await registry.remove(configMaps, 'a');
    await expectStatus(registry.create(configMaps, configMap('a')), {
      code: 409,
      reason: 'AlreadyExists',
      message: 'object is being deleted: configmaps "a" already exists',
    });
  });

  it('is not fooled by a deletion mark inside the data of an object that stays', async () => {
    await registry.create(configMaps, configMap('a', { k: '"deletionTimestamp":"' }));
    await expectStatus(registry.create(configMaps, configMap('a')), {
      code: 409,
      message: 'configmaps "a" already exists',
    });
  });

  it('names all that is wrong at once, and writes nothing', async () => {
    const status = await expectStatus(
      registry.create(configMaps, configMap('A_b', { 'bad key': 'x' }, { labels: { 'a/b/c': 'd' } })),
      { code: 422, reason: 'Invalid' },
    );
    expect(status.details?.causes?.map(({ field }) => field)).to.deep.equal([
      'metadata.name',
      'metadata.labels',
      'data[bad key]',
    ]);
    expect(registry.storage.writeCount).to.equal(0);
  });

  describe('as a dry run', () => {
    it('answers the object as it would be, without a version, and writes nothing', async () => {
      const { metadata } = await registry.create(configMaps, configMap('a'), { isDryRun: true });
      expect(metadata).to.include({ name: 'a', uid: 'uid-1' });
      expect(metadata).not.to.have.property('resourceVersion');
      expect(await registry.stored(configMaps, 'a')).to.equal(undefined);
      expect(registry.storage.writeCount).to.equal(0);
    });

    it('sees that a name is taken', async () => {
      await registry.create(configMaps, configMap('a'));
      await expectStatus(registry.create(configMaps, configMap('a'), { isDryRun: true }), {
        code: 409,
        reason: 'AlreadyExists',
      });
    });

    it('still refuses what is wrong', async () => {
      await expectStatus(registry.create(configMaps, configMap('A_b'), { isDryRun: true }), { code: 422 });
    });
  });

  it('lets admission change the object before it is validated and stored', async () => {
    await using guarded = await TestRegistry.open({
      admission: {
        admit({ operation, object, user }) {
          if (object === undefined) return;
          object.metadata.labels = { operation, by: user.name };
        },
        validate() {},
      },
    });
    const { metadata } = await guarded.create(configMaps, configMap('a'));
    expect(metadata.labels).to.deep.equal({ operation: 'CREATE', by: 'alice' });
  });

  it('writes nothing when admission refuses after validation', async () => {
    await using guarded = await TestRegistry.open({
      admission: {
        admit() {},
        validate({ object }) {
          // By now the object has its final form.
          if (object?.metadata.uid !== undefined) throw new RangeError('refused');
        },
      },
    });
    const served = guarded.served(configMaps);
    const body = { kind: 'value', value: configMap('a') } as const;
    const options = { user: alice, isDryRun: false };
    const refused = await createObject(served, { namespace: 'default', body, manager: '', options }).catch(
      String,
    );
    expect(refused).to.equal('RangeError: refused');
    expect(guarded.storage.writeCount).to.equal(0);
  });

  it('stores what another version brings in the storage version, and names that version’s group in errors', async () => {
    const path = 'networking.orch.io/v1/ingresses';
    const backend = { service: { name: 's', port: { number: 80 } } };
    const created = await registry.create(path, {
      metadata: { name: 'i' },
      spec: { defaultBackend: backend },
    });
    expect(created).to.include({ apiVersion: 'networking.orch.io/v1beta1' });
    expect(created.spec.backend).to.deep.equal({ serviceName: 's', servicePort: 80 });
    const again = { metadata: { name: 'i' }, spec: { backend: { serviceName: 's', servicePort: 80 } } };
    await expectStatus(registry.create('extensions/v1beta1/ingresses', again), {
      code: 409,
      message: 'ingresses.extensions "i" already exists',
    });
  });
});
