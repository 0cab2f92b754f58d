import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { request as startRequest } from 'node:https';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { registerNode, startFakeAgent } from '../../support/fake-agent.ts';
import { pod } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const policy = (rest = ''): string => `{apiVersion: audit.orch.io/v1, kind: Policy, ${rest} rules: [
  {level: None, users: ['system:apiserver']}, {level: Metadata, resources: [{resources: [configmaps, pods/log]}]}]}`;
const configMap = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('modes of audit sinks', () => {
  let directory: TemporaryDirectory;
  let logPath: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    logPath = join(directory.path, 'audit.log');
  });
  afterEach(() => directory.remove());

  async function start(flags: readonly string[], rest?: string): Promise<AsyncDisposable & TestServer> {
    const policyPath = join(directory.path, 'policy.yaml');
    await writeFile(policyPath, policy(rest));
    const server = await startTestServer({ flags: [`--audit-policy-file=${policyPath}`, ...flags] });
    return { ...server, [Symbol.asyncDispose]: () => server.stop() };
  }

  async function webhookFlags(webhook: WebhookServer, mode: string): Promise<string[]> {
    const path = join(directory.path, 'webhook.conf');
    const cluster = { server: `${webhook.url}/audit`, 'certificate-authority-data': webhook.caBundle };
    await writeFile(
      path,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'a', cluster }],
        users: [{ name: 'a', user: { token: 'secret' } }],
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        'current-context': 'a',
      }),
    );
    const flag = '--audit-webhook';
    return [`${flag}-config-file=${path}`, `${flag}-mode=${mode}`, `${flag}-initial-backoff=1ms`];
  }

  const stagesIn = (lists: readonly string[], name: string): string[] =>
    lists
      .flatMap((body) => JSON.parse(body).items as JsonObject[])
      .filter(({ objectRef, requestURI }) => objectRef.name === name || requestURI.endsWith(name))
      .map(({ stage }) => stage);

  for (const mode of ['blocking', 'blocking-strict']) {
    it(`answers in mode ${mode} when the log has the event`, async () => {
      await using server = await start([`--audit-log-path=${logPath}`, `--audit-log-mode=${mode}`]);
      for (const name of ['a', 'b', 'c']) {
        await server.admin.send('POST', configMaps, { body: configMap(name) });
        const events = (await readFile(logPath, 'utf8')).trimEnd().split('\n').slice(-2);
        expect(events.map((line) => [JSON.parse(line).stage, JSON.parse(line).objectRef.name])) //
          .to.deep.equal([
            ['RequestReceived', undefined],
            ['ResponseComplete', name],
          ]);
      }
    });
  }

  const full: readonly (readonly [mode: string, rest: string, code: number])[] = [
    ['blocking', '', 201],
    ['blocking-strict', '', 500],
    ['blocking-strict', 'omitStages: [RequestReceived],', 500],
  ];
  for (const [mode, rest, code] of full) {
    it(`answers ${code} in mode ${mode} when the disk is full (${rest})`, async () => {
      await using server = await start(['--audit-log-path=/dev/full', `--audit-log-mode=${mode}`], rest);
      const answer = await server.admin.send('POST', configMaps, { body: configMap('a') });
      expect(answer.code).to.equal(code);
      if (code === 500) {
        expect(answer.text).to.equal(`Internal Server Error: "${configMaps}": failed to store audit event\n`);
      }
      // Nothing of other resources is recorded.
      expect((await server.admin.send('GET', '/api/v1/namespaces/default')).code).to.equal(200);
      const table = await server.admin.send('GET', '/metrics');
      expect(table.text).to.match(/apiserver_audit_error_total\{plugin="log"\} [12]\n/);
      expect(table.text.includes('apiserver_audit_requests_rejected_total 1')).to.equal(code === 500);
    });
  }

  it('keeps what was acknowledged in lines of their own', async () => {
    await using server = await start([`--audit-log-path=${logPath}`]);
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => server.admin.send('POST', configMaps, { body: configMap(name) })));
    const lines = (await readFile(logPath, 'utf8')).trimEnd().split('\n');
    const ended = lines.map((line) => JSON.parse(line)).filter(({ stage }) => stage === 'ResponseComplete');
    expect(ended.map(({ objectRef }) => objectRef.name)).to.have.members(names);
  });

  it('sends events to a webhook in batches, with the credentials of its file', async () => {
    await using webhook = await WebhookServer.start((_, response) => void response.end());
    const flags = await webhookFlags(webhook, 'batch');
    await using server = await start([...flags, '--audit-webhook-batch-max-wait=50ms']);
    await server.admin.send('GET', `${configMaps}/a`);
    const stages = await eventually(async () => {
      const found = stagesIn(
        webhook.calls.map(({ body }) => body),
        'a',
      );
      return found.length === 2 ? found : undefined;
    });
    expect(stages).to.deep.equal(['RequestReceived', 'ResponseComplete']);
    expect(webhook.calls[0]).to.deep.include({ method: 'POST', url: '/audit?timeout=30s' });
    expect(webhook.calls[0]?.headers).to.deep.include({
      authorization: 'Bearer secret',
      'user-agent': 'Go-http-client/1.1',
    });
  });

  for (const [protocol, open] of [
    ['HTTP/1.1', openHttp1],
    ['HTTP/2', openHttp2],
  ] as const) {
    it(`sends the first event of a watch over ${protocol} in mode blocking when that is recorded`, async () => {
      const order: string[] = [];
      await using webhook = await WebhookServer.start((_, response) => void response.end());
      await using server = await start(await webhookFlags(webhook, 'blocking'));
      await server.admin.send('POST', configMaps, { body: configMap('a') });
      webhook.answer = ({ body }, response) => {
        const { stage, requestURI } = JSON.parse(body).items[0];
        if (stage !== 'ResponseStarted' || !requestURI.includes('watch')) return void response.end();
        // Time enough for whoever does not wait for the answer.
        setTimeout(() => {
          order.push('recorded');
          response.end();
        }, 100);
      };
      await using watched = await open(server, `${configMaps}?watch=1`);
      const events = watched.answer[Symbol.asyncIterator]();
      order.push(JSON.parse((await events.next()).value).type);
      await server.admin.send('POST', configMaps, { body: configMap('b') });
      order.push(JSON.parse((await events.next()).value).type);
      expect(order).to.deep.equal(['recorded', 'ADDED', 'ADDED']);
    });

    it(`sends a log over ${protocol} in mode blocking when its beginning is recorded`, async () => {
      const order: string[] = [];
      await using opened = new AsyncDisposableStack();
      const webhook = opened.use(await WebhookServer.start((_, response) => void response.end()));
      const agent = await startFakeAgent();
      opened.defer(() => agent.stop());
      agent.onRequest = (_, response) => void response.write('line');
      const server = opened.use(await start(await webhookFlags(webhook, 'blocking')));
      await registerNode(server.admin, 'near', agent);
      const { spec, ...rest } = pod('web');
      await server.admin.create('/api/v1/namespaces/default/pods', {
        ...rest,
        spec: { ...spec, nodeName: 'near' },
      });
      webhook.answer = ({ body }, response) => {
        const { stage } = JSON.parse(body).items[0];
        if (stage !== 'ResponseStarted') return void response.end();
        // Time enough for whoever does not wait for the answer.
        setTimeout(() => {
          order.push('recorded');
          response.end();
        }, 100);
      };
      const log = opened.use(await open(server, '/api/v1/namespaces/default/pods/web/log?follow=true'));
      order.push(String((await log.answer[Symbol.asyncIterator]().next()).value));
      expect(order).to.deep.equal(['recorded', 'line']);
    });
  }

  it('ends a watch in mode blocking when that is recorded, after its beginning', async () => {
    const order: string[] = [];
    await using webhook = await WebhookServer.start((_, response) => void response.end());
    await using server = await start(await webhookFlags(webhook, 'blocking'));
    webhook.answer = ({ body }, response) => {
      const { stage } = JSON.parse(body).items[0];
      // Time enough for whoever does not wait for the answer.
      setTimeout(() => {
        order.push(stage);
        response.end();
      }, 100);
    };
    const watched = await server.admin.send('GET', `${configMaps}?watch=1&timeoutSeconds=1`);
    order.push('ended');
    expect(watched.code).to.equal(200);
    expect(order).to.deep.equal(['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'ended']);
    expect(webhook.calls).to.have.length(3);
  });

  it('asks a webhook five times before an event is lost, and a request refused where it must not be', async () => {
    await using webhook = await WebhookServer.start((_, response) => {
      response.statusCode = 400;
      response.end('no');
    });
    await using server = await start([
      ...(await webhookFlags(webhook, 'blocking-strict')),
      `--audit-log-path=${logPath}`,
    ]);
    const refused = await server.admin.send('POST', configMaps, { body: configMap('a') });
    expect(refused.code).to.equal(500);
    expect(webhook.calls).to.have.length(5);
    // The log is asked too, and takes the event.
    expect((await readFile(logPath, 'utf8')).trimEnd().split('\n')).to.have.length(1);
    webhook.answer = (_, response) => void response.end();
    expect((await server.admin.send('POST', configMaps, { body: configMap('a') })).code).to.equal(201);
  });

  it('writes the legacy format', async () => {
    await using server = await start([`--audit-log-path=${logPath}`, '--audit-log-format=legacy']);
    await server.admin.send('GET', `${configMaps}/a`);
    expect((await readFile(logPath, 'utf8')).split('\n')[1]).to.match(
      /^\S+Z AUDIT: id="\S+" stage="ResponseComplete" ip="127.0.0.1" method="get" .* response="404"$/,
    );
  });
});

interface Opened extends AsyncDisposable {
  readonly answer: Readable;
}

async function openHttp1({ server: { url, authorityPem: ca } }: TestServer, path: string): Promise<Opened> {
  const headers = { authorization: `Bearer ${tokens.admin}` };
  const request = startRequest(new URL(path, url), { ca, headers }).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return {
    answer,
    async [Symbol.asyncDispose]() {
      answer.destroy();
    },
  };
}

async function openHttp2({ server: { url, authorityPem: ca } }: TestServer, path: string): Promise<Opened> {
  const session = connect(url, { ca });
  const answer = session.request({ ':path': path, authorization: `Bearer ${tokens.admin}` });
  await once(answer, 'response');
  return {
    answer,
    async [Symbol.asyncDispose]() {
      const closed = once(session, 'close');
      session.destroy();
      await closed;
    },
  };
}
