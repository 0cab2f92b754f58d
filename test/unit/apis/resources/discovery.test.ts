import { expect } from 'chai';
import {
  buildDiscovery,
  createResourceTable,
  listServicePaths,
  localApiServices,
} from '../../../../src/apis/resources/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';

const table = createResourceTable({ dialect });
const addresses = [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }];
const documents = buildDiscovery(table, { addresses, otherPaths: ['/healthz', '/version'] });

/** The part of a document that tests look into. */
interface Named {
  readonly resources: ReadonlyArray<{ readonly name: string }>;
  readonly groups: ReadonlyArray<{ readonly name: string }>;
  readonly paths: readonly string[];
}
// Each test reads the field that its path's document has.
const named = (path: string): Named => documents.get(path) as unknown as Named;

describe('buildDiscovery', () => {
  it('lists the core versions with addresses and without apiVersion', () => {
    expect(documents.get('/api')).to.deep.equal({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: addresses,
    });
  });

  it('describes one group', () => {
    expect(JSON.stringify(documents.get('/apis/networking.orch.io'))).to.equal(
      '{"kind":"APIGroup","apiVersion":"v1","name":"networking.orch.io","versions":[' +
        '{"groupVersion":"networking.orch.io/v1","version":"v1"},' +
        '{"groupVersion":"networking.orch.io/v1beta1","version":"v1beta1"}],' +
        '"preferredVersion":{"groupVersion":"networking.orch.io/v1","version":"v1"}}',
    );
  });

  it('lists groups in the order of their priorities', () => {
    const names = named('/apis').groups.map((group) => group.name);
    expect(names.slice(0, 4)).to.deep.equal([
      'apiregistration.orch.io',
      'apps',
      'events.orch.io',
      'authentication.orch.io',
    ]);
    expect(names).to.have.lengthOf(20);
    expect(names).not.to.include('');
  });

  it('lists resources sorted, subresources after their parent', () => {
    expect(named('/apis/apps/v1').resources.map((entry) => entry.name)).to.deep.equal([
      'controllerrevisions',
      'daemonsets',
      'daemonsets/status',
      'deployments',
      'deployments/scale',
      'deployments/status',
      'replicasets',
      'replicasets/scale',
      'replicasets/status',
      'statefulsets',
      'statefulsets/scale',
      'statefulsets/status',
    ]);
  });

  it('writes entries in wire order and leaves out what is empty', () => {
    const resources = named('/api/v1').resources;
    const find = (name: string) => JSON.stringify(resources.find((entry) => entry.name === name));
    expect(find('pods')).to.equal(
      '{"name":"pods","singularName":"","namespaced":true,"kind":"Pod","verbs":["create","delete",' +
        '"deletecollection","get","list","patch","update","watch"],"shortNames":["po"],"categories":["all"],' +
        '"storageVersionHash":"xPOwRZ+Yhw8="}',
    );
    expect(find('pods/eviction')).to.equal(
      '{"name":"pods/eviction","singularName":"","namespaced":true,"group":"policy","version":"v1beta1",' +
        '"kind":"Eviction","verbs":["create"]}',
    );
    expect(find('bindings')).to.equal(
      '{"name":"bindings","singularName":"","namespaced":true,"kind":"Binding","verbs":["create"]}',
    );
  });

  it('names apiVersion in every list but those of the two oldest groups', () => {
    expect(documents.get('/api/v1')).not.to.have.property('apiVersion');
    expect(documents.get('/apis/extensions/v1beta1')).not.to.have.property('apiVersion');
    expect(documents.get('/apis/apps/v1')).to.include({ apiVersion: 'v1', groupVersion: 'apps/v1' });
  });

  it('lists all paths at the root, sorted', () => {
    const { paths } = named('/');
    expect(paths).to.include.members(['/api', '/api/v1', '/apis', '/apis/', '/apis/apps/v1', '/healthz']);
    expect(paths).to.deep.equal([...paths].sort());
    expect(paths).not.to.include('/index.html');
    expect(named('/index.html')).to.deep.equal({ paths });
  });
});

describe('localApiServices', () => {
  it('registers every served version but those of the registration group', () => {
    const services = localApiServices(table);
    expect(services).to.have.lengthOf(35);
    expect(services[0]).to.deep.equal({
      name: 'v1.',
      spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
    });
    expect(services.find((service) => service.name === 'v1.apps')?.spec).to.deep.equal({
      group: 'apps',
      version: 'v1',
      groupPriorityMinimum: 17800,
      versionPriority: 15,
    });
  });

  it('has a priority for every version that can be served', () => {
    const all = createResourceTable({ dialect, runtimeConfig: { 'api/all': 'true' } });
    const versions = all.groups.flatMap((group) => group.versions);
    expect(localApiServices(all)).to.have.lengthOf(versions.length - 2);
  });
});

describe('listServicePaths', () => {
  it('holds health checks and no discovery paths', () => {
    const paths = listServicePaths(table);
    expect(paths).to.include.members(['/healthz', '/livez/ping', '/metrics', '/readyz/shutdown', '/version']);
    expect(paths.filter((path) => path.startsWith('/api'))).to.deep.equal([]);
  });
});
