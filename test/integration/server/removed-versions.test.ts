import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: labels };
const request = Buffer.from(
  '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n',
).toString('base64');
const hook = { name: 'a.example.com', clientConfig: { url: 'https://example.com/' } };
const fullHook = { ...hook, sideEffects: 'None', admissionReviewVersions: ['v1'] };
const hooks = (version: string, kind: string) =>
  `/apis/admissionregistration.orch.io/${version}/${kind}webhookconfigurations`;
const events = '/apis/events.orch.io/v1/namespaces/default/events';
const event = {
  regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
  eventTime: '2021-02-03T04:05:06.000007Z',
  type: 'Normal',
  reason: 'r',
  action: 'a',
  reportingController: 'c',
  reportingInstance: 'i',
};
const ingresses = (version: string) => `/apis/networking.orch.io/${version}/namespaces/default/ingresses`;
const path = (rest: object) => ({ spec: { rules: [{ http: { paths: [{ path: '/', ...rest }] } }] } });

/** Something that a served version asks for: a field that must be there, or that it does not take. */
type Refusal = readonly [says: string, collection: string, object: object, field: RegExp];

/** Values that a served version gives by itself. */
type Default = readonly [says: string, collection: string, object: object, values: Record<string, unknown>];

const workload = (resource: string) => `/apis/apps/v1/namespaces/default/${resource}`;
const requests = (version: string) => `/apis/certificates.orch.io/${version}/certificatesigningrequests`;
const definitions = (version: string) => `/apis/apiextensions.orch.io/${version}/customresourcedefinitions`;

const refusals: readonly Refusal[] = [
  ...['deployments', 'replicasets', 'statefulsets'].map(
    (resource): Refusal => [
      `${resource} have a selector`,
      workload(resource),
      { spec: { template } },
      /^spec\.selector$/,
    ],
  ),
  // The reference says it in other words here: nothing is selected, so the labels do not fit.
  [
    'daemonsets have a selector',
    workload('daemonsets'),
    { spec: { template } },
    /template\.metadata\.labels$/,
  ],
  [
    'webhooks say which side effects they have',
    hooks('v1', 'mutating'),
    { webhooks: [{ ...fullHook, sideEffects: undefined }] },
    /sideEffects$/,
  ],
  ...['Unknown', 'Some'].map(
    (sideEffects): Refusal => [
      `webhooks have no side effects of kind ${sideEffects}`,
      hooks('v1', 'validating'),
      { webhooks: [{ ...fullHook, sideEffects }] },
      /sideEffects$/,
    ],
  ),
  [
    'webhooks say which review versions they know',
    hooks('v1', 'validating'),
    { webhooks: [{ ...fullHook, admissionReviewVersions: undefined }] },
    /admissionReviewVersions$/,
  ],
  [
    'names of webhooks are unique',
    hooks('v1', 'validating'),
    { webhooks: [fullHook, fullHook] },
    /^webhooks\[1\]\.name$/,
  ],
  [
    'signing requests name a signer',
    requests('v1'),
    { spec: { request, usages: ['client auth'] } },
    /^spec\.signerName$/,
  ],
  [
    'signing requests do not name the signer of old',
    requests('v1'),
    { spec: { request, usages: ['client auth'], signerName: 'orch.io/legacy-unknown' } },
    /^spec\.signerName$/,
  ],
  ...(
    [
      ['have usages', undefined],
      ['have each usage once', ['client auth', 'client auth']],
      ['have known usages', ['odd']],
    ] as const
  ).map(
    ([says, usages]): Refusal => [
      `signing requests ${says}`,
      requests('v1'),
      { spec: { request, usages, signerName: 'example.com/s' } },
      /^spec\.usages/,
    ],
  ),
  [
    'paths of an ingress have a type',
    ingresses('v1'),
    path({ backend: { service: { name: 's', port: { number: 80 } } } }),
    /pathType$/,
  ],
  [
    'paths of an ingress have a known type',
    ingresses('v1'),
    path({ pathType: 'Odd', backend: { service: { name: 's', port: { number: 80 } } } }),
    /pathType$/,
  ],
  ...(['action', 'reason', 'reportingController', 'reportingInstance', 'eventTime'] as const).map(
    (field): Refusal => [`events have ${field}`, events, { ...event, [field]: undefined }, new RegExp(field)],
  ),
  ['events have a known type', events, { ...event, type: 'Odd' }, /^type$/],
  ...(
    [
      ['deprecatedFirstTimestamp', '2021-02-03T04:05:06Z'],
      ['deprecatedLastTimestamp', '2021-02-03T04:05:06Z'],
      ['deprecatedCount', 2],
      ['deprecatedSource', { component: 'c' }],
    ] as const
  ).map(
    ([field, value]): Refusal => [
      `new events have no ${field}`,
      events,
      { ...event, [field]: value },
      /^(?:deprecated)?(?:firstTimestamp|lastTimestamp|count|source|FirstTimestamp|LastTimestamp|Count|Source)/,
    ],
  ),
  [
    'definitions have a scope',
    definitions('v1'),
    { spec: { group: 'example.com', names: { plural: 'as', kind: 'A' }, versions: [] } },
    /^spec\.scope$/,
  ],
];

const defaults: readonly Default[] = [
  [
    'daemon sets are replaced by rolling updates',
    workload('daemonsets'),
    { spec: { selector, template } },
    { 'spec.updateStrategy.type': 'RollingUpdate' },
  ],
  [
    'stateful sets are replaced by rolling updates',
    workload('statefulsets'),
    { spec: { selector, template, serviceName: 's' } },
    { 'spec.updateStrategy.type': 'RollingUpdate' },
  ],
  [
    'deployments have a deadline, a history and a pace',
    workload('deployments'),
    { spec: { selector, template } },
    {
      'spec.progressDeadlineSeconds': 600,
      'spec.revisionHistoryLimit': 10,
      'spec.strategy.rollingUpdate': { maxSurge: '25%', maxUnavailable: '25%' },
    },
  ],
  ...(
    [
      ['v1', 'Fail', 'Equivalent', 10],
      ['v1beta1', 'Ignore', 'Exact', 30],
    ] as const
  ).flatMap(([version, failurePolicy, matchPolicy, timeoutSeconds]) =>
    ['mutating', 'validating'].map(
      (kind): Default => [
        `${kind} webhooks of ${version} have policies and a timeout`,
        hooks(version, kind),
        { webhooks: [fullHook] },
        {
          'webhooks.0.failurePolicy': failurePolicy,
          'webhooks.0.matchPolicy': matchPolicy,
          'webhooks.0.timeoutSeconds': timeoutSeconds,
        },
      ],
    ),
  ),
  [
    'signing requests of v1beta1 have a signer and usages',
    requests('v1beta1'),
    { spec: { request } },
    {
      'spec.signerName': 'orch.io/legacy-unknown',
      'spec.usages': ['digital signature', 'key encipherment'],
    },
  ],
  [
    'paths of an ingress of v1beta1 have a type',
    ingresses('v1beta1'),
    path({ backend: { serviceName: 's', servicePort: 80 } }),
    { 'spec.rules.0.http.paths.0.pathType': 'ImplementationSpecific' },
  ],
];

describe('what served versions ask for where removed ones did not', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  const create = (collection: string, object: object, name: string) =>
    admin.send('POST', collection, { body: { metadata: { name }, ...object } });

  const causesOf = ({ details }: JsonObject): string[] =>
    (details?.causes ?? []).map(({ field }: JsonObject) => String(field));

  for (const [says, collection, object, field] of refusals) {
    it(`${says}`, async () => {
      const { code, body } = await create(collection, object, 'refused');
      expect([code, body.reason]).to.deep.equal([422, 'Invalid'], JSON.stringify(body));
      expect(
        causesOf(body).filter((name) => field.test(name)),
        body.message,
      ).not.to.deep.equal([]);
    });
  }

  for (const [index, [says, collection, object, values]] of defaults.entries()) {
    it(`${says}`, async () => {
      const { code, body } = await create(collection, object, `d-${index}`);
      expect(code, body.message).to.equal(201);
      for (const [at, value] of Object.entries(values)) expect(body).to.have.deep.nested.property(at, value);
    });
  }

  for (const resource of ['deployments', 'replicasets', 'daemonsets', 'statefulsets']) {
    it(`${resource} keep their selector`, async () => {
      const other = { app: 'other' };
      const object = { spec: { selector, template, serviceName: 's' } };
      const { body } = await create(workload(resource), object, 'kept');
      const changed = {
        ...body,
        spec: {
          ...body.spec,
          selector: { matchLabels: other },
          template: { ...body.spec.template, metadata: { labels: other } },
        },
      };
      const refused = await admin.send('PUT', `${workload(resource)}/kept`, { body: changed });
      expect(refused.code).to.equal(422);
    });
  }

  const removed = [
    ['extensions/v1beta1', 'networkpolicies'],
    ...['daemonsets', 'deployments', 'replicasets'].map((resource) => ['extensions/v1beta1', resource]),
    ...['deployments', 'statefulsets'].map((resource) => ['apps/v1beta1', resource]),
    ...['daemonsets', 'deployments', 'replicasets', 'statefulsets'].map((resource) => [
      'apps/v1beta2',
      resource,
    ]),
  ];
  for (const [version, resource] of removed) {
    it(`${version} has no ${resource}`, async () => {
      const { code } = await admin.get(`/apis/${version}/namespaces/default/${resource}`);
      expect(code).to.equal(404);
    });
  }

  const renamed: readonly (readonly [kind: string, older: string, newer: string])[] = [
    ['authorization.orch.io', 'group', 'groups'],
  ];
  for (const [group, older, newer] of renamed) {
    for (const resource of ['subjectaccessreviews', 'namespaces/default/localsubjectaccessreviews']) {
      it(`${resource} name groups ${older} in v1beta1 and ${newer} in v1`, async () => {
        for (const [version, field] of [
          ['v1beta1', older],
          ['v1', newer],
        ] as const) {
          const namespace = resource.startsWith('namespaces') ? 'default' : '';
          const spec = {
            [field]: ['system:masters'],
            resourceAttributes: { namespace, verb: 'get', resource: 'pods' },
          };
          const { code, body } = await admin.send('POST', `/apis/${group}/${version}/${resource}`, {
            body: { metadata: { namespace }, spec },
          });
          expect(code, body.message).to.equal(201);
          expect(body.spec[field]).to.deep.equal(['system:masters']);
          expect(body.status.allowed).to.equal(true);
        }
      });
    }
  }

  const unchanged: readonly (readonly [older: string, newer: string, object: object])[] = [
    ['scheduling.orch.io/v1beta1/priorityclasses', 'scheduling.orch.io/v1/priorityclasses', { value: 5 }],
    [
      'coordination.orch.io/v1beta1/namespaces/default/leases',
      'coordination.orch.io/v1/namespaces/default/leases',
      { spec: { holderIdentity: 'h' } },
    ],
    ...(['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'] as const).map((resource) => {
      const at = resource.startsWith('cluster') ? resource : `namespaces/default/${resource}`;
      const role = { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' };
      const object = resource.endsWith('bindings') ? { roleRef: role, subjects: [] } : { rules: [] };
      return [
        `rbac.authorization.orch.io/v1beta1/${at}`,
        `rbac.authorization.orch.io/v1/${at}`,
        object,
      ] as const;
    }),
    [
      'networking.orch.io/v1beta1/ingressclasses',
      'networking.orch.io/v1/ingressclasses',
      { spec: { controller: 'example.com/c' } },
    ],
    ['storage.orch.io/v1beta1/csidrivers', 'storage.orch.io/v1/csidrivers', { spec: {} }],
    ['storage.orch.io/v1beta1/csinodes', 'storage.orch.io/v1/csinodes', { spec: { drivers: [] } }],
    ['storage.orch.io/v1beta1/storageclasses', 'storage.orch.io/v1/storageclasses', { provisioner: 'p' }],
    [
      'storage.orch.io/v1beta1/volumeattachments',
      'storage.orch.io/v1/volumeattachments',
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    ],
    ['node.orch.io/v1beta1/runtimeclasses', 'node.orch.io/v1/runtimeclasses', { handler: 'h' }],
    [
      'apiregistration.orch.io/v1beta1/apiservices',
      'apiregistration.orch.io/v1/apiservices',
      {
        metadata: { name: 'v1.example.com' },
        spec: {
          group: 'example.com',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { namespace: 'default', name: 's' },
          insecureSkipTLSVerify: true,
        },
      },
    ],
  ];
  for (const [older, newer, object] of unchanged) {
    it(`${older} is the same in ${newer.split('/').slice(0, 2).join('/')}`, async () => {
      const created = await create(`/apis/${older}`, object, 'same');
      expect(created.code, created.body.message).to.equal(201);
      const { body } = await admin.get(`/apis/${newer}/${created.body.metadata.name}`);
      const apiVersion = newer.split('/').slice(0, 2).join('/');
      // The status is not the client's: the server may write it meanwhile.
      const fields = ({ metadata, status, ...rest }: JsonObject) => ({ ...rest, apiVersion });
      expect(fields(body)).to.deep.equal(fields(created.body));
      // And comes back as it was.
      const { name, labels, generation } = created.body.metadata;
      const put = await admin.send('PUT', `/apis/${newer}/${name}`, { body });
      expect(put.code, put.body.message).to.equal(200);
      const { body: back } = await admin.get(`/apis/${older}/${name}`);
      expect(fields({ ...back, apiVersion })).to.deep.equal(fields(created.body));
      expect([back.metadata.labels, back.metadata.generation]).to.deep.equal([labels, generation]);
    });
  }
});
