import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { eventually } from '../../../support/eventually.ts';
import { type FrontProxyFlags, makeFrontProxy } from '../../../support/front-proxy.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';
import {
  configurationsPath,
  reviewAnswer,
  webhookConfiguration,
} from '../../../support/webhook-configurations.ts';
import { type ReceivedCall, WebhookServer } from '../../../support/webhook-server.ts';

const inDefault = '/api/v1/namespaces/default';
const configMap = (name: string) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } });
const callTo = (path: string, port?: number) => ({
  clientConfig: { service: { namespace: 'default', name: 'orch', path, port } },
  failurePolicy: 'Fail',
});

describe('webhooks behind the service of the API itself', () => {
  let proxy: FrontProxyFlags;
  let server: TestServer;
  let hooks: WebhookServer;
  before(async () => {
    proxy = await makeFrontProxy();
    // Nobody listens at the address that others are told.
    const flags = ['--advertise-address=203.0.113.7', '--endpoint-reconciler-type=none'];
    server = await startTestServer({ flags: [...proxy.front, ...flags] });
    hooks = await WebhookServer.start((call, response) =>
      response.end(call.method === 'GET' ? '{}' : reviewAnswer(call, { allowed: true })),
    );
    await server.admin.create(`${inDefault}/services`, {
      metadata: { name: 'hooks' },
      spec: { type: 'ExternalName', externalName: '127.0.0.1', ports: [{ port: hooks.port }] },
    });
    await server.admin.create('/apis/apiregistration.orch.io/v1/apiservices', {
      metadata: { name: 'v1.hooks.example.com' },
      spec: {
        group: 'hooks.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { namespace: 'default', name: 'hooks', port: hooks.port },
        insecureSkipTLSVerify: true,
      },
    });
    await eventually(
      async () => (await server.admin.get('/apis/hooks.example.com/v1')).code === 200 || undefined,
    );
  });
  after(async () => {
    await server?.stop();
    await hooks?.[Symbol.asyncDispose]();
    await proxy?.remove();
  });

  const configure = (webhook: object) =>
    server.admin.create(
      configurationsPath('Mutating'),
      webhookConfiguration({}, hooks, [{ ...webhook, timeoutSeconds: 5 }]),
    );
  const unconfigure = () => server.admin.expect('DELETE', configurationsPath('Mutating'));

  it('are called within the server, by its own user and without an authority', async () => {
    await configure(callTo('/apis/hooks.example.com/v1/reviews'));
    hooks.calls.length = 0;
    await server.admin.create(`${inDefault}/configmaps`, configMap('a'));
    await server.admin.create(`${inDefault}/configmaps`, configMap('b'));
    const isReview = ({ method }: ReceivedCall): boolean => method === 'POST';
    const users = hooks.calls.filter(isReview).map(({ url, headers }) => [url, headers['x-remote-user']]);
    const each = ['/apis/hooks.example.com/v1/reviews?timeout=5s', 'system:apiserver'];
    expect(users).to.deep.equal([each, each]);
    await unconfigure();
  });

  it('are named as the service in failures', async () => {
    await configure(callTo('/nothing', 444));
    const post = async () =>
      (await server.admin.send('POST', `${inDefault}/configmaps`, { body: configMap('c') })).body.message;
    const failed = 'Internal error occurred: failed calling webhook "hook0.example.com":';
    expect(await post()).to.match(/Post "https:\/\/orch.default.svc:444\/nothing\?timeout=5s": /);
    await unconfigure();
    await configure(callTo('/nothing'));
    expect(await post()).to.equal(`${failed} the server could not find the requested resource`);
    await unconfigure();
  });
});
