import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const group = '/apis/flowcontrol.apiserver.orch.io/v1beta1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const [schemaHeader, levelHeader] = ['x-orch-pf-flowschema-uid', 'x-orch-pf-prioritylevel-uid'];

const level = (name: string, queuing?: object): JsonObject => ({
  metadata: { name },
  spec: {
    type: 'Limited',
    limited: {
      assuredConcurrencyShares: 1,
      limitResponse: queuing === undefined ? { type: 'Reject' } : { type: 'Queue', queuing },
    },
  },
});
const schema = (name: string, levelName: string): JsonObject => ({
  metadata: { name },
  spec: {
    matchingPrecedence: 500,
    priorityLevelConfiguration: { name: levelName },
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: '*' } }],
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['configmaps'], namespaces: ['*'] }],
      },
    ],
  },
});

describe('priority and fairness', () => {
  async function start(flags: readonly string[] = []): Promise<TestServer & AsyncDisposable> {
    const server = await startTestServer({ flags });
    return { ...server, [Symbol.asyncDispose]: () => server.stop() };
  }
  const uidOf = async ({ admin }: TestServer, path: string): Promise<string> =>
    (await admin.send('GET', `${group}/${path}`)).body.metadata.uid;

  it('names the flow schema and the priority level of an answer', async () => {
    await using server = await start();
    const { headers } = await server.admin.send('GET', configMaps);
    expect([headers[schemaHeader], headers[levelHeader]]).to.deep.equal([
      await uidOf(server, 'flowschemas/exempt'),
      await uidOf(server, 'prioritylevelconfigurations/exempt'),
    ]);
    const alice = await server.withToken(tokens.alice).send('GET', configMaps);
    expect([alice.code, alice.headers[schemaHeader]]).to.deep.equal([
      403,
      await uidOf(server, 'flowschemas/global-default'),
    ]);
    const watch = await server.admin.send('GET', `${configMaps}?watch=1&timeoutSeconds=1`);
    expect(watch.headers).not.to.have.property(schemaHeader);
  });

  for (const flag of [
    '--enable-priority-and-fairness=false',
    '--feature-gates=APIPriorityAndFairness=false',
  ]) {
    it(`names none with ${flag}`, async () => {
      await using server = await start([flag]);
      const { headers } = await server.admin.send('GET', configMaps);
      expect(headers).not.to.have.property(schemaHeader);
    });
  }

  it('takes changed configurations with the next request', async () => {
    await using server = await start();
    await server.admin.send('POST', `${group}/prioritylevelconfigurations`, { body: level('narrow') });
    const made = await server.admin.send('POST', `${group}/flowschemas`, { body: schema('mine', 'narrow') });
    expect(made.code).to.equal(201);
    const alice = server.withToken(tokens.alice);
    const { headers } = await alice.send('GET', configMaps);
    expect(headers[schemaHeader]).to.equal(made.body.metadata.uid);
    await server.admin.send('DELETE', `${group}/prioritylevelconfigurations/narrow`);
    const other = await alice.send('GET', configMaps);
    expect(other.headers[schemaHeader]).to.equal(await uidOf(server, 'flowschemas/global-default'));
  });

  it('shows levels, queues and requests, and counts them', async () => {
    await using server = await start();
    await server.withToken(tokens.alice).send('GET', configMaps);
    const dump = async (name: string): Promise<string> =>
      (await server.admin.send('GET', `/debug/api_priority_and_fairness/dump_${name}`)).text;
    expect(await dump('priority_levels')).to.match(
      /^PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests\n/,
    );
    expect(await dump('priority_levels')).to.match(/^exempt, +<none>, +<none>, +<none>, +<none>, +<none>$/m);
    expect(await dump('queues')).to.match(/^global-default, +\d+, +0, +0, +-?\d+\.\d{4}$/m);
    expect(await dump('requests')).to.match(/^exempt, /m);
    const { text } = await server.admin.send('GET', '/metrics');
    const labels = 'priority_level="global-default",flow_schema="global-default"';
    expect(text).to.contain(`apiserver_flowcontrol_dispatched_requests_total{${labels}} 1`);
    expect(text).to.contain(`apiserver_flowcontrol_current_executing_requests{${labels}} 0`);
    expect(text).to.match(
      /apiserver_flowcontrol_request_concurrency_limit\{priority_level="global-default"\} 59\n/,
    );
  });

  describe('with requests that wait for a webhook', () => {
    let webhook: WebhookServer;
    let server: TestServer;
    let release: () => void;
    let remove: () => Promise<void>;
    before(async () => {
      const directory = await makeTemporaryDirectory();
      remove = () => directory.remove();
      const held = Promise.withResolvers<void>();
      release = held.resolve;
      webhook = await WebhookServer.start((call, response) => {
        void held.promise.then(() => {
          const review = JSON.parse(call.body);
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ ...review, status: { allowed: true } }));
        });
      });
      const path = join(directory.path, 'authz.conf');
      const cluster = { server: `${webhook.url}/authz`, 'certificate-authority-data': webhook.caBundle };
      await writeFile(
        path,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [{ name: 'a', cluster }],
          users: [{ name: 'a', user: {} }],
          contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
          'current-context': 'a',
        }),
      );
      server = await startTestServer({
        flags: [
          '--authorization-mode=RBAC,Webhook',
          `--authorization-webhook-config-file=${path}`,
          '--max-requests-inflight=5',
          '--max-mutating-requests-inflight=5',
          '--request-timeout=60s',
        ],
      });
      const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };
      for (const body of [level('narrow', queuing)])
        expect(
          (await server.admin.send('POST', `${group}/prioritylevelconfigurations`, { body })).code,
        ).to.equal(201);
      await server.admin.send('POST', `${group}/flowschemas`, { body: schema('mine', 'narrow') });
    });
    after(async () => {
      release();
      await server.stop();
      await webhook[Symbol.asyncDispose]();
      await remove();
    });

    it('holds back one, refuses the next with 429, and exempts the administrator', async () => {
      const alice: ApiClient = server.withToken(tokens.alice);
      const first = alice.send('GET', configMaps);
      const waitingIs = (count: number) =>
        eventually(async () => {
          const { text } = await server.admin.send(
            'GET',
            '/debug/api_priority_and_fairness/dump_priority_levels',
          );
          return new RegExp(`^narrow, .* ${count}, +1$`, 'm').test(text) ? true : undefined;
        });
      await waitingIs(0);
      const second = alice.send('GET', `${configMaps}?limit=1`);
      await waitingIs(1);
      const requests = await server.admin.send(
        'GET',
        '/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1',
      );
      expect(requests.text).to.match(/^narrow, +mine, +0, +0, +alice, +\S+Z, +alice, +list, +/m);
      const third = await alice.send('GET', configMaps);
      expect([third.code, third.headers['retry-after'], third.text]).to.deep.equal([
        429,
        '1',
        'Too many requests, please try again later.\n',
      ]);
      expect((await server.admin.send('GET', configMaps)).code).to.equal(200);
      release();
      expect([(await first).code, (await second).code]).to.deep.equal([200, 200]);
    });
  });
});
