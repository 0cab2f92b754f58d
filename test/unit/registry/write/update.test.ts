import { expect } from 'chai';
import { updateObject } from '../../../../src/registry/index.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { expectStatus, statusOf } from '../../../support/expect-status.ts';
import { configMap, deployment, pod } from '../../../support/objects.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';

const configMaps = 'v1/configmaps';
const setData = (value: string) => (object: JsonObject) => {
  object.data = { k: value };
};
const modified =
  'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again';

describe('updateObject', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open();
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  describe('compares versions', () => {
    const seen = (version: (current: string) => string | undefined) => (object: JsonObject) => {
      object.metadata.resourceVersion = version(object.metadata.resourceVersion);
      setData('new')(object);
    };

    it('and writes when the client saw the stored one', async () => {
      const { metadata } = await registry.create(configMaps, configMap('a'));
      const updated = await registry.change(
        configMaps,
        'a',
        seen((current) => current),
      );
      expect(Number(updated.metadata.resourceVersion)).to.be.above(Number(metadata.resourceVersion));
    });

    it('and refuses when the client saw another', async () => {
      await registry.create(configMaps, configMap('a'));
      const update = registry.change(
        configMaps,
        'a',
        seen((current) => `${Number(current) - 1}`),
      );
      await expectStatus(update, { code: 409, reason: 'Conflict', message: modified });
    });

    for (const version of ['', '0', undefined]) {
      it(`unless the client names none: ${version}`, async () => {
        await registry.create(configMaps, configMap('a'));
        expect(
          (
            await registry.change(
              configMaps,
              'a',
              seen(() => version),
            )
          ).data,
        ).to.deep.equal({ k: 'new' });
      });
    }

    it('and refuses a version that is no number', async () => {
      await registry.create(configMaps, configMap('a'));
      await expectStatus(
        registry.change(
          configMaps,
          'a',
          seen(() => 'x\u0000'),
        ),
        {
          code: 500,
          message: 'strconv.ParseUint: parsing "x\\x00": invalid syntax',
        },
      );
    });

    it('and requires one for kinds that cannot be updated without', async () => {
      const path = 'coordination.orch.io/v1/leases';
      await registry.create(path, { metadata: { name: 'a' }, spec: {} });
      const strict = registry.served(path).store.rules.allowsUnconditionalUpdate === false;
      const update = registry.change(path, 'a', (object) => {
        delete object.metadata.resourceVersion;
        object.spec.holderIdentity = 'x';
      });
      if (!strict) throw new Error('leases are expected to need a version');
      const status = await expectStatus(update, { code: 422, reason: 'Invalid' });
      expect(status.details?.causes).to.deep.equal([
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: 0x0: must be specified for an update',
          field: 'metadata.resourceVersion',
        },
      ]);
    });
  });

  it('creates a service that the status of was sent, without addresses', async () => {
    const served = registry.served('v1/services');
    const put = (metadata: JsonObject) =>
      updateObject(served, {
        namespace: 'default',
        name: 'a',
        subresource: 'status',
        manager: 'm',
        change: {
          kind: 'replace',
          body: {
            kind: 'value',
            value: {
              kind: 'Service',
              apiVersion: 'v1',
              metadata: { name: 'a', ...metadata },
              spec: { ports: [{ port: 80 }] },
            },
          },
        },
        options: { user: alice, isDryRun: false },
      });
    await expectStatus(put({ uid: 'x' }), { code: 409, reason: 'Conflict' });
    const { bytes, wasCreated } = await put({});
    expect(wasCreated).to.equal(true);
    const { spec, status } = JSON.parse(bytes.toString());
    expect(spec).to.deep.equal({
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      type: 'ClusterIP',
      sessionAffinity: 'None',
    });
    expect(status).to.deep.equal({ loadBalancer: {} });
  });

  it('checks services before their version', async () => {
    const path = 'v1/services';
    await registry.create(path, { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } });
    const change = (version: string, ports: unknown[]) =>
      registry.change(path, 'a', (object) => {
        object.metadata.resourceVersion = version;
        object.spec.ports = ports;
      });
    const status = await expectStatus(change('x', []), { code: 422 });
    expect(status.details?.causes?.map(({ field }) => field)).to.deep.equal(['spec.ports']);
    await expectStatus(change('x', [{ port: 81 }]), { code: 500 });
    await expectStatus(change('1', [{ port: 81 }]), { code: 409, reason: 'Conflict' });
  });

  it('refuses another object of the same name when the client means one by uid', async () => {
    await registry.create(configMaps, configMap('a'));
    await expectStatus(registry.change(configMaps, 'a', setData('x'), { expectedUid: 'other' }), {
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: uid-1',
    });
  });

  it('refuses an object that is not there when the client means one by uid', async () => {
    const nothing = () => {};
    const gone = registry.change(configMaps, 'b', nothing, { expectedUid: 'other' });
    await expectStatus(gone, { code: 409, reason: 'Conflict' });
    const service = registry.change('v1/services', 'b', nothing, { expectedUid: 'other' });
    await expectStatus(service, { code: 404 });
  });

  it('tells when there is no such object', async () => {
    const status = await expectStatus(
      registry.change('apps/v1/deployments', 'a', () => {}),
      {
        code: 404,
        message: 'deployments.apps "a" not found',
      },
    );
    expect(status.details).to.deep.equal({ name: 'a', group: 'apps', kind: 'deployments' });
  });

  it('starts again from the newest state when another write came first', async () => {
    await registry.create(configMaps, configMap('a', { n: '0' }));
    const increment = (object: JsonObject) => {
      delete object.metadata.resourceVersion;
      object.data.n = String(Number(object.data.n) + 1);
    };
    registry.storage.interruptNextWrite(() => registry.change(configMaps, 'a', increment));
    expect((await registry.change(configMaps, 'a', increment)).data).to.deep.equal({ n: '2' });
  });

  it('tells a client that named a version when another write came first', async () => {
    const { metadata } = await registry.create(configMaps, configMap('a'));
    registry.storage.interruptNextWrite(() => registry.change(configMaps, 'a', setData('faster')));
    const update = registry.change(configMaps, 'a', (object) => {
      object.metadata.resourceVersion = metadata.resourceVersion;
      setData('slower')(object);
    });
    await expectStatus(update, { code: 409, reason: 'Conflict', message: modified });
    expect((await registry.stored(configMaps, 'a'))?.data).to.deep.equal({ k: 'faster' });
  });

  it('goes on until it comes first, however many come before', async () => {
    await registry.create(configMaps, configMap('a'));
    let writes = 0;
    const interfere = async (): Promise<void> => {
      if (writes++ > 20) return;
      await registry.change(configMaps, 'a', setData(`other ${writes}`));
      registry.storage.interruptNextWrite(interfere);
    };
    registry.storage.interruptNextWrite(interfere);
    const update = registry.change(configMaps, 'a', (object) => {
      delete object.metadata.resourceVersion;
      setData('mine')(object);
    });
    expect((await update).data).to.deep.equal({ k: 'mine' });
    expect(writes).to.be.above(20);
  });

  it('writes nothing when nothing changes, and keeps the version', async () => {
    const created = await registry.create(configMaps, configMap('a', { k: 'v' }));
    const before = registry.storage.writeCount;
    expect(await registry.change(configMaps, 'a', setData('v'))).to.deep.equal(created);
    expect(registry.storage.writeCount).to.equal(before);
  });

  describe('keeps what an update cannot change', () => {
    it('by putting it back', async () => {
      const created = await registry.create('apps/v1/deployments', deployment('a'));
      const updated = await registry.change('apps/v1/deployments', 'a', ({ metadata }) => {
        metadata.creationTimestamp = '2001-01-01T00:00:00Z';
        metadata.generation = 77;
        metadata.selfLink = '/x';
        metadata.clusterName = 'c';
        metadata.labels = { a: 'b' };
      });
      expect(updated.metadata).to.deep.equal({
        ...created.metadata,
        labels: { a: 'b' },
        resourceVersion: updated.metadata.resourceVersion,
      });
    });

    const fixed: [field: string, value: unknown, message: string][] = [
      ['uid', 'other', 'Invalid value: "other": field is immutable'],
      ['deletionGracePeriodSeconds', 5, 'Invalid value: 5: field is immutable'],
    ];
    for (const [field, value, message] of fixed) {
      it(`by refusing a change of ${field}, with the cause told twice`, async () => {
        await registry.create(configMaps, configMap('a'));
        const update = registry.change(configMaps, 'a', ({ metadata }) => {
          metadata[field] = value;
        });
        const status = await expectStatus(update, {
          code: 422,
          message: `ConfigMap "a" is invalid: metadata.${field}: ${message}`,
        });
        const cause = { reason: 'FieldValueInvalid', message, field: `metadata.${field}` };
        expect(status.details?.causes).to.deep.equal([cause, cause]);
      });
    }
  });

  describe('checks metadata as often as release 1.20 does', () => {
    const service = { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
    const slice = { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [] };
    const counts: [path: string, object: JsonObject, uid: number, labels: number, finalizers: number][] = [
      ['v1/configmaps', configMap('a'), 2, 4, 2],
      ['v1/pods', pod('a'), 2, 4, 2],
      ['v1/services', service, 2, 4, 2],
      ['apps/v1/deployments', deployment('a'), 2, 3, 1],
      ['discovery.orch.io/v1beta1/endpointslices', slice, 1, 3, 1],
      ['rbac.authorization.orch.io/v1/roles', { metadata: { name: 'a' } }, 2, 5, 3],
      ['policy/v1beta1/poddisruptionbudgets', { metadata: { name: 'a' } }, 1, 2, 0],
    ];
    for (const [path, object, ...expected] of counts) {
      it(path, async () => {
        await registry.create(path, object);
        const changes = [{ uid: 'x' }, { labels: { '/k': '' } }, { finalizers: ['bad'] }];
        const found: number[] = [];
        for (const change of changes) {
          const update = registry.change(path, 'a', ({ metadata }) => Object.assign(metadata, change), {
            isDryRun: true,
          });
          const status = await statusOf(update).catch(() => undefined);
          found.push(status?.details?.causes?.length ?? 0);
        }
        expect(found).to.deep.equal(expected);
      });
    }

    it('and wants the version of a service, beside all other causes', async () => {
      await registry.create('v1/services', service);
      const update = registry.change('v1/services', 'a', ({ metadata, spec }) => {
        delete metadata.resourceVersion;
        spec.sessionAffinity = 'Bad';
      });
      const { details } = await expectStatus(update, { code: 422 });
      expect(details?.causes?.map(({ field }) => field)).to.deep.equal([
        'metadata.resourceVersion',
        'metadata.resourceVersion',
        'spec.sessionAffinity',
      ]);
    });
  });

  it('shows a self link that was sent with a dry run', async () => {
    await registry.create(configMaps, configMap('a'));
    const change = ({ metadata }: JsonObject) => Object.assign(metadata, { selfLink: '/x' });
    expect((await registry.change(configMaps, 'a', change, { isDryRun: true })).metadata.selfLink).to.equal(
      '/x',
    );
    expect((await registry.change(configMaps, 'a', change)).metadata).to.not.have.property('selfLink');
  });

  describe('counts generations', () => {
    const generationAfter = async (change: (object: JsonObject) => void, subresource = '') => {
      await registry.create('apps/v1/deployments', deployment('a'));
      return (await registry.change('apps/v1/deployments', 'a', change, { subresource })).metadata.generation;
    };

    it('up when what is wanted changes', async () => {
      expect(await generationAfter(({ spec }) => Object.assign(spec, { replicas: 3 }))).to.equal(2);
    });

    it('up when an endpoint slice is sent with fields that are dropped, not when its labels change', async () => {
      const path = 'discovery.orch.io/v1beta1/endpointslices';
      const endpoints = [{ addresses: ['10.1.1.1'], conditions: {} }];
      await registry.create(path, { metadata: { name: 'a' }, addressType: 'IPv4', endpoints });
      const label = ({ metadata }: JsonObject) => Object.assign(metadata, { labels: { a: 'b' } });
      expect((await registry.change(path, 'a', label)).metadata.generation).to.equal(1);
      const send = (object: JsonObject) => Object.assign(object.endpoints[0], { nodeName: 'n' });
      const updated = await registry.change(path, 'a', send);
      expect(updated.metadata.generation).to.equal(2);
      expect(updated.endpoints[0]).to.not.have.property('nodeName');
    });

    it('not when an ingress of the latest version is written as it is', async () => {
      const path = 'networking.orch.io/v1/ingresses';
      const resource = { apiGroup: 'example.com', kind: 'Bucket', name: 'b' };
      const sent = { metadata: { name: 'a' }, spec: { defaultBackend: { resource } } };
      await registry.create(path, sent);
      const written = await registry.change(path, 'a', (object) => {
        object.spec = { defaultBackend: { resource } };
      });
      expect(written.metadata.generation).to.equal(1);
    });

    it('not when an amount is written in another unit', async () => {
      const path = 'apps/v1/deployments';
      const withMemory = (memory: string) => (object: JsonObject) =>
        Object.assign(object.spec.template.spec.containers[0], { resources: { limits: { memory } } });
      await registry.create(path, deployment('a'));
      expect((await registry.change(path, 'a', withMemory('1Ki'))).metadata.generation).to.equal(2);
      const { metadata, spec } = await registry.change(path, 'a', withMemory('1024'));
      expect(metadata.generation).to.equal(2);
      expect(spec.template.spec.containers[0].resources.limits.memory).to.equal('1024');
    });

    it('not when metadata changes', async () => {
      expect(
        await generationAfter(({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } })),
      ).to.equal(1);
    });

    it('not when status is written', async () => {
      const change = (object: JsonObject) => Object.assign(object, { status: { replicas: 1 } });
      expect(await generationAfter(change, 'status')).to.equal(1);
    });
  });

  describe('keeps the two halves apart', () => {
    it('by ignoring status in a write of the object', async () => {
      await registry.create('v1/pods', pod('p'));
      const updated = await registry.change('v1/pods', 'p', (object) => {
        object.status.phase = 'Running';
        object.metadata.labels = { a: 'b' };
      });
      expect(updated.status.phase).to.equal('Pending');
    });

    it('by keeping the metadata in a write of the status of flow control', async () => {
      const path = 'flowcontrol.apiserver.orch.io/v1beta1/flowschemas';
      const labels = { a: 'b' };
      const spec = { priorityLevelConfiguration: { name: 'x' }, matchingPrecedence: 5 };
      await registry.create(path, { metadata: { name: 'f', labels }, spec });
      const change = (object: JsonObject) => {
        delete object.metadata.labels;
        object.status = { conditions: [{ type: 'X' }] };
      };
      const updated = await registry.change(path, 'f', change, { subresource: 'status' });
      expect(updated.metadata.labels).to.deep.equal(labels);
      expect(updated.status.conditions).to.have.length(1);
    });

    it('by ignoring all else in a write of the status', async () => {
      await registry.create('apps/v1/deployments', deployment('a'));
      const change = (object: JsonObject) => {
        object.status = { replicas: 2 };
        object.spec.replicas = 9;
      };
      const updated = await registry.change('apps/v1/deployments', 'a', change, { subresource: 'status' });
      expect(updated.status).to.deep.equal({ replicas: 2 });
      expect(updated.spec.replicas).to.equal(1);
    });
  });

  describe('ends a deletion', () => {
    const finalizers = ['example.com/a', 'example.com/b'];
    const remaining = (names: string[]) => (object: JsonObject) =>
      Object.assign(object.metadata, { finalizers: names });
    beforeEach(async () => {
      await registry.create(configMaps, configMap('a', {}, { finalizers }));
    });

    it('by removing the object when its last finalizer goes', async () => {
      await registry.remove(configMaps, 'a');
      await registry.change(configMaps, 'a', remaining(['example.com/b']));
      expect((await registry.stored(configMaps, 'a'))?.metadata.finalizers).to.deep.equal(['example.com/b']);
      const last = await registry.change(configMaps, 'a', remaining([]));
      expect(last.metadata).not.to.have.property('finalizers');
      expect(await registry.stored(configMaps, 'a')).to.equal(undefined);
    });

    it('but not of an object that nobody deleted', async () => {
      await registry.change(configMaps, 'a', remaining([]));
      expect(await registry.stored(configMaps, 'a')).not.to.equal(undefined);
    });

    it('but not in a dry run', async () => {
      await registry.remove(configMaps, 'a');
      await registry.change(configMaps, 'a', remaining([]), { isDryRun: true });
      expect((await registry.stored(configMaps, 'a'))?.metadata.finalizers).to.deep.equal(finalizers);
    });

    it('but takes no new finalizers meanwhile', async () => {
      await registry.remove(configMaps, 'a');
      const status = await expectStatus(
        registry.change(configMaps, 'a', remaining([...finalizers, 'example.com/c'])),
        { code: 422, message: /no new finalizers can be added if the object is being deleted/ },
      );
      expect(status.details?.causes?.[0]?.field).to.equal('metadata.finalizers');
    });
  });

  describe('of an object that does not exist', () => {
    const put = (path: string, fields: JsonObject) =>
      updateObject(registry.served(path), {
        namespace: 'default',
        name: fields.metadata.name,
        subresource: '',
        manager: '',
        change: { kind: 'replace', body: { kind: 'value', value: fields } },
        options: { user: alice, isDryRun: false },
      });

    it('refuses a version that is no number', async () => {
      const create = put('v1/endpoints', { metadata: { name: 'x', resourceVersion: 'x' } });
      await expectStatus(create, { code: 500, message: 'strconv.ParseUint: parsing "x": invalid syntax' });
    });

    it('creates it where that is allowed', async () => {
      const result = await put('v1/endpoints', { metadata: { name: 'e', resourceVersion: '5' } });
      expect(result.wasCreated).to.equal(true);
      expect((await registry.stored('v1/endpoints', 'e'))?.metadata.uid).to.equal('uid-1');
    });

    it('fails elsewhere', async () => {
      await expectStatus(put('v1/pods', pod('p')), { code: 404, message: 'pods "p" not found' });
    });
  });

  it('leaves nothing behind as a dry run', async () => {
    const created = await registry.create(configMaps, configMap('a'));
    const updated = await registry.change(configMaps, 'a', setData('new'), { isDryRun: true });
    expect(updated.data).to.deep.equal({ k: 'new' });
    expect(updated.metadata.resourceVersion).to.equal(created.metadata.resourceVersion);
    expect(await registry.stored(configMaps, 'a')).to.deep.equal(created);
  });

  it('shows admission the new and the old object', async () => {
    const seen: unknown[] = [];
    await using guarded = await TestRegistry.open({
      admission: {
        admit: ({ operation, object, oldObject }) =>
          void seen.push([operation, (object as JsonObject)?.data, (oldObject as JsonObject)?.data]),
        validate() {},
      },
    });
    await guarded.create(configMaps, configMap('a', { k: '1' }));
    await guarded.change(configMaps, 'a', setData('2'));
    expect(seen).to.deep.equal([
      ['CREATE', { k: '1' }, undefined],
      ['UPDATE', { k: '2' }, { k: '1' }],
    ]);
  });
});
