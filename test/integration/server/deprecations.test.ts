import { expect } from 'chai';
import type { ApiClient } from '../../support/api-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const namespace = '/apis/networking.orch.io/v1beta1/namespaces/default';
const beta = `${namespace}/ingresses`;
const stable = '/apis/networking.orch.io/v1/namespaces/default/ingresses';
const warning =
  '299 - "networking.orch.io/v1beta1 Ingress is deprecated in v1.19+, unavailable in v1.22+; use networking.orch.io/v1 Ingress"';

const ingress = (name: string) => ({
  apiVersion: 'networking.orch.io/v1beta1',
  kind: 'Ingress',
  metadata: { name },
  spec: { backend: { serviceName: 's', servicePort: 80 } },
});

type Step = [
  what: string,
  request: [method: string, path: string, body?: unknown, contentType?: string],
  code: number,
];

describe('answers of deprecated versions', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    for (const name of ['i', 'doomed']) await admin.create(beta, ingress(name));
  });
  after(() => server.stop());

  async function send(client: ApiClient, [method, path, body, contentType]: Step[1]) {
    const { code, headers } = await client.send(method, path, { body, contentType });
    return { code, warning: headers.warning };
  }

  const mergePatch = 'application/merge-patch+json';
  const warned: readonly Step[] = [
    ['a create', ['POST', beta, ingress('new')], 201],
    ['a refused create', ['POST', beta, { ...ingress('b'), spec: {} }], 422],
    ['a body that is none', ['POST', beta, '{'], 400],
    ['a get', ['GET', `${beta}/i`], 200],
    ['a get of nothing', ['GET', `${beta}/none`], 404],
    ['a list', ['GET', beta], 200],
    ['a list of all namespaces', ['GET', '/apis/networking.orch.io/v1beta1/ingresses'], 200],
    ['a watch', ['GET', `${beta}?watch=1&timeoutSeconds=1`], 200],
    ['an update', ['PUT', `${beta}/i`, ingress('i')], 200],
    ['a patch', ['PATCH', `${beta}/i`, { metadata: { labels: { a: 'b' } } }, mergePatch], 200],
    ['a subresource', ['GET', `${beta}/i/status`], 200],
    ['a patch of a subresource', ['PATCH', `${beta}/i/status`, {}, mergePatch], 200],
    ['a deletion', ['DELETE', `${beta}/doomed`], 200],
    ['a deletion of many', ['DELETE', `${beta}?labelSelector=of%3Dnobody`], 200],
  ];
  for (const [what, request, code] of warned) {
    it(`warn once of ${what}`, async () => {
      expect(await send(admin, request)).to.deep.equal({ code, warning });
    });
  }

  const silent: readonly Step[] = [
    ['the stable version', ['GET', stable], 200],
    ['another kind of the same group', ['GET', stable.replace('ingresses', 'networkpolicies')], 200],
    ['a verb that the resource does not have', ['POST', `${beta}/i`, ingress('i')], 405],
    ['an unknown patch', ['PATCH', `${beta}/i`, {}, 'text/plain'], 415],
    ['an unknown patch of a subresource', ['PATCH', `${beta}/i/status`, {}, 'text/plain'], 415],
    ['a path that does not exist', ['GET', `${beta}/i/nothing`], 404],
    ['a resource that does not exist', ['GET', `${namespace}/nothings`], 404],
    ['a version that goes later', ['GET', '/apis/policy/v1beta1/poddisruptionbudgets'], 200],
    ['discovery', ['GET', '/apis/networking.orch.io/v1beta1'], 200],
  ];
  for (const [what, request, code] of silent) {
    it(`say nothing of ${what}`, async () => {
      expect(await send(admin, request)).to.deep.equal({ code, warning: undefined });
    });
  }

  it('say nothing to somebody who may not ask', async () => {
    // Everybody may do everything here, so that only unknown users are refused.
    const stranger = server.withToken('unknown');
    expect(await send(stranger, ['GET', beta])).to.deep.equal({ code: 401, warning: undefined });
  });

  it('warn of reviews, and of the parts of the control plane', async () => {
    const review = {
      apiVersion: 'authorization.orch.io/v1beta1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    };
    const reviewed = await send(admin, [
      'POST',
      '/apis/authorization.orch.io/v1beta1/selfsubjectaccessreviews',
      review,
    ]);
    expect(reviewed.code).to.equal(201);
    expect(reviewed.warning).to.match(/^299 - "authorization\.orch\.io\/v1beta1 SelfSubjectAccessReview is/);
    const { warning } = await send(admin, ['GET', '/api/v1/componentstatuses']);
    expect(warning).to.equal('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  });

  it('are counted for operators, by resource and subresource', async () => {
    const asked = ['/api/v1/componentstatuses', beta, `${beta}/i/status`];
    for (const path of asked) await admin.get(path);
    const lines = await metricLines(admin);
    const line = (group: string, version: string, path: string, removed: string) => {
      const [resource, subresource = ''] = path.split('/');
      return `apiserver_requested_deprecated_apis{group="${group}",version="${version}",resource="${resource}",subresource="${subresource}",removed_release="${removed}"} 1`;
    };
    expect(lines).to.include.members([
      line('networking.orch.io', 'v1beta1', 'ingresses', '1.22'),
      line('networking.orch.io', 'v1beta1', 'ingresses/status', '1.22'),
      line('', 'v1', 'componentstatuses', ''),
    ]);
    expect(lines.filter((found) => found.includes('"ingresses",subresource=""'))).to.have.length(1);
  });
});

async function metricLines(client: ApiClient): Promise<string[]> {
  const { text } = await client.get('/metrics');
  return text.split('\n').filter((line) => line.startsWith('apiserver_requested_deprecated_apis{'));
}

describe('answers of deprecated versions without the gate WarningHeaders', () => {
  it('warn nobody, but are counted', async () => {
    const server = await startTestServer({ flags: ['--feature-gates=WarningHeaders=false'] });
    try {
      for (const path of [beta, '/api/v1/componentstatuses']) {
        const { code, headers } = await server.admin.get(path);
        expect({ code, warning: headers.warning }).to.deep.equal({ code: 200, warning: undefined });
      }
      expect(await metricLines(server.admin)).to.have.length(2);
    } finally {
      await server.stop();
    }
  });
});
