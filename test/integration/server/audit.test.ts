import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const policy = `
apiVersion: audit.orch.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: None, nonResourceURLs: ['/healthz*']}
- {level: RequestResponse, resources: [{group: '', resources: [configmaps]}]}
- {level: Request, resources: [{group: '', resources: [limitranges]}]}
- {level: Metadata}
`;
const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const ingresses = '/apis/networking.orch.io/v1beta1/namespaces/default/ingresses';

describe('the audit log', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let logPath: string;
  before(async () => {
    directory = await makeTemporaryDirectory();
    logPath = join(directory.path, 'audit.log');
    const policyPath = join(directory.path, 'policy.yaml');
    await writeFile(policyPath, policy);
    const flags = [`--audit-log-path=${logPath}`, `--audit-policy-file=${policyPath}`];
    server = await startTestServer({ flags });
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  const readEvents = async (): Promise<JsonObject[]> =>
    (await readFile(logPath, 'utf8'))
      .split('\n')
      // What follows the last line feed is still being written.
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JsonObject);

  /** Events of the request with that id, once its last one is there. */
  const eventsOf = (auditId: string | string[] | undefined) =>
    eventually(async () => {
      const events = (await readEvents()).filter((event) => event.auditID === auditId);
      return events.some(({ stage }) => stage === 'ResponseComplete') ? events : undefined;
    });

  const send = async (method: string, path: string, body?: unknown): Promise<JsonObject> => {
    const { headers } = await server.admin.send(method, path, { body });
    const [event = {}, ...rest] = await eventsOf(headers['audit-id']);
    expect(rest).to.deep.equal([]);
    return event;
  };

  it('has who asked for what, and how it ended', async () => {
    const event = await send('POST', secrets, {
      metadata: { name: 's' },
      data: { password: 'aHVudGVyMg==' },
    });
    expect(event).to.deep.include({
      kind: 'Event',
      apiVersion: 'audit.orch.io/v1',
      level: 'Metadata',
      stage: 'ResponseComplete',
      requestURI: secrets,
      verb: 'create',
      sourceIPs: ['127.0.0.1'],
      objectRef: { resource: 'secrets', namespace: 'default', name: 's', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      annotations: { 'authorization.orch.io/decision': 'allow', 'authorization.orch.io/reason': '' },
    });
    expect(event.user.groups).to.include('system:masters');
    expect(event.requestReceivedTimestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(event.stageTimestamp >= event.requestReceivedTimestamp).to.equal(true);
  });

  it('has no content of objects at level Metadata', async () => {
    await send('GET', `${secrets}/s`);
    expect(await readFile(logPath, 'utf8')).not.to.contain('aHVudGVyMg');
  });

  it('marks requests to deprecated versions', async () => {
    const event = await send('GET', ingresses);
    expect(event.annotations).to.deep.include({
      'orch.io/deprecated': 'true',
      'orch.io/removed-release': '1.22',
    });
    const stable = await send('GET', ingresses.replace('v1beta1', 'v1'));
    expect(stable.annotations).not.to.have.property('orch.io/deprecated');
  });

  it('has the objects of both directions at level RequestResponse', async () => {
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c' }, data: { a: 'b' } };
    const event = await send('POST', configMaps, object);
    const metadata = { name: 'c', creationTimestamp: null };
    expect(event.requestObject).to.deep.equal({ ...object, metadata });
    expect(event.responseObject.metadata.uid).to.be.a('string');
    const missing = await send('GET', `${configMaps}/none`);
    expect(missing.responseStatus).to.deep.equal({
      metadata: {},
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
    });
    expect(missing.responseObject.kind).to.equal('Status');
  });

  it('has what was sent at level Request, whatever its encoding', async () => {
    const { headers } = await server.admin.send('POST', '/api/v1/namespaces/default/limitranges', {
      body: 'kind: LimitRange\nmetadata: {name: l}\n',
      contentType: 'application/yaml',
    });
    const [event] = await eventsOf(headers['audit-id']);
    expect(event?.requestObject).to.deep.equal({
      kind: 'LimitRange',
      apiVersion: 'v1',
      metadata: { name: 'l', creationTimestamp: null },
      spec: { limits: null },
    });
    expect(event).not.to.have.property('responseObject');
  });

  it('has a watch when it begins and when it ends', async () => {
    const { headers } = await server.admin.send('GET', `${secrets}?watch=1&timeoutSeconds=1`);
    const events = await eventsOf(headers['audit-id']);
    expect(events.map(({ stage, responseStatus }) => [stage, responseStatus.code])).to.deep.equal([
      ['ResponseStarted', 200],
      ['ResponseComplete', 200],
    ]);
  });

  it('has a watch over a WebSocket, too', async () => {
    const { url, authorityPem: ca } = server.server;
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const path = `${secrets}?watch=1&timeoutSeconds=1&labelSelector=web%3Dsocket`;
    const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, { ca, headers });
    await once(socket, 'close');
    const events = await eventually(async () => {
      const found = (await readEvents()).filter(({ requestURI }) => requestURI === path);
      return found.length === 2 ? found : undefined;
    });
    expect(events.map(({ stage, responseStatus }) => [stage, responseStatus.code])).to.deep.equal([
      ['ResponseStarted', 101],
      ['ResponseComplete', 101],
    ]);
  });

  it('has refusals with the decision, and strangers without a name', async () => {
    const alice = await server.withToken(tokens.alice).send('GET', secrets);
    const [refused] = await eventsOf(alice.headers['audit-id']);
    expect(refused?.annotations['authorization.orch.io/decision']).to.equal('forbid');
    expect(refused?.user.username).to.equal('alice');
    expect(refused?.responseStatus.code).to.equal(403);
    const stranger = await server.withToken('unknown').send('GET', secrets);
    const event = await eventually(async () =>
      (await readEvents()).find(({ auditID }) => auditID === stranger.headers['audit-id']),
    );
    expect([event.stage, event.user, event.responseStatus.code]).to.deep.equal(['ResponseStarted', {}, 401]);
  });

  it('has nothing of what the policy leaves out', async () => {
    await server.anonymous.send('GET', '/healthz');
    await send('GET', '/version');
    expect((await readEvents()).filter(({ requestURI }) => requestURI === '/healthz')).to.deep.equal([]);
  });

  it('can be read by its owner only', async () => {
    expect((await stat(logPath)).mode & 0o777).to.equal(0o600);
  });

  it('keeps a server from starting when it cannot be written, or its policy cannot be read', async () => {
    const attempts: readonly (readonly [flags: string[], problem: RegExp])[] = [
      [['--audit-log-path=/proc/none/audit.log'], /--audit-log-path: /],
      [[`--audit-log-path=${logPath}`, '--audit-policy-file=/none'], /--audit-policy-file: read \/none: /],
      [[`--audit-log-path=${logPath}`, `--audit-policy-file=${logPath}`], /--audit-policy-file: /],
    ];
    for (const [flags, problem] of attempts) {
      const failure = await startTestServer({ flags }).then(
        async (started) => {
          await started.stop();
          return 'it started';
        },
        (error: unknown) => String(error),
      );
      expect(failure).to.match(problem);
    }
  });
});
