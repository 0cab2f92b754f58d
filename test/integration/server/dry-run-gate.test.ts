import { expect } from 'chai';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const pods = '/api/v1/namespaces/default/pods';

describe('a server whose gate DryRun is switched off', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ flags: ['--feature-gates=DryRun=false'] });
  });
  after(() => server.stop());

  it('tries nothing out', async () => {
    for (const [method, path] of [
      ['POST', `${pods}?dryRun=All`],
      ['PUT', `${pods}/p?dryRun=All`],
      ['PATCH', `${pods}/p?dryRun=All`],
      ['DELETE', `${pods}/p?dryRun=All`],
    ] as const) {
      const { code, body } = await server.admin.send(method, path, { body: { metadata: { name: 'p' } } });
      expect([code, body.message]).to.deep.equal([400, 'the dryRun feature is disabled']);
    }
    expect((await server.admin.get(`${pods}/p`)).code).to.equal(404);
  });
});
