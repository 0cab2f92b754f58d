import { expect } from 'chai';
import { takeSteps } from '../../../../src/base/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject, ManagedFieldsEntry } from '../../../../src/machinery/meta/index.ts';
import { copyOf } from '../../../../src/machinery/schema/index.ts';
import { inServedVersion, toStorageVersion } from '../../../../src/registry/versions.ts';
import { applyConfiguration, recordOwners } from '../../../../src/registry/write/owners.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { TestRegistry } from '../../../support/registry.ts';

const path = 'v1/configmaps';
const map = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', ...metadata },
  data,
});
const autoscaler = (version: string, spec: JsonObject): JsonObject => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: `autoscaling/${version}`,
  metadata: { name: 'h' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 5, ...spec },
});
const ingress = (apiVersion: string, spec: JsonObject): JsonObject => ({
  kind: 'Ingress',
  apiVersion,
  metadata: { name: 'i' },
  spec,
});
const cpu = { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 50 } };
/** `manager operation apiVersion` of entries, in order. */
const ownersOf = (entries: readonly ManagedFieldsEntry[] | undefined): string[] | undefined =>
  entries?.map(({ manager, operation, apiVersion }) => `${manager} ${operation} ${apiVersion}`);
const setsOf = (entries: readonly ManagedFieldsEntry[] | undefined): unknown[] | undefined =>
  entries?.map(({ fieldsV1 }) => fieldsV1);

describe('owners of fields in a registry', () => {
  let registry: TestRegistry;
  const open = async (options: { recordsOwners: boolean }) => {
    registry = await TestRegistry.open(options);
  };
  afterEach(() => registry[Symbol.asyncDispose]());

  const record = (object: ApiObject, live: ApiObject | undefined, manager: string, served = path) => {
    const kind = registry.served(served);
    takeSteps(recordOwners(kind, { live: live && inServedVersion(kind, live), object, manager }));
    return object;
  };
  const apply = (served: string, config: JsonObject, live: ApiObject | undefined, manager: string) =>
    takeSteps(
      applyConfiguration(registry.served(served), {
        live,
        config,
        manager,
        isForced: false,
        apiVersion: config.apiVersion,
        kind: config.kind,
      }),
    );

  describe('recordOwners', () => {
    it('forgets all owners for an empty list, but for kinds that take any members', async () => {
      await open({ recordsOwners: true });
      const served = registry.served(path);
      const type = { ...served.type, isUnstructured: true };
      const anyMembers: typeof served = Object.create(served, { type: { value: type } });
      const live = record(registry.decode(path, map({ k: '1' }, { uid: 'u' })), undefined, 'm');
      const ownersAfterwards = (kind: typeof served) => {
        const object = registry.decode(path, map({ k: '1' }, { uid: 'u' }));
        object.metadata.managedFields = [];
        takeSteps(recordOwners(kind, { live, object, manager: 'm' }));
        return ownersOf(object.metadata.managedFields);
      };
      expect(ownersAfterwards(served)).to.equal(undefined);
      expect(ownersAfterwards(anyMembers)).to.deep.equal(['m Update v1']);
    });

    it('gives a new object to its writer, at the time of the registry', async () => {
      await open({ recordsOwners: true });
      const { managedFields } = record(registry.decode(path, map({ k: '1' })), undefined, 'maker').metadata;
      expect(managedFields).to.deep.equal([
        {
          manager: 'maker',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2021-02-03T04:05:06Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { '.': {}, 'f:k': {} } },
        },
      ]);
    });

    it('knows a list that a request had, empty, from one that it had not', async () => {
      await open({ recordsOwners: true });
      const role = (rules: unknown) => ({
        kind: 'Role',
        apiVersion: 'rbac.authorization.orch.io/v1',
        metadata: { name: 'r' },
        rules,
      });
      const roles = 'rbac.authorization.orch.io/v1/roles';
      const maker = record(registry.decode(roles, role([])), undefined, 'maker', roles);
      expect(setsOf(maker.metadata.managedFields)).to.deep.equal([{ 'f:rules': {} }]);
      expect(
        record(registry.decode(roles, role(null)), undefined, 'x', roles).metadata.managedFields,
      ).to.equal(undefined);
      const range = (limits: unknown) => ({
        kind: 'LimitRange',
        apiVersion: 'v1',
        metadata: { name: 'r', uid: 'u', labels: { a: 'b' } },
        spec: { limits },
      });
      const ranges = 'v1/limitranges';
      const live = record(registry.decode(ranges, range(null)), undefined, 'maker', ranges);
      const changed = record(registry.decode(ranges, range([])), live, 'changer', ranges);
      expect(ownersOf(changed.metadata.managedFields)).to.deep.equal([
        'changer Update v1',
        'maker Update v1',
      ]);
      expect(setsOf(changed.metadata.managedFields)?.[0]).to.deep.equal({ 'f:spec': { 'f:limits': {} } });
    });

    it('knows what autoscalers had empty, and no more when they are read again', async () => {
      await open({ recordsOwners: true });
      const versions = ['v2beta1', 'v2beta2'];
      const pathOf = (version: string) => `autoscaling/${version}/horizontalpodautoscalers`;
      for (const version of versions) {
        const served = registry.served(pathOf(version));
        const config = autoscaler(version, {});
        const empty = { status: { currentMetrics: [], conditions: [] } };
        const object = registry.decode(pathOf(version), { ...config, ...empty });
        takeSteps(recordOwners(served, { live: undefined, object, manager: 'm' }));
        expect(setsOf(object.metadata.managedFields)?.[0]).to.deep.include({
          'f:status': { 'f:conditions': {}, 'f:currentMetrics': {} },
        });
        // Creating it takes the status away.
        const stored = toStorageVersion(served, copyOf(object));
        const live = inServedVersion(served, stored);
        const applied = apply(pathOf(version), config, live, 'n');
        expect(ownersOf(applied.managedFields)).to.deep.equal([
          `n Apply autoscaling/${version}`,
          `m Update autoscaling/${version}`,
        ]);
      }
    });

    it('forgets all owners of autoscalers too for an empty list', async () => {
      await open({ recordsOwners: true });
      const path = 'autoscaling/v1/horizontalpodautoscalers';
      const served = registry.served(path);
      const config = autoscaler('v1', {});
      const made = registry.decode(path, { ...config, metadata: { name: 'h', uid: 'u' } });
      takeSteps(recordOwners(served, { live: undefined, object: made, manager: 'm' }));
      const object = registry.decode(path, {
        ...config,
        metadata: { name: 'h', uid: 'u', managedFields: [] },
      });
      takeSteps(recordOwners(served, { live: made, object, manager: 'm' }));
      expect(object.metadata.managedFields).to.equal(undefined);
    });

    it('takes for the owners of API services whom requests name', async () => {
      await open({ recordsOwners: true });
      const service = (metadata: JsonObject = {}) => ({
        kind: 'APIService',
        apiVersion: 'apiregistration.orch.io/v1',
        metadata: { name: 'v1.a.b', ...metadata },
        spec: { group: 'a.b', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      });
      const services = 'apiregistration.orch.io/v1/apiservices';
      const ownersAfter = (metadata: JsonObject) =>
        record(registry.decode(services, service(metadata)), undefined, 'maker', services).metadata
          .managedFields;
      expect(ownersAfter({})).to.equal(undefined);
      expect(ownersAfter({ managedFields: [] })).to.equal(undefined);
      const sent = { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
      expect(ownersOf(ownersAfter({ managedFields: [sent] }))).to.deep.equal(['x Update v1']);
    });

    it('does not change what is stored', async () => {
      await open({ recordsOwners: true });
      const live = record(registry.decode(path, map({ k: '1' }, { uid: 'u' })), undefined, 'maker');
      const before = JSON.stringify(live);
      const object = record(registry.decode(path, map({ k: '2' })), live, 'changer');
      expect(ownersOf(object.metadata.managedFields)).to.deep.equal(['changer Update v1', 'maker Update v1']);
      expect(setsOf(object.metadata.managedFields)).to.deep.equal([
        { 'f:data': { 'f:k': {} } },
        { 'f:data': {} },
      ]);
      expect(JSON.stringify(live)).to.equal(before);
    });

    it('gives a new time only to the one who comes to own something', async () => {
      await open({ recordsOwners: true });
      const timesOf = ({ metadata }: ApiObject) =>
        metadata.managedFields?.map(({ manager, time }) => `${manager} ${time?.slice(11, 19)}`);
      const first = record(registry.decode(path, map({ k: '1' }, { uid: 'u' })), undefined, 'maker');
      registry.clock.advance(7_000);
      const same = record(registry.decode(path, map({ k: '1' }, { uid: 'u' })), first, 'idle');
      expect(timesOf(same)).to.deep.equal(['maker 04:05:06']);
      const grown = record(registry.decode(path, map({ k: '1', l: '2' }, { uid: 'u' })), same, 'grower');
      expect(timesOf(grown)).to.deep.equal(['maker 04:05:06', 'grower 04:05:13']);
      registry.clock.advance(1_000);
      const again = map({ k: '3', l: '2' }, { uid: 'u' });
      const rewritten = record(registry.decode(path, again), grown, 'maker');
      expect(timesOf(rewritten)).to.deep.equal(['maker 04:05:06', 'grower 04:05:13']);
      const more = map({ k: '3', l: '2', m: '4' }, { uid: 'u' });
      expect(timesOf(record(registry.decode(path, more), rewritten, 'maker'))).to.deep.equal([
        'grower 04:05:13',
        'maker 04:05:14',
      ]);
    });

    it('compares the stored object in the version of the request', async () => {
      await open({ recordsOwners: true });
      const v1 = 'autoscaling/v1/horizontalpodautoscalers';
      const v2 = 'autoscaling/v2beta1/horizontalpodautoscalers';
      await registry.create(v1, autoscaler('v1', { targetCPUUtilizationPercentage: 50 }));
      const live = (await registry.stored(v1, 'h')) as ApiObject;
      live.metadata.managedFields = [
        {
          manager: 'maker',
          operation: 'Update',
          apiVersion: 'autoscaling/v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:maxReplicas': {}, 'f:targetCPUUtilizationPercentage': {} } },
        },
      ];
      const same = registry.decode(v2, autoscaler('v2beta1', { metrics: [cpu] }));
      expect(ownersOf(record(same, live, 'other', v2).metadata.managedFields)).to.deep.equal([
        'maker Update autoscaling/v1',
      ]);
      const other = { ...cpu, resource: { name: 'cpu', targetAverageUtilization: 60 } };
      const changed = registry.decode(v2, autoscaler('v2beta1', { metrics: [other] }));
      const { managedFields } = record(changed, live, 'other', v2).metadata;
      expect(ownersOf(managedFields)).to.deep.equal([
        'maker Update autoscaling/v1',
        'other Update autoscaling/v2beta1',
      ]);
      expect(setsOf(managedFields)).to.deep.equal([
        { 'f:spec': { 'f:maxReplicas': {} } },
        { 'f:spec': { 'f:metrics': {} } },
      ]);
    });

    it('ignores what a write of a subresource brings of the record', async () => {
      await open({ recordsOwners: true });
      const live = record(registry.decode(path, map({ k: '1' }, { uid: 'u' })), undefined, 'maker');
      const write = (subresource: string, managedFields: ManagedFieldsEntry[]) => {
        const object = registry.decode(path, map({ k: '1', l: '2' }, { uid: 'u', managedFields }));
        takeSteps(recordOwners(registry.served(path), { live, object, manager: 'm', subresource }));
        return ownersOf(object.metadata.managedFields);
      };
      const sent: ManagedFieldsEntry[] = [
        {
          manager: 'other',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': {} },
        },
      ];
      for (const fields of [sent, [{}]]) {
        expect(write('status', fields)).to.deep.equal(['m Update v1', 'maker Update v1']);
      }
      expect(write('', sent)).not.to.include('maker Update v1');
    });

    it('drops the stored record where owners are not recorded, whatever is sent', async () => {
      await open({ recordsOwners: false });
      const managedFields: ManagedFieldsEntry[] = [{ manager: 'old', operation: 'Update', apiVersion: 'v1' }];
      const live = registry.decode(path, map({ k: '1' }, { uid: 'u', managedFields }));
      const object = registry.decode(path, map({ k: '2' }, { managedFields: [{}] }));
      expect(record(object, live, 'm').metadata.managedFields).to.equal(undefined);
      expect(record(object, undefined, 'm').metadata.managedFields).to.equal(undefined);
    });
  });

  describe('applyConfiguration', () => {
    it('takes over in one version what it applied in another', async () => {
      await open({ recordsOwners: true });
      const old = 'extensions/v1beta1/ingresses';
      const current = `${dialect.group('networking')}/v1/ingresses`;
      const tls = [{ hosts: ['x.example.com'] }];
      const backend = { serviceName: 's', servicePort: 80 };
      const first = apply(old, ingress('extensions/v1beta1', { tls, backend }), undefined, 'm');
      const defaultBackend = { service: { name: 's', port: { number: 80 } } };
      const apiVersion = `${dialect.group('networking')}/v1`;
      const live = registry.decode(current, {
        ...ingress(apiVersion, { tls, defaultBackend }),
        metadata: { name: 'i', uid: 'u', managedFields: first.managedFields },
      });
      const second = apply(current, ingress(apiVersion, { defaultBackend }), live, 'm');
      expect(ownersOf(second.managedFields)).to.deep.equal([`m Apply ${apiVersion}`]);
      expect(second.object.spec).to.deep.equal({ defaultBackend });
    });

    it('leaves objects and configurations as they are', async () => {
      await open({ recordsOwners: true });
      const live = record(registry.decode(path, map({ k: '1' }, { uid: 'u' })), undefined, 'maker');
      const config = map({ l: '2' });
      const before = JSON.stringify([live, config]);
      const { object, isChanged } = apply(path, config, live, 'm');
      expect(isChanged).to.equal(true);
      expect(object.data).to.deep.equal({ k: '1', l: '2' });
      expect(JSON.stringify([live, config])).to.equal(before);
    });

    it('answers the live object itself when nothing changes', async () => {
      await open({ recordsOwners: true });
      const first = apply(path, map({ k: '1' }), undefined, 'm');
      const live = registry.decode(path, map({ k: '1' }, { uid: 'u', managedFields: first.managedFields }));
      const again = apply(path, map({ k: '1' }), live, 'm');
      expect(again.isChanged).to.equal(false);
      expect(again.object).to.equal(live);
    });

    it('says whose fields it would change', async () => {
      await open({ recordsOwners: true });
      const live = record(registry.decode(path, map({ k: '1' }, { uid: 'u' })), undefined, 'maker');
      await expectStatus(() => apply(path, map({ k: '2' }), live, 'm'), {
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "maker" using v1: .data.k',
      });
    });

    it('is refused where owners are not recorded', async () => {
      await open({ recordsOwners: false });
      expect(() => apply(path, map({}), undefined, 'm')).to.throw(RangeError);
    });
  });
});
