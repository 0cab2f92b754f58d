import { expect } from 'chai';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const slices = (version: string) => `/apis/discovery.orch.io/${version}/namespaces/default/endpointslices`;

describe('versions that are served when they are named', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ flags: ['--runtime-config=discovery.orch.io/v1alpha1=true'] });
  });
  after(() => server.stop());

  it('are discovered, take objects and give them in the other version, defaults set', async () => {
    const { admin } = server;
    const { body: group } = await admin.get('/apis/discovery.orch.io');
    expect(group.versions.map(({ version }: { version: string }) => version)).to.deep.equal([
      'v1beta1',
      'v1alpha1',
    ]);
    const created = await admin.create(slices('v1alpha1'), {
      kind: 'EndpointSlice',
      apiVersion: 'discovery.orch.io/v1alpha1',
      metadata: { name: 's' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
      ports: [{ port: 80 }],
    });
    expect(created).to.include({ apiVersion: 'discovery.orch.io/v1alpha1', kind: 'EndpointSlice' });
    const { body } = await admin.get(`${slices('v1beta1')}/s`);
    expect(body).to.deep.include({
      apiVersion: 'discovery.orch.io/v1beta1',
      endpoints: [{ addresses: ['10.0.0.1'], conditions: {} }],
      ports: [{ name: '', protocol: 'TCP', port: 80 }],
    });
  });
});
