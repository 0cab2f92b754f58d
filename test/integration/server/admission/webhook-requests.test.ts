import { expect } from 'chai';
import { deployment, pod } from '../../../support/objects.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';
import {
  configurationsPath,
  requestOf,
  reviewAnswer,
  webhookConfiguration,
} from '../../../support/webhook-configurations.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

const inDefault = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const mergePatch = 'application/merge-patch+json';
const scale = (replicas: number) => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: 'd', namespace: 'default' },
  spec: { replicas },
});
const review = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.orch.io/v1' };

/** A request, and what each webhook that is asked about it sees: operation, resource, kind, name, object and old object. */
const rows: readonly (readonly [
  method: string,
  path: string,
  body: unknown,
  seen: readonly (readonly [
    operation: string,
    resource: string,
    kind: string,
    name: string,
    objects: string,
  ])[],
])[] = [
  ['POST', `${inDefault}/pods`, pod('p'), [['CREATE', 'pods', 'Pod', 'p', 'Pod, none']]],
  [
    'POST',
    `${inDefault}/pods/p/binding`,
    { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
    [['CREATE', 'pods/binding', 'Binding', 'p', 'Binding, none']],
  ],
  [
    'PATCH',
    `${inDefault}/pods/p/status`,
    { status: { phase: 'Running' } },
    [['UPDATE', 'pods/status', 'Pod', 'p', 'Pod, Pod']],
  ],
  [
    'POST',
    `${inDefault}/pods/p/eviction`,
    { kind: 'Eviction', apiVersion: 'policy/v1beta1', metadata: { name: 'p', labels: { a: 'b' } } },
    [['CREATE', 'pods/eviction', 'Eviction', 'p', 'Eviction, none']],
  ],
  [
    'GET',
    `${inDefault}/pods/p/exec?command=ls`,
    undefined,
    [['CONNECT', 'pods/exec', 'PodExecOptions', 'p', 'PodExecOptions, none']],
  ],
  [
    'DELETE',
    `${inDefault}/pods/p?gracePeriodSeconds=0`,
    undefined,
    [
      ['DELETE', 'pods', 'Pod', 'p', 'none, Pod'],
      ['DELETE', 'pods', 'Pod', 'p', 'none, Pod'],
    ],
  ],
  ['POST', deployments, deployment('d'), [['CREATE', 'deployments', 'Deployment', 'd', 'Deployment, none']]],
  [
    'PUT',
    `${deployments}/d/scale`,
    scale(2),
    [['UPDATE', 'deployments/scale', 'Scale', 'd', 'Scale, Scale']],
  ],
  [
    'PATCH',
    `${deployments}/d/scale`,
    { spec: { replicas: 3 } },
    [['UPDATE', 'deployments/scale', 'Scale', 'd', 'Scale, Scale']],
  ],
  [
    'DELETE',
    `${deployments}/d`,
    undefined,
    [['DELETE', 'deployments', 'Deployment', 'd', 'none, Deployment']],
  ],
  [
    'POST',
    '/apis/authorization.orch.io/v1/selfsubjectaccessreviews',
    { ...review, spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
    [['CREATE', 'selfsubjectaccessreviews', review.kind, '', `${review.kind}, none`]],
  ],
  [
    'POST',
    '/api/v1/namespaces',
    { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'space' } },
    [['CREATE', 'namespaces', 'Namespace', 'space', 'Namespace, none']],
  ],
  [
    'DELETE',
    '/api/v1/namespaces/space',
    undefined,
    [['DELETE', 'namespaces', 'Namespace', 'space', 'none, Namespace']],
  ],
];

describe('requests that webhooks are asked about', () => {
  let server: TestServer;
  let hooks: WebhookServer;
  before(async () => {
    server = await startTestServer();
    hooks = await WebhookServer.start((call, response) =>
      response.end(reviewAnswer(call, { allowed: true })),
    );
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    const reviews = { mutating: ['v1'], validating: ['v1beta1'] };
    for (const kind of ['Mutating', 'Validating'] as const) {
      const admissionReviewVersions = kind === 'Mutating' ? reviews.mutating : reviews.validating;
      const webhooks = [{ rules, admissionReviewVersions, path: `/${kind}` }];
      await server.admin.create(configurationsPath(kind), webhookConfiguration({ kind }, hooks, webhooks));
    }
  });
  after(async () => {
    await server.stop();
    await hooks[Symbol.asyncDispose]();
  });

  it('tells validating webhooks a name that was generated', async () => {
    hooks.calls.length = 0;
    const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { generateName: 'made-' } };
    const { metadata } = await server.admin.create(`${inDefault}/configmaps`, body);
    const names = hooks.calls.map((call) => requestOf(call).name);
    expect(names).to.deep.equal([undefined, metadata.name]);
  });

  for (const [method, path, body, seen] of rows) {
    it(`${method} ${path}`, async () => {
      hooks.calls.length = 0;
      const contentType = method === 'PATCH' ? mergePatch : undefined;
      await server.admin.send(method, path, { body, contentType });
      for (const kind of ['Mutating', 'Validating']) {
        const requests = hooks.calls.filter(({ url }) => url.startsWith(`/${kind}`)).map(requestOf);
        const told = requests.map((request) => [
          request.operation,
          [request.resource.resource, ...(request.subResource ? [request.subResource] : [])].join('/'),
          request.kind.kind,
          request.name ?? '',
          `${request.object?.kind ?? 'none'}, ${request.oldObject?.kind ?? 'none'}`,
        ]);
        expect(told, kind).to.deep.equal(seen);
        for (const { kind: shown, object, oldObject, requestKind, options, operation } of requests) {
          expect(requestKind).to.deep.equal(shown);
          const [record, oldRecord] = [object, oldObject].map((one) => one?.metadata?.managedFields);
          if (operation === 'CREATE') expect(record).to.have.lengthOf(1);
          if (operation === 'UPDATE') expect(oldRecord).to.equal(undefined);
          if (object !== null)
            expect(object.apiVersion).to.equal([shown.group, shown.version].filter(Boolean).join('/'));
          expect(options?.kind ?? 'none').to.equal(
            operation === 'CONNECT' ? 'none' : `${operation[0]}${operation.slice(1).toLowerCase()}Options`,
          );
        }
      }
    });
  }

  it('are tried once more when an update is refused', async () => {
    await server.admin.create(deployments, deployment('refused'));
    const { answer } = hooks;
    hooks.answer = (call, response) => response.end(reviewAnswer(call, { allowed: false }));
    hooks.calls.length = 0;
    try {
      const request = { body: { spec: { replicas: 3 } }, contentType: mergePatch };
      expect((await server.admin.send('PATCH', `${deployments}/refused`, request)).code).to.equal(400);
    } finally {
      hooks.answer = answer;
    }
    expect(hooks.calls).to.have.length(2);
  });
});
