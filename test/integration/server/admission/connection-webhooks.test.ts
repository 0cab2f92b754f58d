import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { type FakeAgent, registerNode, startFakeAgent } from '../../../support/fake-agent.ts';
import { inNamespace, pod } from '../../../support/objects.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';
import { openUpgrade } from '../../../support/upgraded-connection.ts';
import {
  configurationsPath,
  reviewAnswer,
  webhookConfiguration,
} from '../../../support/webhook-configurations.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

const pods = inNamespace('default', 'pods');
const nodeProxy = '/api/v1/nodes/near/proxy';
const configuration = `${configurationsPath('Mutating')}/hooks`;
const rules = [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['*/*'] }];

describe('webhooks that are asked about connections', () => {
  let server: TestServer;
  let agent: FakeAgent;
  let hooks: WebhookServer;
  before(async () => {
    agent = await startFakeAgent();
    server = await startTestServer();
    hooks = await WebhookServer.start((_, response) => response.end());
    await registerNode(server.admin, 'near', agent);
    const { spec, ...rest } = pod('web');
    await server.admin.create(pods, { ...rest, spec: { ...spec, nodeName: 'near' } });
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
    await hooks?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    hooks.calls.length = 0;
    agent.seen.length = 0;
    agent.onRequest = (_, response) => response.end('ok');
    agent.onUpgrade = (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  afterEach(() => server.admin.expect('DELETE', configuration));

  async function configure(patch: readonly object[], fields: object = {}): Promise<void> {
    hooks.answer = (call, response) => response.end(reviewAnswer(call, { allowed: true, patch }));
    const webhooks = [{ rules, ...fields }];
    await server.admin.create(configurationsPath('Mutating'), webhookConfiguration({}, hooks, webhooks));
  }

  it('may look at the options with a patch', async () => {
    await configure([{ op: 'test', path: '/path', value: '/pods' }]);
    const { code, text } = await server.admin.get(`${nodeProxy}/pods`);
    expect([code, text]).to.deep.equal([200, 'ok']);
    expect(hooks.calls).to.have.length(1);
  });

  it('may send a request to another path', async () => {
    await configure([{ op: 'replace', path: '/path', value: '/other pods' }]);
    expect((await server.admin.get(`${nodeProxy}/pods?x=1`)).code).to.equal(200);
    expect(agent.seen.map(({ url }) => url)).to.deep.equal(['/other%20pods?x=1']);
  });

  const changed: readonly (readonly [string, object, string])[] = [
    [
      'exec?command=rm&command=x&stdout=true&stderr=true',
      { command: ['ls', '-a b'], container: 'main', stdin: true, stderr: false },
      '/exec/default/web/main?command=ls&command=-a+b&input=1&output=1',
    ],
    ['attach?stdin=true', { tty: true, stdin: false }, '/attach/default/web/main?tty=1'],
    ['portforward?ports=80', { ports: [81, 82] }, '/portForward/default/web?port=81%2C82'],
  ];
  for (const [path, fields, target] of changed) {
    it(`may change what ${path} does`, async () => {
      await configure(
        Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
      );
      const { socket } = await openUpgrade(server, `${pods}/web/${path}`);
      socket.destroy();
      expect(agent.seen.map(({ url }) => url)).to.deep.equal([target]);
    });
  }

  it('are not asked when they select objects by label: options have none', async () => {
    const matchExpressions = [{ key: 'skipped', operator: 'DoesNotExist' }];
    await configure([], { objectSelector: { matchExpressions } });
    expect((await server.admin.get(`${nodeProxy}/pods`)).code).to.equal(200);
    expect(hooks.calls).to.be.empty;
  });
});
