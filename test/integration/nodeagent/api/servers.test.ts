import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as connectSession, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { createRestClient } from '../../../../src/client/rest/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  type AgentServers,
  type AgentServersOptions,
  type AgentView,
  createAgentMetrics,
  type ServingPair,
  startAgentServers,
} from '../../../../src/nodeagent/api/index.ts';
import type { RuntimeService } from '../../../../src/nodeagent/runtime/index.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { podOf } from '../../../unit/nodeagent/container-config/pods.ts';
import { ManualClock } from '../../../unit/storage/manual-clock.ts';
import { agentConfig, send } from './agent-requests.ts';
import { openChannels } from './channel-client.ts';

const pod: Pod = podOf({}, { name: 'web-node1', uid: 'u-1' });
const view: AgentView = {
  pods: () => [pod],
  findPod: (namespace, name) => (namespace === 'shop' && name === 'web-node1' ? pod : undefined),
  findContainer: async () => undefined,
  findSandboxId: async () => undefined,
  runningPods: async () => [pod],
  lastSyncAtMs: () => 0,
};
const runtime: Partial<RuntimeService> = {
  listPodSandboxes: async () => [],
  listContainers: async () => [],
  listContainerStats: async () => [],
};
const period = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
const plain = 'text/plain; charset=utf-8';

describe('startAgentServers', () => {
  let directory: TemporaryDirectory;
  let servers: AgentServers | undefined;
  let pair: ServingPair;

  before(async () => {
    directory = await makeTemporaryDirectory();
    const authority = await makeAuthority({ commonName: 'serving', ...period });
    pair = await issueCertificate({ authority, subject: { commonName: 'n' }, usage: 'server', ...period });
    const logs = join(directory.path, 'log');
    await mkdir(join(logs, 'pods', 'a b'), { recursive: true });
    await writeFile(join(logs, 'sys<1>.log'), '0123456789');
    await symlink('/nowhere', join(logs, 'broken'));
    await writeFile(join(directory.path, 'secret'), 'nobody shall see this');
    const links = { file: 'secret', folder: '.', within: 'log/sys<1>.log' };
    for (const [name, target] of Object.entries(links)) {
      await symlink(join(directory.path, target), join(logs, 'pods', 'a b', name));
    }
  });
  after(() => directory.remove());
  afterEach(async () => {
    await servers?.[Symbol.asyncDispose]();
    servers = undefined;
  });

  /** Starts servers with these flags; the certificate is at hand, so that none is made. */
  async function start(
    flags: readonly string[] = [],
    more: Partial<AgentServersOptions> = {},
  ): Promise<AgentServers> {
    const config = await agentConfig(directory.path, flags);
    const options = {
      config,
      nodeName: 'node1',
      dialect: orchDialect,
      view,
      runtime,
      images: { imageFsInfo: async () => [] },
      metrics: createAgentMetrics({ nodeName: 'node1', dialect: orchDialect, startedAtMs: 0 }),
      configz: () => ({ port: 1 }),
      certificates: { current: () => pair, onChange: () => () => {} },
      logsDirectory: join(directory.path, 'log'),
      commandLine: ['nodeagent', '--v=2'],
      checkLog() {},
      setVerbosity() {},
      clock: systemClock,
      logger: silentLogger,
      ...more,
    };
    servers = await startAgentServers(options as AgentServersOptions); // no request here asks the runtime for more
    return servers;
  }

  describe('without any flags', () => {
    const notFound = '404 page not found\n';
    const disabled = 'Debug endpoints are disabled.\n';
    const cases: readonly (readonly [
      request: string,
      status: number,
      body: string | RegExp,
      type?: string,
    ])[] = [
      ['GET /healthz', 200, 'ok'],
      ['HEAD /healthz', 200, ''],
      ['PUT /healthz', 200, 'ok'],
      ['healthz GET /healthz?verbose', 200, '[+]ping ok\nhealthz check passed\n'],
      ['healthz GET /healthz/syncloop', 404, notFound],
      [
        'readonly GET /healthz?verbose&exclude=ping&exclude=nope',
        200,
        '[+]ping excluded: ok\n[+]log ok\n[+]syncloop ok\nwarn: some health checks cannot be excluded: no matches for "nope"\nhealthz check passed\n',
      ],
      ['GET /healthz/log', 200, 'ok'],
      ['GET /healthz/', 404, notFound],
      ['GET /livez', 404, notFound],
      ['GET /nope', 404, notFound],
      ['POST /pods', 405, '405: Method Not Allowed'],
      ['GET /pods/x', 404, '404: Page Not Found'],
      ['readonly GET /pods', 200, /^\{"kind":"PodList",.*"creationTimestamp":null/, 'application/json'],
      [
        'GET /runningpods',
        301,
        '<a href="/runningpods/">Moved Permanently</a>.\n\n',
        'text/html; charset=utf-8',
      ],
      ['GET /runningpods/', 200, /"name":"web-node1"/, 'application/json'],
      ['GET /stats/', 404, '404: Page Not Found'],
      ['GET /spec/', 404, notFound],
      ['GET /stats/summary', 200, /^\{\n "node": \{\n {2}"nodeName": "node1",/, 'application/json'],
      ['GET /configz', 200, '{"nodeagentconfig":{"port":1}}', 'application/json'],
      ['readonly GET /configz', 404, notFound],
      ['readonly GET /logs/', 405, disabled],
      ['readonly POST /run/shop/web-node1/c?cmd=ls', 405, disabled],
      ['readonly GET /manifests', 404, notFound],
      ['GET /manifests', 404, notFound],
      [
        'GET /metrics/probes',
        200,
        /^process_start_time_seconds 0$/m,
        'text/plain; version=0.0.4; charset=utf-8',
      ],
      ['POST /metrics', 200, /nodeagent_http_requests_total\{/, 'text/plain; version=0.0.4; charset=utf-8'],
      ['GET /metrics/cadvisor', 200, /^machine_memory_bytes/m, 'text/plain; version=0.0.4; charset=utf-8'],
      ['GET /metrics/resource/v1alpha1', 404, notFound],
      ['GET /debug/pprof/', 404, '404: Page Not Found'],
      ['GET /debug/pprof/cmdline', 200, 'nodeagent\0--v=2'],
      ['GET /debug/pprof/nope', 404, 'Unknown profile\n'],
      ['GET /debug/flags/v', 406, 'unsupported http method\n', 'text/plain'],
      ['GET /exec/shop/web-node1/c?command=ls', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
      ['GET /exec/shop/zz/c?command=ls&output=1', 404, 'pod does not exist'],
      ['GET /exec/shop/web-node1/c?command=ls&output=1', 500, 'container not found ("c")'],
      ['POST /run/shop/web-node1/c?cmd=ls', 500, 'container not found ("c")'],
      ['GET /portForward/shop/web-node1/u-2', 404, 'pod not found'],
      ['GET /portForward/shop/web-node1', 500, 'pod not found ("web-node1_shop")'],
      ['GET /containerLogs/shop/web-node1/c?limitBytes=x', 400, '{"message": "Unable to decode query."}'],
      ['GET /containerLogs/shop/web-node1/c?limitBytes=0', 422, '{"message": "Invalid request."}'],
      ['GET /containerLogs/shop/zz/c', 404, 'pod "zz" does not exist'],
      ['GET /containerLogs/shop/web-node1/x', 404, 'container "x" not found in pod "web-node1"'],
      ['GET /logs/none.log', 404, notFound],
      [
        'GET /logs/',
        200,
        '<pre>\n<a href="broken">broken</a>\n<a href="pods/">pods/</a>\n<a href="sys%3C1%3E.log">sys&lt;1&gt;.log</a>\n</pre>\n',
        'text/html; charset=utf-8',
      ],
      [
        'GET /logs/pods/a%20b',
        301,
        '<a href="a%20b/">Moved Permanently</a>.\n\n',
        'text/html; charset=utf-8',
      ],
      ['GET /logs/pods/', 200, '<pre>\n<a href="a%20b/">a b/</a>\n</pre>\n', 'text/html; charset=utf-8'],
      ['GET /logs/sys%3C1%3E.log', 200, '0123456789'],
      ['GET /logs/broken', 404, notFound],
      ['GET /logs/pods/a%20b/file', 404, notFound],
      ['GET /logs/pods/a%20b/folder/', 404, notFound],
      ['GET /logs/pods/a%20b/folder/secret', 404, notFound],
      ['GET /logs/pods/a%20b/within', 200, '0123456789'],
      [
        'GET /logs/pods/a%20b/',
        200,
        '<pre>\n<a href="file">file</a>\n<a href="folder">folder</a>\n<a href="within">within</a>\n</pre>\n',
        'text/html; charset=utf-8',
      ],
      ['GET /logs/..%2f..%2fetc/passwd', 301, /^<a href="\/etc\/passwd">/, 'text/html; charset=utf-8'],
      ['GET /%zz', 400, '400 Bad Request'],
    ];

    // Every case asks the same servers.
    let shared: AgentServers | undefined;
    before(async () => {
      shared = await start();
      servers = undefined;
    });
    after(() => shared?.[Symbol.asyncDispose]());

    for (const [request, status, body, type = plain] of cases) {
      it(`answers ${request} with ${status}`, async () => {
        const answer = await send(shared, request);
        expect([answer.status, answer.headers['content-type']]).to.deep.equal([status, type]);
        if (typeof body === 'string') expect(answer.body).to.equal(body);
        else expect(answer.body).to.match(body);
      });
    }

    it('sends parts of files', async () => {
      const part = (range: string) => send(shared, 'GET /logs/sys%3C1%3E.log', { headers: { range } });
      expect(await part('bytes=2-4')).to.deep.include({ status: 206, body: '234' });
      expect(await part('bytes=-3')).to.deep.include({ status: 206, body: '789' });
      expect((await part('bytes=10-')).status).to.equal(416);
      expect(await part('lines=1-2')).to.deep.include({ status: 200, body: '0123456789' });
    });

    it('compresses metrics for those who take it', async () => {
      const { headers } = await send(shared, 'GET /metrics', { headers: { 'accept-encoding': 'gzip' } });
      expect(headers['content-encoding']).to.equal('gzip');
    });

    it('tells who speaks plain HTTP on the secure port', async () => {
      const socket = connect(shared?.securePort ?? 0, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      await once(socket, 'end');
      expect(text).to.equal(
        'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
      );
    });
  });

  it('serves no more than it is told to', async () => {
    const started = await start([
      '--read-only-port=0',
      '--healthz-port=0',
      '--enable-debugging-handlers=false',
    ]);
    expect([started.readOnlyPort, started.healthzPort]).to.deep.equal([undefined, undefined]);
    for (const path of ['/logs/', '/run/a', '/debug/pprof/x', '/containerLogs/a/b/c']) {
      expect((await send(started, `GET ${path}`)).status, path).to.equal(405);
    }
    for (const path of ['/debug/flags/v', '/configz']) {
      expect((await send(started, `GET ${path}`)).status, path).to.equal(404);
    }
    await started[Symbol.asyncDispose]();
    const none = await start(['--enable-server=false']);
    expect([none.securePort, none.readOnlyPort]).to.deep.equal([undefined, undefined]);
    expect(none.healthzPort).to.be.a('number');
  });

  it('fails when a port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo; // it listens on TCP
    const failure = await start([`--read-only-port=${port}`]).catch((error: unknown) => error);
    expect(String(failure)).to.include('EADDRINUSE');
    blocker.close();
  });

  it('sets how much is logged', async () => {
    const levels: number[] = [];
    const started = await start([], { setVerbosity: (level) => levels.push(level) });
    const put = (body: string) => send(started, 'PUT /debug/flags/v', { body });
    expect((await put('4')).body).to.equal('successfully set klog.logging.verbosity to 4\n');
    expect(await put('x')).to.deep.include({
      status: 400,
      body: 'failed set klog.logging.verbosity x: strconv.ParseInt: parsing "x": invalid syntax\n',
    });
    expect(levels).to.deep.equal([4]);
  });

  it('profiles itself, one profile at a time', async () => {
    const started = await start();
    const profiling = send(started, 'GET /debug/pprof/profile?seconds=0.3');
    await send(started, 'GET /healthz');
    expect((await send(started, 'GET /debug/pprof/profile?seconds=0.1')).status).to.equal(500);
    const { headers, body } = await profiling;
    expect(headers['content-disposition']).to.equal('attachment; filename="profile.cpuprofile"');
    expect(JSON.parse(body)).to.include.keys('nodes', 'samples');
  });

  it('shows what it allocates, and what its memory holds', async () => {
    const started = await start();
    const allocs = await send(started, 'GET /debug/pprof/allocs?seconds=0.1');
    expect(allocs.headers['content-disposition']).to.equal('attachment; filename="allocs.heapprofile"');
    expect(JSON.parse(allocs.body)).to.include.keys('head', 'samples');
    const heap = await send(started, 'GET /debug/pprof/heap');
    expect(heap.headers['content-disposition']).to.equal('attachment; filename="heap.heapsnapshot"');
    expect(heap.body)
      .to.match(/^\{"snapshot":\{"meta":/)
      .and.to.match(/\]\}\s*$/);
    expect((await send(started, 'readonly GET /debug/pprof/heap')).status).to.equal(405);
  });

  it('speaks HTTP/2 on the secure port, many requests on one connection', async () => {
    const started = await start();
    const session = connectSession(`https://127.0.0.1:${started.securePort}`, { rejectUnauthorized: false });
    const ask = async (path: string): Promise<readonly [status: unknown, body: string]> => {
      const stream = session.request({ ':path': path });
      let body = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      await once(stream, 'end');
      return [head[':status'], body];
    };
    const [health, pods, bad, exec] = await Promise.all([
      ask('/healthz'),
      ask('/pods'),
      ask('/%zz'),
      ask('/exec/shop/web-node1/c?command=ls&output=1'),
    ]);
    expect(session.alpnProtocol).to.equal('h2');
    expect([health, bad]).to.deep.equal([
      [200, 'ok'],
      [400, '400 Bad Request'],
    ]);
    expect(pods[1]).to.include('"name":"web-node1"');
    expect(exec).to.deep.equal([500, 'container not found ("c")']);
    session.close();
  });

  describe('asked for a type', () => {
    const cases: readonly (readonly [accept: string, status: number])[] = [
      ['application/json', 200],
      ['*/*', 200],
      ['text/html,application/json;q=0.9', 200],
      ['text/plain, */*;q=0.1', 200],
      ['', 200],
      ['text/plain', 406],
      ['application/*', 406],
      ['application/yaml', 406],
    ];
    for (const [accept, status] of cases) {
      it(`answers ${JSON.stringify(accept)} with ${status}, where JSON is all there is`, async () => {
        const started = await start();
        for (const path of ['GET /pods', 'readonly GET /pods', 'GET /runningpods/', 'GET /stats/summary']) {
          const answer = await send(started, path, { headers: { accept } });
          expect(answer.status, path).to.equal(status);
          if (status === 406) expect(answer.body).to.equal('406: Not Acceptable');
        }
        expect((await send(started, 'GET /healthz', { headers: { accept } })).status).to.equal(200);
      });
    }
  });

  it('says when the loop over pods stands still', async () => {
    const started = await start([], { view: { ...view, lastSyncAtMs: () => Date.now() - 301_000 } });
    expect(await send(started, 'GET /healthz?verbose')).to.deep.include({
      status: 500,
      body: '[+]ping ok\n[+]log ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n',
    });
    expect((await send(started, 'GET /healthz/syncloop')).body).to.equal(
      'internal server error: sync Loop took longer than expected\n',
    );
  });

  it('takes, lists and removes manifests', async () => {
    let pods: readonly Pod[] = [];
    const refusal = Object.assign(new Error('no pod'), { isDecoded: false });
    const started = await start([], {
      submitted: {
        async submit(body) {
          if (body.toString() === 'bad') throw refusal;
          pods = [pod];
          return pods;
        },
        list: () => pods,
        async remove(namespace, name) {
          const found = view.findPod(namespace, name);
          pods = [];
          return found;
        },
      },
    });
    const namesIn = ({ body }: { readonly body: string }) =>
      (JSON.parse(body) as { items: Pod[] }).items.map(({ metadata }) => metadata.name);
    expect(await send(started, 'POST /manifests', { body: 'bad' })).to.deep.include({
      status: 400,
      body: 'no pod',
    });
    expect((await send(started, 'POST /manifests', { body: 'good' })).status).to.equal(201);
    expect(namesIn(await send(started, 'GET /manifests'))).to.deep.equal(['web-node1']);
    expect((await send(started, 'DELETE /manifests/shop/zz')).status).to.equal(404);
    expect(namesIn(await send(started, 'DELETE /manifests/shop/web-node1'))).to.deep.equal(['web-node1']);
    expect(namesIn(await send(started, 'GET /manifests'))).to.deep.equal([]);
    expect((await send(started, 'readonly POST /manifests', { body: 'good' })).status).to.equal(404);
  });

  it('is not healthy while its log cannot be written', async () => {
    let isWritten = false;
    const checkLog = (): void => {
      if (!isWritten) throw new Error('closed');
    };
    const started = await start(['--anonymous-auth'], { checkLog });
    expect((await send(started, 'GET /healthz')).status).to.equal(500);
    isWritten = true;
    expect((await send(started, 'GET /healthz')).status).to.equal(200);
  });

  it('refuses connections while there is no certificate, and serves once there is', async () => {
    let current: ServingPair | undefined;
    let announce = (): void => {};
    const started = await start([], {
      certificates: {
        current: () => current,
        onChange: (listener) => {
          announce = listener;
          return () => {};
        },
      },
    });
    const failure = await send(started, 'GET /healthz').catch((error: unknown) => error);
    expect(String(failure)).to.include('alert internal error');
    current = pair;
    announce();
    expect((await send(started, 'GET /healthz')).body).to.equal('ok');
  });

  describe('with webhooks', () => {
    const masters = ['system:masters'];
    const users: Readonly<Record<string, { readonly username: string; readonly groups: readonly string[] }>> =
      {
        'admin-token': { username: 'admin', groups: masters },
        'user-token': { username: 'alice', groups: [] },
      };
    const reviewer = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { spec } = JSON.parse(Buffer.concat(chunks).toString()) as {
        spec: { token: string; groups?: string[] };
      };
      const user = users[spec.token];
      const status = request.url?.endsWith('/tokenreviews')
        ? { authenticated: user !== undefined, user }
        : { allowed: spec.groups?.includes('system:masters') };
      response.end(JSON.stringify({ status }));
    });
    let certificates: Readonly<Record<string, ServingPair>> = {};
    let flags: readonly string[] = [];
    let client: AgentServersOptions['client'];

    before(async () => {
      const [ours, foreign] = await Promise.all(
        ['ours', 'foreign'].map((commonName) => makeAuthority({ commonName, ...period })),
      );
      if (ours === undefined || foreign === undefined) throw new Error('no authorities');
      const issue = (authority: typeof ours, commonName: string, organizations: readonly string[]) =>
        issueCertificate({ authority, subject: { commonName, organizations }, usage: 'client', ...period });
      certificates = {
        cadmin: await issue(ours, 'cert-admin', masters),
        cuser: await issue(ours, 'bob', []),
        cforeign: await issue(foreign, 'mallory', masters),
      };
      const clientCaFile = join(directory.path, 'clients.crt');
      await writeFile(clientCaFile, ours.certificatePem);
      reviewer.listen(0, '127.0.0.1');
      await once(reviewer, 'listening');
      const { port } = reviewer.address() as AddressInfo; // it listens on TCP
      client = createRestClient({ connection: { server: `http://127.0.0.1:${port}`, auth: {}, tls: {} } });
      flags = [
        `--orchconfig=${clientCaFile}`,
        `--client-ca-file=${clientCaFile}`,
        '--authentication-token-webhook=true',
        '--authorization-mode=Webhook',
      ];
    });
    after(() => {
      client?.close();
      reviewer.closeAllConnections();
      reviewer.close();
    });

    const unauthorized = 'Unauthorized';
    const forbidden = (user: string, verb = 'get', subresource = 'proxy'): string =>
      `Forbidden (user=${user}, verb=${verb}, resource=nodes, subresource=${subresource})`;
    const cases: readonly (readonly [who: string, request: string, status: number, body?: string])[] = [
      ['', 'GET /pods', 401, unauthorized],
      ['', 'GET /healthz', 401, unauthorized],
      ['', 'GET /spec/', 404, '404 page not found\n'],
      ['', 'PUT /pods', 401, unauthorized],
      ['wrong-token', 'GET /pods', 401, unauthorized],
      ['admin-token', 'GET /pods', 200],
      ['admin-token', 'PUT /pods', 405, '405: Method Not Allowed'],
      ['admin-token', 'GET /debug/pprof/', 404, '404: Page Not Found'],
      ['user-token', 'GET /pods', 403, forbidden('alice')],
      ['user-token', 'GET /metrics', 403, forbidden('alice', 'get', 'metrics')],
      ['user-token', 'GET /stats/summary', 403, forbidden('alice', 'get', 'stats')],
      ['user-token', 'GET /logs/', 403, forbidden('alice', 'get', 'log')],
      ['user-token', 'POST /run/a/b/c', 403, forbidden('alice', 'create')],
      ['user-token', 'PUT /pods', 403, forbidden('alice', 'update')],
      ['user-token', 'GET /spec/', 404, '404 page not found\n'],
      ['cadmin', 'GET /metrics', 200],
      ['cuser', 'GET /pods', 403, forbidden('bob')],
      ['cforeign', 'GET /pods', 401, unauthorized],
    ];

    it('lets in who may, and tells the others why not', async () => {
      const started = await start([...flags, '--anonymous-auth=false'], { client });
      for (const [who, request, status, body] of cases) {
        const certificate = certificates[who];
        const headers = who.endsWith('token') ? { authorization: `Bearer ${who}` } : {};
        const answer = await send(started, request, { headers, certificate });
        expect(
          [answer.status, ...(body === undefined ? [] : [answer.body])],
          `${who} ${request}`,
        ).to.deep.equal([status, ...(body === undefined ? [] : [body])]);
      }
    });

    it('asks about strangers too, where they are let in', async () => {
      const started = await start(flags, { client });
      expect((await send(started, 'GET /pods')).body).to.equal(forbidden('system:anonymous'));
      const wrong = await send(started, 'GET /pods', { headers: { authorization: 'Bearer wrong' } });
      expect(wrong.status).to.equal(401);
      const foreign = await send(started, 'GET /pods', { certificate: certificates.cforeign });
      expect(foreign.status).to.equal(401);
    });

    it('refuses streams as it refuses everything else', async () => {
      const started = await start([...flags, '--anonymous-auth=false'], { client });
      const opening = openChannels(started.securePort ?? 0, '/exec/shop/web-node1/c?command=ls&output=1');
      const failure = await opening.catch((error: unknown) => error);
      expect(String(failure)).to.include('Unexpected server response: 401');
    });

    it('takes over another authority of clients', async () => {
      const clock = new ManualClock(Date.now());
      const clientCaFile = join(directory.path, 'rotated.crt');
      const [first, second] = await Promise.all(
        ['first', 'second'].map((commonName) => makeAuthority({ commonName, ...period })),
      );
      if (first === undefined || second === undefined) throw new Error('no authorities');
      await writeFile(clientCaFile, first.certificatePem);
      const subject = { commonName: 'carol' };
      const certificate = await issueCertificate({ authority: second, subject, usage: 'client', ...period });
      const started = await start([`--client-ca-file=${clientCaFile}`, '--anonymous-auth=false'], { clock });
      const statusNow = async () => (await send(started, 'GET /pods', { certificate })).status;
      expect(await statusNow()).to.equal(401);
      await writeFile(clientCaFile, `${first.certificatePem}${second.certificatePem}`);
      clock.advance(60_000);
      await eventually(async () => ((await statusNow()) === 200 ? true : undefined));
      await writeFile(clientCaFile, 'garbage');
      clock.advance(60_000);
      expect(await statusNow()).to.equal(200);
    });

    it('does not start without an authority where one is named', async () => {
      const clientCaFile = join(directory.path, 'empty.crt');
      await writeFile(clientCaFile, 'garbage');
      const failure = await start([`--client-ca-file=${clientCaFile}`]).catch((error: unknown) => error);
      expect(String(failure)).to.include(`unable to load client CA file ${clientCaFile}: `);
    });

    it('does not start without somebody to ask', async () => {
      const failure = await start(flags).catch((error: unknown) => error);
      expect(String(failure)).to.include('no client provided, cannot use webhook');
    });
  });
});
