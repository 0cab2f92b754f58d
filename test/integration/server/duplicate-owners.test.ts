import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const owner = (uid: string, name = uid): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', name, uid });
const owned = (name: string, ...ownerReferences: JsonObject[]): JsonObject => {
  const map = configMap(name);
  return { ...map, metadata: { ...map.metadata, ownerReferences } };
};
const warning = (text: string): RegExp =>
  new RegExp(
    `^299 - "\\.metadata\\.ownerReferences contains duplicate entries${text}; API server dedups .*: a"$`,
  );

describe('owner references that are there twice', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await admin.create(maps, configMap('there'));
  });
  after(() => server.stop());

  it('are kept once when an object is created, with a warning, and its fields have owners', async () => {
    const { code, body, headers } = await admin.send('POST', maps, {
      body: owned('new', owner('a'), owner('b'), owner('a')),
    });
    expect(code).to.equal(201);
    expect(body.metadata.ownerReferences).to.deep.equal([owner('a'), owner('b')]);
    expect(headers.warning).to.match(warning(''));
    const [{ fieldsV1 }] = body.metadata.managedFields;
    expect(fieldsV1['f:metadata']['f:ownerReferences']).to.have.keys('.', 'k:{"uid":"a"}', 'k:{"uid":"b"}');
  });

  it('are kept once when it is replaced, and when it is patched', async () => {
    const put = await admin.send('PUT', `${maps}/there`, { body: owned('there', owner('a'), owner('a')) });
    expect(put.body.metadata.ownerReferences).to.deep.equal([owner('a')]);
    expect(put.headers.warning).to.match(warning(''));
    const body = { metadata: { ownerReferences: [owner('a'), owner('a')] } };
    const contentType = 'application/merge-patch+json';
    const patch = await admin.send('PATCH', `${maps}/there`, { body, contentType });
    expect(patch.body.metadata.ownerReferences).to.deep.equal([owner('a')]);
    expect(patch.headers.warning).to.match(warning(' after mutating admission happens'));
  });

  it('stay when they differ in anything but their uid', async () => {
    const { body, headers } = await admin.send('POST', maps, {
      body: owned('differing', owner('a'), owner('a', 'other')),
    });
    expect(body.metadata.ownerReferences).to.have.length(2);
    expect(headers).not.to.have.property('warning');
  });
});
