import { expect } from 'chai';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('metrics of the store', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  it('tell how long it takes, by what it is asked for and the type of the objects', async () => {
    const path = inNamespace('default', 'configmaps');
    await server.admin.create(path, configMap('timed'));
    await server.admin.expect('DELETE', `${path}/timed`);
    const { text } = await server.admin.get('/metrics');
    const labelsOf = (operation: string) => `{operation="${operation}",type="*core.ConfigMap"}`;
    expect(text).to.match(/^# TYPE etcd_request_duration_seconds histogram$/m);
    expect(text).to.contain(`etcd_request_duration_seconds_count${labelsOf('delete')} 1`);
    expect(text).to.contain(`etcd_request_duration_seconds_sum${labelsOf('create')} `);
  });
});
