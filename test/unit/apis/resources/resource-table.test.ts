import { expect } from 'chai';
import {
  createResourceTable,
  parseRuntimeConfig,
  RuntimeConfigError,
} from '../../../../src/apis/resources/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';

const tableWith = (text: string) => createResourceTable({ dialect, runtimeConfig: parseRuntimeConfig(text) });

describe('createResourceTable', () => {
  it('describes a stored resource in full', () => {
    expect(createResourceTable({ dialect }).find('apps', 'v1', 'replicasets')).to.deep.equal({
      group: 'apps',
      version: 'v1',
      resource: 'replicasets',
      kind: 'ReplicaSet',
      listKind: 'ReplicaSetList',
      singular: '',
      shortNames: ['rs'],
      categories: ['all'],
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storage: { group: 'apps', version: 'v1', kind: 'ReplicaSet' },
      storePrefix: 'replicasets',
      storageVersionHash: 'P1RzHs8/mWQ=',
      subresources: [
        {
          name: 'scale',
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'status',
          group: 'apps',
          version: 'v1',
          kind: 'ReplicaSet',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    });
  });

  for (const [group, version, resource, hash] of [
    ['', 'v1', 'pods', 'xPOwRZ+Yhw8='],
    ['', 'v1', 'replicationcontrollers', 'Jond2If31h0='],
    ['', 'v1', 'persistentvolumeclaims', 'QWTyNDq0dC4='],
    ['', 'v1', 'podtemplates', 'LIXB2x4IFpk='],
    ['apps', 'v1', 'deployments', '8aSe+NMegvE='],
  ] as const) {
    it(`computes the storage version hash of ${resource}`, () => {
      expect(createResourceTable({ dialect }).find(group, version, resource)?.storageVersionHash).to.equal(
        hash,
      );
    });
  }

  it('knows storage versions and prefixes that differ from the path', () => {
    const table = createResourceTable({ dialect });
    const ingress = table.find('networking.orch.io', 'v1', 'ingresses');
    expect(ingress?.storage).to.deep.equal({
      group: 'networking.orch.io',
      version: 'v1beta1',
      kind: 'Ingress',
    });
    expect(ingress?.storePrefix).to.equal('ingress');
    expect(table.find('events.orch.io', 'v1', 'events')?.storage?.group).to.equal('');
    expect(table.find('', 'v1', 'nodes')?.storePrefix).to.equal('minions');
  });

  it('serves some old versions only when they are named', () => {
    const version = 'discovery.orch.io/v1alpha1';
    const isServed = (runtimeConfig: Record<string, string>) =>
      createResourceTable({ dialect, runtimeConfig }).find(
        'discovery.orch.io',
        'v1alpha1',
        'endpointslices',
      ) !== undefined;
    expect(isServed({})).to.equal(false);
    expect(isServed({ 'api/all': 'true' })).to.equal(false);
    expect(isServed({ 'api/alpha': 'true' })).to.equal(false);
    expect(isServed({ [version]: '' })).to.equal(true);
    expect(isServed({ [version]: 'true', 'api/alpha': 'false' })).to.equal(true);
  });

  it('has no storage for kinds that are never stored', () => {
    const bindings = createResourceTable({ dialect }).find('', 'v1', 'bindings');
    expect(bindings).not.to.have.any.keys('storage', 'storePrefix', 'storageVersionHash');
  });

  it('finds a resource by kind and in the preferred version', () => {
    const table = createResourceTable({ dialect });
    expect(table.byKind({ group: 'batch', version: 'v1beta1', kind: 'CronJob' })?.resource).to.equal(
      'cronjobs',
    );
    expect(table.preferred('networking.orch.io', 'ingresses')?.version).to.equal('v1');
    expect(table.preferred('batch', 'cronjobs')?.version).to.equal('v1beta1');
    expect(table.preferred('batch', 'nothing')).to.equal(undefined);
  });

  it('serves gated resources only with their gate', () => {
    const subresources = (gates: string[]) =>
      createResourceTable({ dialect, gates: new Set(gates) })
        .find('', 'v1', 'pods')
        ?.subresources.map((sub) => sub.name);
    expect(subresources([])).not.to.include('ephemeralcontainers');
    expect(subresources(['EphemeralContainers'])).to.include('ephemeralcontainers');
  });

  it('gives every stored resource a prefix and every subresource verbs', () => {
    const gates = new Set(['EphemeralContainers', 'CSIStorageCapacity']);
    const table = createResourceTable({ dialect, gates, runtimeConfig: { 'api/all': 'true' } });
    expect(table.resources).to.have.lengthOf(94);
    for (const resource of table.resources) {
      expect(resource.verbs, resource.resource).not.to.have.lengthOf(0);
      expect(resource.storage === undefined).to.equal(resource.storePrefix === undefined);
      for (const sub of resource.subresources) expect(sub.verbs, sub.name).not.to.have.lengthOf(0);
    }
  });
});

describe('runtime configuration', () => {
  const served = (text: string, group: string) =>
    tableWith(text).groups.find((entry) => entry.name === group)?.versions;

  for (const [text, group, versions] of [
    ['', 'batch', ['v1', 'v1beta1']],
    ['', 'internal.apiserver.orch.io', undefined],
    ['batch/v2alpha1', 'batch', ['v1', 'v1beta1', 'v2alpha1']],
    ['batch/v2alpha1=true', 'batch', ['v1', 'v1beta1', 'v2alpha1']],
    ['api/all=true', 'batch', ['v1', 'v1beta1', 'v2alpha1']],
    ['api/alpha=true', 'storage.orch.io', ['v1', 'v1beta1', 'v1alpha1']],
    ['api/beta=false', 'batch', ['v1']],
    ['api/beta=false', 'policy', undefined],
    ['api/all=false,api/ga=true', 'batch', ['v1']],
    ['api/ga=true,api/all=false', 'batch', ['v1']],
    ['api/all=false,batch/v1=t', 'batch', ['v1']],
    ['api/all=false,batch/v1=t', '', undefined],
    ['/v1=false', '', undefined],
    ['apps/v1/deployments=false', 'apps', ['v1']],
    ['batch/v1=0 , batch/v1beta1=1', 'batch', ['v1beta1']],
  ] as const) {
    it(`${JSON.stringify(text)} serves ${group || 'the core group'} in ${versions ?? 'no version'}`, () => {
      expect(served(text, group)).to.deep.equal(versions);
    });
  }

  it('prefers the first version left', () => {
    const group = tableWith('batch/v1=false').groups.find((entry) => entry.name === 'batch');
    expect(group?.preferredVersion).to.equal('v1beta1');
  });

  it('switches single resources in extensions/v1beta1 only', () => {
    expect(
      tableWith('extensions/v1beta1/ingresses=false').find('extensions', 'v1beta1', 'ingresses'),
    ).to.equal(undefined);
    expect(tableWith('apps/v1/deployments=false').find('apps', 'v1', 'deployments')?.kind).to.equal(
      'Deployment',
    );
  });

  for (const [text, message] of [
    ['api/all=false', 'invalid key with only api/all=false'],
    ['v1=false', 'runtime-config invalid key v1'],
    ['a/b/c/d=true', 'runtime-config invalid key a/b/c/d'],
    ['nothing/v1=true', 'unknown api groups nothing'],
    ['batch/v9=true', 'group version batch/v9 that has not been registered'],
    [
      'batch/v1=maybe',
      'invalid value of batch/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
  ] as const) {
    it(`refuses ${text}`, () => {
      expect(() => tableWith(text)).to.throw(RuntimeConfigError, message);
    });
  }
});
