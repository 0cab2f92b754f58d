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
import { type AnswerCall, WebhookServer } from '../../support/webhook-server.ts';

const group = 'converted.example.com';
const services = '/api/v1/namespaces/default/services';
const pathOf = (version: string) => `/apis/${group}/${version}/namespaces/default/widgets`;
/** Loopback is where anybody can listen, so cluster addresses are there. */
const [address, otherAddress] = ['127.83.0.10', '127.83.0.11'];
const host = 'hook.default.svc';

/** What is decided when a webhook is connected to is decided for each call, unless webhooks keep connections. */
let connection = 'close';

/** Converts by noting who did it. */
const convertAs =
  (who: string): AnswerCall =>
  ({ body }, response) => {
    const { apiVersion, kind, request } = JSON.parse(body);
    const convertedObjects = request.objects.map((object: JsonObject) => ({
      ...object,
      apiVersion: request.desiredAPIVersion,
      spec: { ...object.spec, who },
    }));
    const answer = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
    response
      .setHeader('Content-Type', 'application/json')
      .setHeader('Connection', connection)
      .end(JSON.stringify({ apiVersion, kind, response: answer }));
  };

describe('webhooks of conversions behind services', () => {
  let server: TestServer;
  let admin: ApiClient;
  let webhook: WebhookServer;
  let other: WebhookServer;
  let objects = 0;
  before(async () => {
    webhook = await WebhookServer.start(convertAs('first'), [host], { address });
    const { port } = webhook;
    other = await WebhookServer.start(convertAs('other'), [host], { address: otherAddress, port });
    server = await startTestServer({ flags: ['--service-cluster-ip-range=127.83.0.0/24'] });
    admin = server.admin;
    await establish(
      admin,
      widgetDefinition(group, {
        versions: [openVersion('v1'), openVersion('v2', { storage: false })],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: {
              service: { namespace: 'default', name: 'hook', path: '/convert/here', port },
              caBundle: webhook.caBundle,
            },
          },
        },
      }),
    );
  });
  after(async () => {
    await server.stop();
    await webhook[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await admin.send('DELETE', `${services}/hook`);
    webhook.calls.length = 0;
  });

  const serve = (spec: JsonObject) =>
    admin.create(services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hook' },
      spec: { ports: [{ port: webhook.port }], ...spec },
    });
  /** Changes how the webhook is reached. */
  const changeClient = (change: JsonObject): Promise<JsonObject> =>
    admin.expect('PATCH', `${definitionsPath}/widgets.${group}`, {
      contentType: 'application/merge-patch+json',
      body: { spec: { conversion: { webhook: { clientConfig: change } } } },
    });
  /** What reading a new object in the other version gives: who converted it, or the error. */
  const convertOne = async (): Promise<string> => {
    const name = `w${objects++}`;
    await admin.create(pathOf('v1'), widget(group, name, { spec: {} }));
    const { code, body } = await admin.get(`${pathOf('v2')}/${name}`);
    return code === 200 ? body.spec.who : `${code} ${body.message}`;
  };
  /** Waits until objects are converted so: a change of the definition counts soon after it was acknowledged. */
  const becomes = (wanted: string): Promise<true> =>
    eventually(async () => ((await convertOne()) === wanted ? true : undefined));
  const failed = (problem: string) =>
    `500 conversion webhook for ${group}/v1, Kind=Widget failed: Post "https://${host}:${webhook.port}/convert/here?timeout=30s": ${problem}`;

  it('are called by the address, port and path of the service, under its name', async () => {
    await serve({ clusterIP: address });
    expect(await convertOne()).to.equal('first');
    const [call] = webhook.calls;
    expect(call?.url).to.equal('/convert/here?timeout=30s');
    expect(call?.headers.host).to.equal(`${host}:${webhook.port}`);
  });

  it('are not found until their service is there, with the port', async () => {
    expect(await convertOne()).to.equal(failed('service "hook" not found'));
    await serve({ clusterIP: address, ports: [{ port: 1 }] });
    const noPort = `no service port ${webhook.port} found for service "hook"`;
    expect(await convertOne()).to.equal(failed(noPort));
    const contentType = 'application/merge-patch+json';
    const body = { spec: { ports: [{ port: webhook.port }] } };
    await admin.expect('PATCH', `${services}/hook`, { body, contentType });
    expect(await convertOne()).to.equal('first');
  });

  it('cannot be behind a service without an address', async () => {
    await serve({ clusterIP: 'None' });
    expect(await convertOne()).to.equal(failed('cannot route to service with ClusterIP "None"'));
  });

  it('are called where the service leads now, whose certificate is checked', async () => {
    await serve({ clusterIP: address });
    expect(await convertOne()).to.equal('first');
    await admin.expect('DELETE', `${services}/hook`);
    await serve({ clusterIP: otherAddress });
    expect(await convertOne()).to.match(/x509: certificate signed by unknown authority/);
    await changeClient({ caBundle: other.caBundle });
    await becomes('other');
    await changeClient({ caBundle: webhook.caBundle });
    await admin.expect('DELETE', `${services}/hook`);
    await serve({ clusterIP: address });
    await becomes('first');
  });

  it('stay connected while they want to be, wherever the service leads', async () => {
    connection = 'keep-alive';
    await serve({ clusterIP: address });
    const { connections } = webhook;
    for (let call = 0; call < 3; call++) expect(await convertOne()).to.equal('first');
    expect(webhook.connections).to.equal(connections + 1);
    await admin.expect('DELETE', `${services}/hook`);
    expect(await convertOne()).to.equal('first');
    connection = 'close';
    expect(await convertOne()).to.equal('first');
    expect(await convertOne()).to.equal(failed('service "hook" not found'));
  });

  it('are out of reach while nobody is behind the service, and are called when somebody is', async () => {
    const { port } = webhook;
    await serve({ clusterIP: '127.83.0.12' });
    expect(await convertOne()).to.equal(failed(`dial tcp 127.83.0.12:${port}: connect: connection refused`));
    await using there = await WebhookServer.start(convertAs('late'), [host], {
      address: '127.83.0.12',
      port,
    });
    await changeClient({ caBundle: there.caBundle });
    await becomes('late');
  });
});
