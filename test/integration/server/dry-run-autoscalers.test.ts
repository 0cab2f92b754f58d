import { expect } from 'chai';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const path = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
const metric = (name: string) => ({
  type: 'Object',
  object: {
    describedObject: { kind: 'Service', name: 'web' },
    metric: { name },
    target: { type: 'Value', value: '3' },
  },
});
const autoscaler = {
  metadata: { name: 'web' },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
    maxReplicas: 3,
    metrics: [metric('hits')],
  },
};

describe('a dry run of an update of an autoscaler', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.admin.send('POST', path, { body: autoscaler });
  });
  after(() => server.stop());

  it('shows the new metrics over the old ones, also where nothing changes', async () => {
    for (const place of [`${path}/web`, `${path}/web/status`]) {
      const { code, body } = await server.admin.send('PUT', `${place}?dryRun=All`, { body: autoscaler });
      expect([code, body.spec.metrics]).to.deep.equal([200, [metric('hits'), metric('hits')]], place);
    }
    expect((await server.admin.get(`${path}/web`)).body.spec.metrics).to.deep.equal([metric('hits')]);
  });
});
