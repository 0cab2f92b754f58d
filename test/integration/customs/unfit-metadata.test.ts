import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import {
  definitionsPath,
  establish,
  openVersion,
  widget,
  widgetDefinition,
} from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const group = 'unfit.example.com';
const path = `/apis/${group}/v1/namespaces/default/widgets`;
const contentType = 'application/merge-patch+json';

const versionOf = (spec: JsonObject, metadata: JsonObject = { type: 'object' }): JsonObject =>
  openVersion('v1', {
    schema: { openAPIV3Schema: { type: 'object', properties: { metadata, spec } } },
    additionalPrinterColumns: [{ name: JSON.stringify([spec, metadata]), type: 'string', jsonPath: '.spec' }],
  });
const loose = {
  type: 'object',
  properties: { inner: { type: 'object', 'x-orch-preserve-unknown-fields': true } },
};
const embedding = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    inner: { type: 'object', 'x-orch-preserve-unknown-fields': true, 'x-orch-embedded-resource': true },
  },
};

describe('stored custom resources whose metadata a later definition refuses', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await establish(admin, widgetDefinition(group, { versions: [versionOf(loose)] }));
  });
  after(() => server.stop());

  /** Changes the definition, and waits until that holds. */
  const redefine = async (version: JsonObject): Promise<void> => {
    const body = { spec: { versions: [version] } };
    await admin.expect('PATCH', `${definitionsPath}/widgets.${group}`, { contentType, body });
    const [column] = version.additionalPrinterColumns;
    await eventually(async () => {
      const accept = 'application/json;as=Table;v=v1;g=meta.orch.io';
      const { columnDefinitions = [] } = (await admin.get(`${path}?limit=1`, { accept })).body;
      return columnDefinitions.some(({ name }: JsonObject) => name === column.name) || undefined;
    });
  };

  it('are read without embedded metadata that do not fit, and can be mended', async () => {
    const inner = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'inner', labels: { a: 5 } }, kept: [1] };
    await admin.create(path, widget(group, 'embedding', { spec: { inner } }));
    await admin.create(path, widget(group, 'nameless', { spec: { inner: { metadata: 'none' } } }));
    await redefine(versionOf(embedding));
    const { items } = await admin.expect('GET', path);
    expect(items.map(({ metadata }: JsonObject) => metadata.name)).to.deep.equal(['embedding', 'nameless']);
    const [object] = items;
    expect(object.spec.inner).to.deep.include({ apiVersion: 'v1', kind: 'Pod', kept: [1] });
    expect(object.spec.inner.metadata).to.deep.equal({ name: 'inner' });

    const mended = await admin.expect('PATCH', `${path}/embedding`, {
      contentType,
      body: { spec: { size: 1 } },
    });
    expect(mended.spec.inner.metadata).to.deep.equal({ name: 'inner' });
    // What is no metadata at all stays, as in release 1.20, and is refused until it is replaced.
    expect(items[1].spec.inner).to.deep.equal({ metadata: 'none' });
    const resize = { contentType, body: { spec: { size: 1 } } };
    const refused = await admin.send('PATCH', `${path}/nameless`, resize);
    expect([refused.code, refused.body.message]).to.satisfy(
      ([code, message]: [number, string]) =>
        code === 400 && message.includes('spec.inner.metadata: Invalid value'),
    );
    const whole = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x' } };
    await admin.expect('PATCH', `${path}/nameless`, { contentType, body: { spec: { inner: whole } } });
    expect((await admin.get(`${path}/nameless`)).body.spec.inner).to.deep.equal(whole);
  });

  it('are read with a name that is not allowed any more, and can be deleted', async () => {
    await admin.create(path, widget(group, 'old-name'));
    const metadata = { type: 'object', properties: { name: { type: 'string', pattern: '^new-' } } };
    await redefine(versionOf(embedding, metadata));
    expect((await admin.get(`${path}/old-name`)).code).to.equal(200);
    const body = { metadata: { labels: { a: 'b' } } };
    const refused = await admin.send('PATCH', `${path}/old-name`, { contentType, body });
    expect([refused.code, refused.body.message]).to.satisfy(
      ([code, message]: [number, string]) => code === 422 && message.includes('metadata.name'),
    );
    expect((await admin.send('POST', path, { body: widget(group, 'new-name') })).code).to.equal(201);
    await admin.expect('DELETE', `${path}/old-name`);
    expect((await admin.get(`${path}/old-name`)).code).to.equal(404);
  });
});
