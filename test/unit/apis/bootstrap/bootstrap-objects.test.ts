import { expect } from 'chai';
import { type BootstrapOptions, bootstrapObjects } from '../../../../src/apis/bootstrap/index.ts';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createResourceTable } from '../../../../src/apis/resources/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';

const options: BootstrapOptions = {
  table: createResourceTable({ dialect: orchDialect }),
  securePort: 6443,
  advertiseAddresses: ['192.0.2.1'],
  firstServiceIp: '10.0.0.1',
  clientCa: 'PEM',
  now: '2021-01-01T00:00:00Z',
};
const find = (resource: string, name: string, changes: Partial<BootstrapOptions> = {}) =>
  bootstrapObjects({ ...options, ...changes }).find(
    (item) => item.resource.resource === resource && item.object.metadata.name === name,
  );

describe('bootstrapObjects', () => {
  it('makes the four namespaces first', () => {
    const names = bootstrapObjects(options)
      .slice(0, 4)
      .map(({ object }) => `${object.kind} ${object.metadata.name}`);
    expect(names).to.deep.equal([
      'Namespace default',
      'Namespace orch-node-lease',
      'Namespace orch-public',
      'Namespace orch-system',
    ]);
  });

  it('counts what the reference makes', () => {
    const counts: Record<string, number> = {};
    for (const { resource } of bootstrapObjects(options)) {
      counts[resource.resource] = (counts[resource.resource] ?? 0) + 1;
    }
    expect(counts).to.deep.equal({
      namespaces: 4,
      priorityclasses: 2,
      clusterroles: 60,
      clusterrolebindings: 41,
      roles: 7,
      rolebindings: 7,
      prioritylevelconfigurations: 7,
      flowschemas: 10,
      services: 1,
      endpoints: 1,
      endpointslices: 1,
      configmaps: 1,
      apiservices: 35,
    });
  });

  it('says where the server is', () => {
    expect(find('services', 'orch')?.object).to.deep.equal({
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'orch', namespace: 'default', labels: { component: 'apiserver', provider: 'orch' } },
      spec: {
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
        clusterIP: '10.0.0.1',
        ipFamilyPolicy: 'SingleStack',
        type: 'ClusterIP',
        sessionAffinity: 'None',
      },
    });
  });

  it('lists the addresses of all servers', () => {
    const advertiseAddresses = ['192.0.2.1', '192.0.2.2'];
    expect(find('endpoints', 'orch', { advertiseAddresses })?.object).to.deep.include({
      subsets: [
        {
          addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }],
          ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
        },
      ],
    });
    expect(find('endpointslices', 'orch', { advertiseAddresses })?.object).to.deep.include({
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['192.0.2.1'], conditions: { ready: true } },
        { addresses: ['192.0.2.2'], conditions: { ready: true } },
      ],
    });
    expect(find('endpointslices', 'orch', { advertiseAddresses: ['2001:db8::1'] })?.object).to.include({
      addressType: 'IPv6',
    });
  });

  it('publishes what aggregated servers trust', () => {
    const name = 'extension-apiserver-authentication';
    expect(find('configmaps', name)?.object).to.deep.include({ data: { 'client-ca-file': 'PEM' } });
    expect(find('configmaps', name, { clientCa: '' })?.object).to.deep.include({ data: {} });
    const requestHeader = {
      clientCa: 'PROXY',
      allowedNames: ['p'],
      usernameHeaders: ['X-Remote-User'],
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
    };
    expect(find('configmaps', name, { requestHeader })?.object).to.deep.include({
      data: {
        'client-ca-file': 'PEM',
        'requestheader-allowed-names': '["p"]',
        'requestheader-client-ca-file': 'PROXY',
        'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
        'requestheader-group-headers': '["X-Remote-Group"]',
        'requestheader-username-headers': '["X-Remote-User"]',
      },
    });
  });

  it('registers the versions that it serves as local and available', () => {
    expect(find('apiservices', 'v1.apps')).to.deep.equal({
      resource: { group: 'apiregistration.orch.io', version: 'v1', resource: 'apiservices' },
      policy: 'spec',
      object: {
        kind: 'APIService',
        apiVersion: 'apiregistration.orch.io/v1',
        metadata: { name: 'v1.apps', labels: { 'orch-aggregator.orch.io/automanaged': 'onstart' } },
        spec: { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 },
        status: {
          conditions: [
            {
              type: 'Available',
              status: 'True',
              lastTransitionTime: '2021-01-01T00:00:00Z',
              reason: 'Local',
              message: 'Local APIServices are always available',
            },
          ],
        },
      },
    });
  });

  it('puts back only the mandatory objects of flow control', () => {
    expect(find('flowschemas', 'catch-all')?.policy).to.equal('spec');
    expect(find('prioritylevelconfigurations', 'exempt')?.policy).to.equal('spec');
    expect(find('prioritylevelconfigurations', 'system')?.policy).to.equal('suggested');
  });

  it('leaves out what is not served', () => {
    const table = createResourceTable({
      dialect: orchDialect,
      runtimeConfig: { 'flowcontrol.apiserver.orch.io/v1beta1': 'false' },
    });
    expect(find('flowschemas', 'exempt', { table })).to.equal(undefined);
    expect(find('apiservices', 'v1beta1.flowcontrol.apiserver.orch.io', { table })).to.equal(undefined);
  });

  it('makes objects that fit their types, in both dialects', () => {
    for (const dialect of [orchDialect, createDialect('kubernetes')]) {
      const catalog = createTypeCatalog(dialect);
      for (const { resource, object } of bootstrapObjects({
        ...options,
        table: createResourceTable({ dialect }),
      })) {
        const type = catalog.kind({ group: resource.group, version: resource.version, kind: object.kind });
        expect(type, object.kind).not.to.equal(undefined);
        expect(() => type?.decode(object), object.metadata.name).not.to.throw();
      }
    }
  });
});
