import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { establish, widget, widgetDefinition } from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { type FrontProxyFlags, makeFrontProxy } from '../../support/front-proxy.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { type AnswerCall, WebhookServer } from '../../support/webhook-server.ts';

const apiServices = '/apis/apiregistration.orch.io/v1/apiservices';
const services = '/api/v1/namespaces/default/services';

describe('groups of other servers', () => {
  let proxy: FrontProxyFlags;
  let front: TestServer;
  before(async () => {
    proxy = await makeFrontProxy();
    front = await startTestServer({ flags: [...proxy.front, '--authorization-mode=AlwaysAllow'] });
  });
  after(async () => {
    await front.stop();
    await proxy.remove();
  });

  /** Registers a group that is served at a port of this machine, and waits until it is available. */
  const register = async (group: string, port: number, more: JsonObject = {}): Promise<void> => {
    const name = group.replaceAll('.', '-');
    await front.admin.create(services, {
      metadata: { name },
      spec: { type: 'ExternalName', externalName: '127.0.0.1', ports: [{ port }] },
    });
    await front.admin.create(apiServices, {
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { namespace: 'default', name, port },
        insecureSkipTLSVerify: true,
        ...more,
      },
    });
  };
  const conditionOf = (group: string, reason: string): Promise<JsonObject> =>
    eventually(async () => {
      const { body } = await front.admin.get(`${apiServices}/v1.${group}`);
      const [condition] = body.status.conditions ?? [];
      return condition?.reason === reason ? condition : undefined;
    });

  describe('by a server of its own resources behind this one', () => {
    const group = 'behind.example.com';
    const path = `/apis/${group}/v1/namespaces/default/widgets`;
    let behind: TestServer;
    let alice: ApiClient;
    before(async () => {
      behind = await startTestServer({ flags: proxy.behind });
      await establish(behind.admin, widgetDefinition(group));
      await register(group, Number(new URL(behind.server.url).port));
      await conditionOf(group, 'Passed');
      alice = front.withToken(tokens.alice);
    });
    after(() => behind.stop());

    it('are listed like its own', async () => {
      const { body: groups } = await front.admin.get('/apis');
      expect(groups.groups.map(({ name }: JsonObject) => name)).to.include(group);
      const { body: one } = await front.admin.get(`/apis/${group}`);
      expect(one.preferredVersion).to.deep.equal({ groupVersion: `${group}/v1`, version: 'v1' });
      const { body: resources } = await front.admin.get(`/apis/${group}/v1`);
      expect(resources.resources[0]).to.include({ name: 'widgets', kind: 'Widget' });
      expect((await front.admin.get('/')).body.paths).to.include(`/apis/${group}/v1`);
    });

    it('are in the document of all groups, with what they serve', async () => {
      const accept = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';
      const find = async () => {
        const { body } = await front.admin.get('/apis', { accept });
        return body.items.find(({ metadata }: JsonObject) => metadata.name === group);
      };
      const shown = await eventually(async () => {
        const found = await find();
        return found?.versions[0].freshness === 'Current' ? found : undefined;
      });
      const { body: own } = await behind.admin.get('/apis', { accept });
      const [theirs] = own.items.filter(({ metadata }: JsonObject) => metadata.name === group);
      expect(shown.versions).to.deep.equal(theirs.versions);
    });

    it('are written, read and watched through it', async () => {
      const created = await front.admin.create(path, widget(group, 'one', { spec: { size: 1 } }));
      expect(created.spec).to.deep.equal({ size: 1 });
      const watch = await front.admin.watch(path, { resourceVersion: '0' });
      await watch.take(1);
      await front.admin.expect('PATCH', `${path}/one`, {
        body: { spec: { size: 2 } },
        contentType: 'application/merge-patch+json',
      });
      const [first, second] = await watch.take(2);
      expect(first?.object.metadata.name).to.equal('one');
      expect(second?.object.spec).to.deep.equal({ size: 2 });
      watch.close();
      const table = await front.admin.get(path, { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
      expect(table.body.kind).to.equal('Table');
      await front.admin.expect('DELETE', `${path}/one`);
      expect((await behind.admin.get(path)).body.items).to.have.length(0);
    });

    it('are in the OpenAPI documents, as long as they are registered', async () => {
      const own = (await front.admin.get('/openapi/v2')).body;
      const { body: document, headers } = await eventually(async () => {
        const answer = await front.admin.get('/openapi/v2');
        return answer.body.paths[`/apis/${group}/v1/namespaces/{namespace}/widgets`] && answer;
      });
      const theirs = (await behind.admin.get('/openapi/v2')).body;
      const theirPaths = Object.keys(theirs.paths).filter((path) => path.startsWith(`/apis/${group}/v1/`));
      const added = Object.keys(document.paths).filter((path) => own.paths[path] === undefined);
      expect(theirPaths).to.include.members(added);
      for (const path of theirPaths) expect(document.paths[path], path).to.deep.equal(theirs.paths[path]);
      const name = 'com.example.behind.v1.Widget';
      expect(document.definitions[name]).to.deep.equal(theirs.definitions[name]);
      // Two servers of one release say the same of what both have.
      expect(Object.keys(document.definitions).filter((one) => /_v\d/.test(one))).to.deep.equal([]);
      const again = await front.admin.get('/openapi/v2', { 'if-none-match': String(headers.etag) });
      expect(again.code).to.equal(304);

      const path = `apis/${group}/v1`;
      const shown = await eventually(async () => (await front.admin.get('/openapi/v3')).body.paths[path]);
      const versioned = (await front.admin.get(shown.serverRelativeURL)).body;
      expect(versioned).to.deep.equal((await behind.admin.get(`/openapi/v3/${path}`)).body);

      const name2 = `v1.${group}`;
      const { body: registration } = await front.admin.get(`${apiServices}/${name2}`);
      await front.admin.expect('DELETE', `${apiServices}/${name2}`);
      const without = (await front.admin.get('/openapi/v2')).body;
      expect(Object.keys(without.paths).filter((one) => one.startsWith(`/apis/${group}/`))).to.deep.equal([]);
      expect(without.definitions[name]).to.equal(undefined);
      expect((await front.admin.get('/openapi/v3')).body.paths[path]).to.equal(undefined);
      const { spec } = registration;
      await front.admin.create(apiServices, { metadata: { name: name2 }, spec });
      await conditionOf(group, 'Passed');
    });

    it('are asked for by the user that this server knows', async () => {
      const { code, body } = await alice.get(path);
      expect(code).to.equal(403);
      expect(body.message).to.include('User "alice" cannot list resource "widgets"');
    });

    it('are asked for by whom somebody acts as', async () => {
      const { body } = await front.admin.get(path, { 'impersonate-user': 'bob' });
      expect(body.message).to.include('User "bob" cannot list resource "widgets"');
    });

    it('are asked for by nobody else, whatever a client says', async () => {
      const { body } = await alice.get(path, {
        'x-remote-user': 'admin',
        'x-remote-group': 'system:masters',
      });
      expect(body.message).to.include('User "alice"');
    });
  });

  describe('by a server that answers as it likes', () => {
    const group = 'odd.example.com';
    const base = `/apis/${group}/v1`;
    let odd: WebhookServer;
    let answer: AnswerCall;
    before(async () => {
      odd = await WebhookServer.start((call, response) => {
        if (call.url === base) response.setHeader('Content-Type', 'application/json').end('{}');
        else if (call.url.startsWith('/openapi/')) response.writeHead(404).end();
        else answer(call, response);
      });
      await register(group, odd.port);
      await conditionOf(group, 'Passed');
    });
    after(() => odd[Symbol.asyncDispose]());
    beforeEach(() => {
      odd.calls.length = 0;
    });

    it('is told who asks, and by which way', async () => {
      answer = (_call, response) => response.end('ok');
      await front.admin.get(`${base}/a%20b?z=1&a=%2F+x`);
      const [call] = odd.calls.filter(({ url }) => url.startsWith(`${base}/`));
      expect(call?.url).to.equal(`${base}/a%20b?a=%2F+x&z=1`);
      expect(call?.clientName).to.equal('front-proxy-client');
      expect(call?.serverName).to.equal('odd-example-com.default.svc');
      expect(call?.headers).to.include({
        host: `127.0.0.1:${odd.port}`,
        'x-remote-user': 'orch-admin',
        'x-remote-group': 'system:masters, system:authenticated',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
        'x-forwarded-uri': `${base}/a b`,
      });
      expect(call?.headers).not.to.have.property('authorization');
    });

    it('gets bodies as they are', async () => {
      answer = ({ body }, response) => response.end(body.toUpperCase());
      const { text } = await front.admin.send('POST', `${base}/echo`, { body: 'äbc', contentType: 'text/x' });
      expect(text).to.equal('ÄBC');
    });

    it('may pack what clients get unpacked', async () => {
      answer = (_call, response) =>
        response.setHeader('Content-Encoding', 'gzip').end(gzipSync('a long text '.repeat(1000)));
      const { text, headers } = await front.admin.get(`${base}/packed`);
      expect(text).to.have.length(12_000);
      expect(headers).not.to.have.property('content-encoding');
    });

    it('costs the request alone when it closes the connection', async () => {
      answer = (_call, response) => response.destroy();
      const { code, text } = await front.admin.get(`${base}/closed`);
      expect([code, text]).to.deep.equal([503, 'error trying to reach service: EOF\n']);
      answer = (_call, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('half');
        setImmediate(() => response.destroy());
      };
      const broken = await front.admin.get(`${base}/half`).then(
        () => expect.fail('was answered'),
        (error: unknown) => error,
      );
      expect(broken).to.be.instanceOf(Error);
      expect((await front.admin.get('/api/v1/namespaces/default')).code).to.equal(200);
    });

    it('delays nobody else when it does not answer', async () => {
      const held: (() => void)[] = [];
      answer = (_call, response) => held.push(() => response.end());
      const slow = Array.from({ length: 50 }, () => front.admin.get(`${base}/slow`));
      await eventually(async () => (held.length === 50 ? true : undefined));
      expect((await front.admin.get('/api/v1/namespaces/default')).code).to.equal(200);
      for (const release of held) release();
      for (const { code } of await Promise.all(slow)) expect(code).to.equal(200);
    });
  });

  it('are told of as failing while their server answers with failures', async () => {
    let code = 500;
    await using server = await WebhookServer.start((_call, response) => {
      response.statusCode = code;
      response.end();
    });
    await register('failing.example.com', server.port);
    const { message } = await conditionOf('failing.example.com', 'FailedDiscoveryCheck');
    const url = `https://127.0.0.1:${server.port}/apis/failing.example.com/v1`;
    expect(message).to.equal(`failing or missing response from ${url}: bad status from ${url}: 500`);
    expect((await front.admin.get('/apis/failing.example.com/v1')).code).to.equal(503);
    code = 200;
    // What is registered anew is looked at anew.
    await front.admin.expect('PATCH', `${apiServices}/v1.failing.example.com`, {
      body: { spec: { versionPriority: 11 } },
      contentType: 'application/merge-patch+json',
    });
    await conditionOf('failing.example.com', 'Passed');
    expect((await front.admin.get('/apis/failing.example.com/v1')).code).to.equal(200);
  });

  it('are not called when the certificate is of an unknown authority', async () => {
    await using server = await WebhookServer.start((_call, response) => response.end());
    await register('unknown.example.com', server.port, { insecureSkipTLSVerify: false });
    const { message } = await conditionOf('unknown.example.com', 'FailedDiscoveryCheck');
    expect(message).to.include('x509: certificate');
  });
});
