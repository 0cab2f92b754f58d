import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { run } from '../support/run.ts';

/** What release notes say of removed versions, and where a kept manifest shows it. */
interface Change {
  readonly says: string;
  readonly manifest: string;
  /** Values in the output, by path; of the first document unless a number stands in front. */
  readonly has?: Readonly<Record<string, unknown>>;
  /** Texts among the notices. */
  readonly tells?: readonly string[];
}

const hooks = 'admissionregistration.orch.io/v1';
const definitions = 'apiextensions.orch.io/v1';
const events = 'events.orch.io/v1';
const requests = 'certificates.orch.io/v1';

const changes: readonly Change[] = [
  {
    says: 'network policies go to networking/v1',
    manifest: 'networkpolicy-extensions',
    has: { apiVersion: 'networking.orch.io/v1', 'spec.policyTypes': ['Ingress'] },
  },
  ...[
    'daemonset-extensions',
    'daemonset-apps-v1beta2',
    'deployment-extensions',
    'deployment-apps-v1beta1',
    'deployment-apps-v1beta2',
    'statefulset-apps-v1beta1',
    'statefulset-apps-v1beta2',
    'replicaset-extensions',
  ].map((manifest) => ({
    says: `${manifest} goes to apps/v1, with an explicit selector`,
    manifest,
    has: { apiVersion: 'apps/v1', 'spec.selector': { matchLabels: { app: 'web' } } },
  })),
  {
    says: 'daemon sets lose their template generation to an annotation',
    manifest: 'daemonset-extensions',
    has: { 'spec.templateGeneration': undefined },
    tells: [
      'metadata.annotations[deprecated.daemonset.template.generation]: keeps what apps/v1 has no field for',
    ],
  },
  {
    says: 'daemon sets of the first version are replaced only when deleted, and say so',
    manifest: 'daemonset-extensions',
    has: { 'spec.updateStrategy.type': 'OnDelete' },
    tells: ['spec.updateStrategy.type: set to "OnDelete"', 'that of apps/v1 is "RollingUpdate"'],
  },
  {
    says: 'stateful sets of the first version are replaced only when deleted, and say so',
    manifest: 'statefulset-apps-v1beta1',
    has: { 'spec.updateStrategy.type': 'OnDelete' },
    tells: ['that of apps/v1 is "RollingUpdate"'],
  },
  {
    says: 'deployments lose their rollback to an annotation',
    manifest: 'deployment-apps-v1beta1',
    has: { 'spec.rollbackTo': undefined },
    tells: ['metadata.annotations[deprecated.deployment.rollback.to]'],
  },
  {
    says: 'deployments of the first version keep their deadline, history and pace',
    manifest: 'deployment-extensions',
    has: {
      'spec.progressDeadlineSeconds': 2147483647,
      'spec.revisionHistoryLimit': 2147483647,
      'spec.strategy.rollingUpdate': { maxSurge: 1, maxUnavailable: 1 },
    },
    tells: ['that of apps/v1 is 600', 'that of apps/v1 is 10', 'that of apps/v1 is "25%"'],
  },
  {
    says: 'webhooks keep the failure policy, match policy and timeout that they had by default',
    manifest: 'webhooks',
    has: {
      apiVersion: hooks,
      'webhooks.0.failurePolicy': 'Ignore',
      'webhooks.0.matchPolicy': 'Exact',
      'webhooks.0.timeoutSeconds': 30,
    },
    tells: [`that of ${hooks} is "Fail"`, `that of ${hooks} is "Equivalent"`, `that of ${hooks} is 10`],
  },
  {
    says: 'webhooks must say which side effects they have, and cannot leave it open',
    manifest: 'webhooks',
    tells: [`webhooks[0].sideEffects: ${hooks} refuses this`],
  },
  {
    says: 'webhooks must say which review versions they know',
    manifest: 'webhooks',
    has: { 'webhooks.0.admissionReviewVersions': ['v1beta1'] },
    tells: ['webhooks[0].admissionReviewVersions: set to ["v1beta1"]'],
  },
  {
    says: 'names of webhooks are unique',
    manifest: 'webhooks',
    tells: ['webhooks[1].name: ', 'Duplicate value: "pods.checks.example.com"'],
  },
  {
    says: 'definitions must have a scope',
    manifest: 'customresourcedefinition',
    has: { apiVersion: definitions, 'spec.scope': 'Namespaced' },
    tells: ['spec.scope: set to "Namespaced"'],
  },
  {
    says: 'the version of a definition is one of its versions',
    manifest: 'customresourcedefinition',
    has: { 'spec.version': undefined, '1 spec.version': undefined, '1 spec.versions.0.name': 'v1' },
  },
  {
    says: 'validation, subresources and columns of a definition move to each version',
    manifest: 'customresourcedefinition',
    has: {
      'spec.validation': undefined,
      'spec.subresources': undefined,
      'spec.additionalPrinterColumns': undefined,
      'spec.versions.0.schema.openAPIV3Schema.type': 'object',
      'spec.versions.1.schema.openAPIV3Schema.type': 'object',
      'spec.versions.1.subresources': { status: {} },
      'spec.versions.1.additionalPrinterColumns': [
        { name: 'Spec', type: 'string', jsonPath: '.spec.cronSpec' },
      ],
    },
  },
  {
    says: 'the webhook of a definition lies together',
    manifest: 'customresourcedefinition',
    has: {
      'spec.conversion': {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: 'https://convert.example.com/crontabs' },
          conversionReviewVersions: ['v1', 'v1beta1'],
        },
      },
    },
  },
  {
    says: 'definitions must have a schema',
    manifest: 'customresourcedefinition',
    tells: ['spec.versions[0].schema.openAPIV3Schema: ', 'schemas are required'],
  },
  {
    says: 'definitions cannot keep unknown fields as a whole',
    manifest: 'customresourcedefinition',
    tells: [`spec.preserveUnknownFields: ${definitions} refuses this`],
  },
  {
    says: 'API services, leases, priority classes, storage kinds and ingress classes change their version only',
    manifest: 'small-kinds',
    has: {
      '2 apiVersion': 'scheduling.orch.io/v1',
      '3 apiVersion': 'coordination.orch.io/v1',
      '4 apiVersion': 'storage.orch.io/v1',
      '5 apiVersion': 'storage.orch.io/v1',
      '6 apiVersion': 'storage.orch.io/v1',
      '7 apiVersion': 'storage.orch.io/v1',
      '8 apiVersion': 'apiregistration.orch.io/v1',
      '9 apiVersion': 'networking.orch.io/v1',
    },
  },
  {
    says: 'runtime classes change their version only, but the first ones',
    manifest: 'small-kinds',
    has: {
      '0 handler': 'runsc',
      '0 spec': undefined,
      '1 apiVersion': 'node.orch.io/v1',
      '1 handler': 'runc',
    },
  },
  {
    says: 'disruption budgets stay where they are',
    manifest: 'small-kinds',
    has: { '10 apiVersion': 'policy/v1beta1' },
  },
  {
    says: 'roles and bindings change their version only',
    manifest: 'rbac',
    has: Object.fromEntries(
      [0, 1, 2, 3].map((index) => [`${index} apiVersion`, 'rbac.authorization.orch.io/v1']),
    ),
  },
  {
    says: 'token reviews change their version only',
    manifest: 'reviews',
    has: { '3 apiVersion': 'authentication.orch.io/v1', '3 spec': { token: 'abc' } },
  },
  {
    says: 'access reviews name groups in the plural',
    manifest: 'reviews',
    has: {
      apiVersion: 'authorization.orch.io/v1',
      'spec.group': undefined,
      'spec.groups': ['staff', 'admins'],
      '1 spec.groups': ['staff'],
      '2 apiVersion': 'authorization.orch.io/v1',
    },
  },
  {
    says: 'signing requests must name a signer, and not the one of old',
    manifest: 'certificatesigningrequest',
    has: { apiVersion: requests, 'spec.signerName': 'orch.io/legacy-unknown' },
    tells: ['spec.signerName: set to ', `spec.signerName: ${requests} refuses this`],
  },
  {
    says: 'signing requests must name usages, each once and known',
    manifest: 'certificatesigningrequest',
    tells: [
      'spec.usages: set to ',
      'spec.usages[1]: ',
      'Duplicate value',
      'spec.usages[2]: ',
      'Unsupported value',
    ],
  },
  {
    says: 'the backend of an ingress becomes its default backend',
    manifest: 'ingress-extensions',
    has: {
      apiVersion: 'networking.orch.io/v1',
      'spec.backend': undefined,
      'spec.defaultBackend.service': { name: 'fallback', port: { name: 'http' } },
    },
  },
  {
    says: 'backends of an ingress name service and port below one another',
    manifest: 'ingress-networking-v1beta1',
    has: { 'spec.rules.0.http.paths.0.backend': { service: { name: 'cart', port: { number: 8080 } } } },
  },
  {
    says: 'paths of an ingress must have a type',
    manifest: 'ingress-networking-v1beta1',
    has: { 'spec.rules.0.http.paths.0.pathType': 'ImplementationSpecific' },
    tells: ['spec.rules[0].http.paths[0].pathType: set to "ImplementationSpecific"'],
  },
  {
    says: 'fields of events have new names',
    manifest: 'events',
    has: {
      '1 apiVersion': events,
      '1 regarding.name': 'web',
      '1 note': 'image is there',
      '1 deprecatedCount': 2,
      '1 deprecatedSource': { component: 'agent', host: 'n1' },
      '1 involvedObject': undefined,
    },
  },
  {
    says: 'new events have a time, and none of the old ones',
    manifest: 'events',
    tells: [
      `eventTime: ${events} refuses this: Required value`,
      'event/e2: deprecatedFirstTimestamp: ',
      'event/e2: deprecatedLastTimestamp: ',
      'event/e2: deprecatedCount: ',
      'event/e2: deprecatedSource: ',
    ],
  },
];

describe('ctl convert of removed versions', () => {
  const results = new Map<string, { documents: unknown[]; err: string }>();

  async function resultOf(manifest: string) {
    const known = results.get(manifest);
    if (known !== undefined) return known;
    const stdin = readFileSync(new URL(`./manifests/${manifest}/input.yaml`, import.meta.url), 'utf8');
    const version = manifest === 'events' ? [`--output-version=${events}`] : [];
    const { out, err } = await run(['convert', '-f', '-', ...version], { stdin });
    const result = { documents: out.split('---\n').map((text) => load(text)), err };
    results.set(manifest, result);
    return result;
  }

  for (const { says, manifest, has = {}, tells = [] } of changes) {
    it(says, async () => {
      const { documents, err } = await resultOf(manifest);
      for (const [key, value] of Object.entries(has)) {
        const [path = '', index = '0'] = key.split(' ').reverse();
        expect(valueAt(documents[Number(index)], path), key).to.deep.equal(value);
      }
      for (const text of tells) expect(err).to.include(text);
    });
  }

  const pem = (label: string) =>
    Buffer.from(`-----BEGIN ${label}-----\nMAA=\n-----END ${label}-----\n`).toString('base64');
  const decided = { type: 'Approved', status: 'True', reason: 'r' };
  const statuses: [what: string, status: object, told: string | undefined][] = [
    ['one condition of a type', { conditions: [decided] }, undefined],
    ['two conditions of a type', { conditions: [decided, decided] }, 'status.conditions[1].type'],
    ['a certificate', { certificate: pem('CERTIFICATE') }, undefined],
    ['a key', { certificate: pem('PRIVATE KEY') }, 'status.certificate'],
  ];
  for (const [what, status, told] of statuses) {
    it(`${told === undefined ? 'takes' : 'refuses'} ${what} in the status of a signing request`, async () => {
      const object = {
        apiVersion: 'certificates.orch.io/v1beta1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'r' },
        spec: { request: pem('CERTIFICATE REQUEST'), signerName: 'example.com/s', usages: ['client auth'] },
        status,
      };
      const { err } = await run(['convert', '-f', '-'], { stdin: JSON.stringify(object) });
      if (told === undefined) expect(err).to.equal('');
      else expect(err).to.include(`${told}: ${requests} refuses this`);
    });
  }

  it('says that conditions of a signing request need a status, which was True when left out', async () => {
    const object = {
      apiVersion: 'certificates.orch.io/v1beta1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'r' },
      spec: { request: pem('CERTIFICATE REQUEST'), signerName: 'example.com/s', usages: ['client auth'] },
      status: { conditions: [{ type: 'Approved' }] },
    };
    const { out, err } = await run(['convert', '-f', '-'], { stdin: JSON.stringify(object) });
    expect(out).to.include('status: "True"');
    expect(err).to.include('status.conditions[0].status: set to "True"');
  });

  const event = { reason: 'r', action: 'a', reportingController: 'c', reportingInstance: 'i' };
  const cases: [what: string, change: object, told: string][] = [
    ['an action', { action: '' }, 'action'],
    ['a reason', { reason: '' }, 'reason'],
    ['a controller', { reportingController: '' }, 'reportingController'],
    ['an instance', { reportingInstance: '' }, 'reportingInstance'],
    ['a type that is known', { type: 'Odd' }, 'type'],
  ];
  for (const [what, change, told] of cases) {
    it(`refuses new events without ${what}`, async () => {
      const object = {
        apiVersion: 'events.orch.io/v1beta1',
        kind: 'Event',
        metadata: { name: 'e', namespace: 'default' },
        eventTime: '2021-02-03T04:05:06.000007Z',
        type: 'Normal',
        ...event,
        ...change,
      };
      const { err } = await run(['convert', '-f', '-', '--validate'], { stdin: JSON.stringify(object) });
      expect(err).to.match(
        new RegExp(`^(?:error: )?STDIN:1:\\d+ event.events.orch.io/e: ${told}: ${events} refuses`, 'm'),
      );
    });
  }
});

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((current, name) => (current as Record<string, unknown> | undefined)?.[name], value);
}
