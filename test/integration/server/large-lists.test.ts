import { type ClientHttp2Session, connect } from 'node:http2';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const table = 'application/json;as=Table;v=v1;g=meta.orch.io';
const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.orch.io';
const count = 300;

/** The body of the list, of which a little is taken in each turn. */
async function readSlowly(session: ClientHttp2Session, accept: string): Promise<Buffer> {
  const stream = session.request({ ':path': maps, accept });
  stream.end();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    // Without an encoding, streams give buffers.
    chunks.push(chunk as Buffer);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.concat(chunks);
}

describe('lists that are sent while they are made', () => {
  let server: TestServer;
  let admin: ApiClient;
  const names = Array.from({ length: count }, (_, n) => `m-${String(n).padStart(3, '0')}`);
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    // Names are long enough for the metadata alone to be large, too.
    const annotations = { text: 'ü'.repeat(2500) };
    await Promise.all(names.map((name) => admin.create(maps, configMap(name, { name }, { annotations }))));
  });
  after(async () => {
    for (const session of sessions) session.close();
    await server.stop();
  });

  const namesOf = (items: JsonObject[]) => items.map(({ metadata }) => metadata.name);

  it('are whole, with their length', async () => {
    const { headers, text, body } = await admin.get(maps);
    expect(Buffer.byteLength(text)).to.be.above(1024 * 1024);
    expect(headers['content-length']).to.equal(String(Buffer.byteLength(text)));
    expect(namesOf(body.items)).to.deep.equal(names);
    expect(body.items[7].data).to.deep.equal({ name: 'm-007' });
    expect(body.items[0]).to.not.have.property('kind');
  });

  it('are whole for many clients at once, slow ones among them, whatever they speak', async () => {
    const protobuf = 'application/vnd.orch.protobuf';
    const [json, binary] = await Promise.all([
      readSlowly(openSession(), 'application/json'),
      readSlowly(openSession(), protobuf),
    ]);
    expect(namesOf(JSON.parse(json.toString()).items)).to.deep.equal(names);
    const session = openSession();
    const lists = Array.from({ length: 24 }, async (_, n): Promise<void> => {
      const isBinary = n % 3 === 0;
      const accept = isBinary ? protobuf : 'application/json';
      const whole = isBinary ? binary : json;
      if (n % 4 === 0 && !isBinary) expect((await admin.get(maps)).text).to.equal(whole.toString());
      // Sessions of their own are not held up by the window that the others share.
      else
        expect((await readSlowly(n % 2 === 0 ? session : openSession(), accept)).equals(whole)).to.equal(
          true,
        );
    });
    await Promise.all(lists);
  });

  const sessions: ClientHttp2Session[] = [];
  const openSession = (): ClientHttp2Session => {
    const { url, authorityPem, adminCertificatePem: cert, adminKeyPem: key } = server.server;
    const session = connect(url, { ca: authorityPem, cert, key });
    sessions.push(session);
    return session;
  };
  it('are not served to HEAD, as in release 1.20', async () => {
    expect((await admin.send('HEAD', maps)).code).to.equal(405);
  });

  it('are the same as YAML', async () => {
    const { text, headers } = await admin.get(maps, { accept: 'application/yaml' });
    expect(headers).to.not.have.property('content-length');
    const { body } = await admin.get(maps);
    expect(load(text)).to.deep.equal(body);
    expect(text).to.match(/^apiVersion: v1\nitems:\n- /);
    expect(text).to.match(/\nkind: ConfigMapList\nmetadata:\n {2}resourceVersion: "\d+"\n$/);
  });

  it('have a row for each object as a table', async () => {
    const { body } = await admin.get(maps, { accept: table });
    expect(body.columnDefinitions[0].name).to.equal('Name');
    expect(body.rows.map(({ cells }: JsonObject) => cells[0])).to.deep.equal(names);
  });

  it('have the metadata of each object', async () => {
    const { body } = await admin.get(maps, { accept: partial });
    expect(body.kind).to.equal('PartialObjectMetadataList');
    expect(namesOf(body.items)).to.deep.equal(names);
  });

  it('say what is wrong with a request before they begin', async () => {
    for (const path of [`${maps}?`, `${maps}?watch=true&`]) {
      const { code, body } = await admin.get(`${path}includeObject=Some`, { accept: table });
      expect(code, path).to.equal(400);
      expect(body.message).to.equal(
        `Unable to convert to Table as requested: includeObject: Invalid value: "Some": must be 'Metadata', 'Object', 'None', or empty`,
      );
    }
  });

  it('of nothing are lists, too', async () => {
    const secrets = inNamespace('default', 'configmaps?labelSelector=none%3Dsuch');
    const yaml = await admin.get(secrets, { accept: 'application/yaml' });
    expect(yaml.text).to.match(/^apiVersion: v1\nitems: \[\]\nkind: ConfigMapList\n/);
    const rows = await admin.get(secrets, { accept: table });
    expect(rows.body.rows).to.deep.equal([]);
    expect((await admin.get(secrets)).body.items).to.deep.equal([]);
  });

  it('of what a deletion of a collection deleted are whole', async () => {
    const { code, body } = await admin.send('DELETE', maps);
    expect(code).to.equal(200);
    expect(namesOf(body.items)).to.deep.equal(names);
    expect((await admin.get(maps)).body.items).to.deep.equal([]);
  });
});
