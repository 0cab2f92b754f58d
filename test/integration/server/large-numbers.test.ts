import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { rawNumber } from '../../../src/base/index.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { applyAs, patchTypes } from '../../support/applier.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const digits = '9007199254740993';
const big = rawNumber(digits);
const path = '/apis/apps/v1/namespaces/default/deployments';
const podSpec = (spec: JsonObject): JsonObject => ({
  containers: [{ name: 'c', image: 'i' }],
  ...spec,
});
const deployment = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: podSpec(spec) },
  },
});
const grace = { terminationGracePeriodSeconds: big };
const inTemplate = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

describe('whole numbers beyond doubles', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await admin.create(path, deployment('kept', grace));
  });
  after(() => server.stop());

  const textOf = async (name: string, accept = 'application/json'): Promise<string> =>
    (await admin.get(`${path}/${name}`, { accept })).bytes.toString();

  it('keep all their digits when they are stored and read', async () => {
    expect(await textOf('kept')).to.include(`"terminationGracePeriodSeconds":${digits}`);
    expect(await textOf('kept', 'application/yaml')).to.include(`terminationGracePeriodSeconds: ${digits}`);
    const table = await textOf('kept', 'application/json;as=Table;v=v1;g=meta.orch.io');
    expect(table).to.include('"kind":"Table"');
  });

  const patches: Readonly<Record<string, unknown>> = {
    [patchTypes.merge]: { metadata: { labels: { x: 'y' } } },
    [patchTypes.strategic]: { metadata: { labels: { x: 'y' } } },
    [patchTypes.json]: [{ op: 'add', path: '/metadata/labels', value: { x: 'y' } }],
  };
  for (const [contentType, body] of Object.entries(patches)) {
    it(`stay when something else changes by ${contentType}`, async () => {
      await admin.expect('PATCH', `${path}/kept`, { body, contentType });
      expect(await textOf('kept')).to.include(`"terminationGracePeriodSeconds":${digits}`);
    });
  }

  it('can be applied, as JSON and as YAML, and are no change the second time', async () => {
    const first = await applyAs(admin, 'm', `${path}/applied`, deployment('applied', grace));
    const yaml = JSON.stringify(deployment('applied', grace));
    const second = await applyAs(admin, 'm', `${path}/applied`, `# YAML\n${yaml}`);
    expect(second.body.metadata.resourceVersion).to.equal(first.body.metadata.resourceVersion);
    expect(await textOf('applied')).to.include(`"terminationGracePeriodSeconds":${digits}`);
  });

  it('can be copied by a JSON patch', async () => {
    const from = '/spec/template/spec/terminationGracePeriodSeconds';
    const to = '/spec/template/spec/activeDeadlineSeconds';
    const { body } = await admin.send('PATCH', `${path}/kept?dryRun=All`, {
      body: [{ op: 'copy', from, path: to }],
      contentType: patchTypes.json,
    });
    expect(body.message).to.include('activeDeadlineSeconds in ReplicaSet is not Supported');
  });

  const refused = { securityContext: { runAsUser: rawNumber('-7889848476955126417') } };
  const message =
    /runAsUser: Invalid value: -7889848476955126417: must be between 0 and 2147483647, inclusive/;

  it('are refused where they are too large, however they come', async () => {
    const answers = [
      await admin.send('POST', path, { body: deployment('refused', refused) }),
      await admin.send('PUT', `${path}/kept`, { body: deployment('kept', refused) }),
      await admin.send('PATCH', `${path}/kept`, { body: inTemplate(refused), contentType: patchTypes.merge }),
      await admin.send('PATCH', `${path}/kept`, {
        body: inTemplate(refused),
        contentType: patchTypes.strategic,
      }),
      await applyAs(admin, 'm', `${path}/refused`, deployment('refused', refused)),
    ];
    for (const { code, body } of answers) {
      expect(code).to.equal(422);
      expect(body.message).to.match(message);
    }
  });
});
