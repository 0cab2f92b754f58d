import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { establish, openVersion, widget, widgetDefinition } from '../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const group = 'claims.example.com';
const path = `/apis/${group}/v1/namespaces/default/widgets`;
const contentType = 'application/merge-patch+json';

const open = { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } };
const versions = [
  openVersion('v1', { schema: open, subresources: { status: {} } }),
  openVersion('v2', { schema: open, storage: false }),
];

describe('what a patch may make a custom resource say that it is', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await establish(admin, widgetDefinition(group, { versions }));
    await admin.create(path, widget(group, 'one', { spec: { size: 1 } }));
  });
  after(() => server.stop());

  const patch = (body: JsonObject, subresource = '') =>
    admin.send('PATCH', `${path}/one${subresource}?dryRun=All`, { contentType, body });

  for (const [apiVersion, kind] of [
    ['v1', 'Widget'],
    [`${group}/v2`, `Widget.${group}`],
    ['other.io/v1', 'Widget.other.io'],
  ]) {
    it(`is not the version ${apiVersion}, in the words of its group`, async () => {
      const { code, body } = await patch({ apiVersion });
      expect(code).to.equal(422);
      expect(body.message).to.equal(
        `${kind} "one" is invalid: apiVersion: Invalid value: "${apiVersion}": must be ${group}/v1`,
      );
    });
  }

  it('counts not for the status, whose owners are known only of versions that there are', async () => {
    for (const [body, isKnown] of [
      [{ apiVersion: 'v1' }, false],
      [{ apiVersion: `${group}/v9` }, false],
      [{ kind: 'Other' }, false],
      [{ apiVersion: `${group}/v2` }, true],
    ] as const) {
      const answer = await patch(body, '/status');
      expect(answer.code).to.equal(200);
      expect([answer.body.apiVersion, answer.body.kind]).to.deep.equal([`${group}/v1`, 'Widget']);
      expect(answer.body.metadata.managedFields !== undefined).to.equal(isKnown);
    }
  });

  it('is not nothing', async () => {
    const { code, body } = await patch({ apiVersion: null });
    expect(code).to.equal(500);
    expect(body.message).to.contain("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  });

  it('is no list: one with a list of items is written, but not shown', async () => {
    for (const items of [[], [{}]]) {
      const { code, body } = await patch({ items });
      expect(code).to.equal(500);
      expect(body.message).to.equal(
        '*unstructured.Unstructured is not a list: no Items field in this object',
      );
    }
    expect((await patch({ items: {}, spec: { items: [] } })).code).to.equal(200);
  });
});
