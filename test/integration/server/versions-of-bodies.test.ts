import { expect } from 'chai';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('bodies in another version than the path has', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  before(async () => {
    directory = await makeTemporaryDirectory();
    server = await startTestServer({ flags: [`--data-dir=${directory.path}`] });
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  const cases: [given: string, kind: string, resource: string, wanted: string][] = [
    ['apps/v1beta1', 'Deployment', 'deployments', 'apps/v1'],
    ['extensions/v1beta1', 'Deployment', 'deployments', 'apps/v1'],
    ['extensions/v1beta1', 'Ingress', 'ingresses', 'networking.orch.io/v1'],
    ['networking.orch.io/v1', 'Ingress', 'ingresses', 'extensions/v1beta1'],
    ['events.orch.io/v1', 'Event', 'events', 'v1'],
    ['v1', 'Event', 'events', 'events.orch.io/v1'],
  ];
  for (const [apiVersion, kind, resource, wanted] of cases) {
    it(`are refused as such: ${apiVersion} ${kind} at ${wanted}`, async () => {
      const root = wanted === 'v1' ? '/api/v1' : `/apis/${wanted}`;
      const { code, body } = await server.admin.send('POST', `${root}/namespaces/default/${resource}`, {
        body: { apiVersion, kind, metadata: { name: 'x' } },
      });
      expect({ code, reason: body.reason, message: body.message }).to.deep.equal({
        code: 400,
        reason: 'BadRequest',
        message: `the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`,
      });
    });
  }
});
