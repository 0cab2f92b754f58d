import { expect } from 'chai';
import { startInformer } from '../../../src/client/informer/index.ts';
import { listPages } from '../../../src/client/list-watch/index.ts';
import { createEncoding } from '../../../src/client/protobuf/index.ts';
import {
  createRestClient,
  type RestClient,
  type RestRequest,
  watchEvents,
} from '../../../src/client/rest/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../src/machinery/meta/index.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

for (const name of ['orch', 'kubernetes'] as const) {
  const dialect = createDialect(name);
  const mediaType = dialect.protobufMediaType;

  describe(`a client that speaks Protobuf, in the ${name} dialect`, () => {
    let server: TestServer;
    let json: RestClient;
    let client: RestClient;
    /** Media types of what was sent and answered last. */
    let seen: { sent: unknown; answered: unknown };
    before(async () => {
      server = await startTestServer({ flags: [`--dialect=${name}`] });
      const { url, authorityPem: ca, adminCertificatePem: cert, adminKeyPem: key } = server.server;
      const connection = { server: url, tls: { ca, cert, key }, auth: {} };
      json = createRestClient({ connection });
      client = createRestClient({
        connection,
        encoding: createEncoding(mediaType, dialect),
        trace: {
          onRequest({ headers }) {
            seen = { sent: headers['content-type'], answered: undefined };
          },
          onResponse({ headers }) {
            seen = { ...seen, answered: headers['content-type'] };
          },
        },
      });
    });
    after(async () => {
      client.close();
      json.close();
      await server.stop();
    });

    const configMap = (objectName: string, data: Record<string, string> = {}) => ({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: objectName, namespace: 'default' },
      data,
    });
    const get = (path: string): RestRequest => ({ method: 'GET', path });

    it('writes and reads objects, equal to their JSON', async () => {
      const body = {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'p', labels: { a: 'b' } },
        spec: {
          containers: [
            {
              name: 'c',
              image: 'i',
              ports: [{ containerPort: 80 }],
              resources: { limits: { cpu: '100m', memory: '1Gi' } },
              livenessProbe: { httpGet: { path: '/', port: 'web' } },
            },
          ],
        },
      };
      const created = await client.json({ method: 'POST', path: pods, body });
      expect(seen).to.deep.equal({ sent: mediaType, answered: mediaType });
      expect(created).to.deep.equal(await json.json(get(`${pods}/p`)));
      const read = await client.json<ApiObject>(get(`${pods}/p`));
      expect(read).to.deep.equal(created);
      const changed = { ...read, metadata: { ...read.metadata, labels: { a: 'c' } } };
      const updated = await client.json<ApiObject>({ method: 'PUT', path: `${pods}/p`, body: changed });
      expect(seen.sent).to.equal(mediaType);
      expect(updated.metadata.labels).to.deep.equal({ a: 'c' });
    });

    it('sends patches as they are, and reads the answer', async () => {
      await client.json({ method: 'POST', path: maps, body: configMap('patched') });
      const patched = await client.json<{ data: object }>({
        method: 'PATCH',
        path: `${maps}/patched`,
        body: { data: { k: 'v' } },
        contentType: 'application/merge-patch+json',
      });
      expect(patched.data).to.deep.equal({ k: 'v' });
      expect(seen).to.deep.equal({ sent: 'application/merge-patch+json', answered: mediaType });
    });

    it('sends options of deletions', async () => {
      await client.json({ method: 'POST', path: maps, body: configMap('doomed') });
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } };
      const refused = await client
        .json({ method: 'DELETE', path: `${maps}/doomed`, body })
        .catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(StatusError).with.property('code', 409);
      expect(seen.sent).to.equal(mediaType);
      await client.json({ method: 'DELETE', path: `${maps}/doomed`, body: { ...body, preconditions: {} } });
    });

    it('reads errors', async () => {
      const failure = await client.json(get(`${maps}/none`)).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(StatusError);
      expect(failure).to.deep.include({ code: 404, reason: 'NotFound' });
      expect((failure as StatusError).status).to.deep.include({
        kind: 'Status',
        message: 'configmaps "none" not found',
        details: { name: 'none', kind: 'configmaps' },
      });
    });

    it('takes JSON for what has no such form, and where it is asked for', async () => {
      await client.json(get('/version'));
      expect(seen.answered).to.equal('application/json');
      const accept = `application/json;as=Table;v=v1;g=${dialect.group('meta')}`;
      const table = await client.json<{ kind: string }>({ ...get(pods), accept });
      expect(table.kind).to.equal('Table');
    });

    it('lists page by page', async () => {
      for (const suffix of ['1', '2', '3']) {
        await client.json({ method: 'POST', path: maps, body: configMap(`page-${suffix}`) });
      }
      const names: (string | undefined)[] = [];
      for await (const page of listPages(client, { path: maps, pageSize: 2 })) {
        expect(page.resourceVersion).to.match(/^\d+$/);
        for (const { metadata } of page.items) names.push(metadata.name);
      }
      expect(seen.answered).to.equal(mediaType);
      expect(names).to.include.members(['page-1', 'page-2', 'page-3']);
      const whole = await client.json(get(maps));
      expect(whole).to.deep.equal(await json.json(get(maps)));
    });

    it('watches', async () => {
      const types: string[] = [];
      const query = { fieldSelector: 'metadata.name=watched' };
      const change = async () => {
        await client.json({
          method: 'POST',
          path: maps,
          body: configMap('watched', { big: 'x'.repeat(200_000) }),
        });
        await client.json({ method: 'PUT', path: `${maps}/watched`, body: configMap('watched', { a: 'b' }) });
        await client.json({ method: 'DELETE', path: `${maps}/watched` });
      };
      const changes = change();
      for await (const { type, object } of watchEvents(client, { ...get(maps), query })) {
        types.push(type);
        expect(object).to.deep.include({ kind: 'ConfigMap', apiVersion: 'v1' });
        if (type === 'DELETED') break;
      }
      await changes;
      expect(types.at(0)).to.equal('ADDED');
      expect(types.at(-1)).to.equal('DELETED');
    });

    it('is told why a watch is refused', async () => {
      const failure = await (async () => {
        for await (const _ of watchEvents(client, { ...get(maps), query: { resourceVersion: 'x' } }));
      })().catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(StatusError);
      expect(String(failure)).to.contain('resourceVersion: Invalid value');
    });

    it('keeps collections in memory that equal those of a JSON client', async () => {
      const aborter = new AbortController();
      const resource = { group: '', version: 'v1', resource: 'configmaps' };
      const options = { resource, namespace: 'default', signal: aborter.signal };
      const informers = [client, json].map((of) => startInformer({ ...options, client: of }));
      await Promise.all(informers.map(({ whenSynced }) => whenSynced));
      await client.json({ method: 'POST', path: maps, body: configMap('late', { k: 'v' }) });
      const [late, same] = await Promise.all(
        informers.map((informer) => eventually(async () => informer.get('default', 'late'))),
      );
      expect(late).to.deep.equal(same);
      aborter.abort();
      await Promise.all(informers.map(({ done }) => done));
    });
  });
}
