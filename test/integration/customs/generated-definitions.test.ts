import { expect } from 'chai';
import { dump } from 'js-yaml';
import {
  definitionsPath,
  discoveryPaths,
  generatedDefinition,
  generatedKind,
  generatedSpec,
} from '../../../bench/definitions/generated.ts';
import { untilEstablished } from '../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('the definitions of the benchmark', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  it('are of the size that the goals are for', () => {
    const yaml = dump(generatedDefinition(7), { noRefs: true });
    expect(yaml.length).to.be.within(55_000, 68_000);
    expect(yaml.match(/^ +field\d+:$/gm)).to.have.length(3 * 300);
  });

  it('are served, and keep the objects of the benchmark whole', async () => {
    const { admin } = server;
    const { plural, group, kind, collection } = generatedKind(7);
    await admin.create(definitionsPath, generatedDefinition(7));
    await untilEstablished(admin, `${plural}.${group}`);
    for (const path of discoveryPaths(8))
      expect((await admin.get(path)).body.resources[0].name).to.equal(plural);
    const spec = generatedSpec();
    const object = { apiVersion: `${group}/v1`, kind, metadata: { name: 'a' }, spec };
    expect((await admin.create(collection, object)).spec).to.deep.equal(spec);
  });
});
