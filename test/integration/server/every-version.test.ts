import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { createRandomSource, type RandomSource } from '../../support/random-source.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const runs = 5;

/** A kind of several versions: where each is served, and objects of each that its rules accept. */
interface Family {
  readonly collections: readonly string[];
  /** An object without metadata in the version of a collection. Fields that are undefined are left out. */
  make(random: RandomSource, collection: string): JsonObject;
  readonly name?: (at: number) => string;
}

const versionsOf = (group: string, resource: string, versions: readonly string[]): readonly string[] =>
  versions.map((version) => `/apis/${group}/${version}/${resource}`);
const inDefault = (resource: string): string => `namespaces/default/${resource}`;
const isIn = (collection: string, version: string): boolean => collection.includes(`/${version}/`);
const maybe = <T>(random: RandomSource, ...values: readonly T[]): T | undefined =>
  random.pick([undefined, ...values]);
const some = <T>(random: RandomSource, make: (at: number) => T): T[] =>
  Array.from({ length: 1 + random.below(3) }, (_, at) => make(at));

const rbac = 'rbac.authorization.orch.io';
const rules = (random: RandomSource): JsonObject[] =>
  some(random, () => ({
    apiGroups: [random.pick(['', 'apps', '*'])],
    resources: random.pick([['pods'], ['pods', 'pods/log']]),
    verbs: ['get'],
    resourceNames: maybe(random, ['a']),
  }));
const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'view' };
const subjects = (random: RandomSource, collection: string): JsonObject[] =>
  some(random, (at) => {
    const kind = random.pick(['User', 'Group', 'ServiceAccount']);
    const name = `n${at}`;
    if (kind === 'ServiceAccount') return { kind, name, namespace: 'default' };
    return isIn(collection, 'v1alpha1')
      ? { kind, name, apiVersion: `${rbac}/v1alpha1` }
      : { kind, name, apiGroup: rbac };
  });
const webhooks = (random: RandomSource): JsonObject[] =>
  some(random, (at) => ({
    name: `h${at}.example.com`,
    clientConfig: random.pick<JsonObject>([
      { url: 'https://example.com/x' },
      { service: { namespace: 'default', name: 's', path: maybe(random, '/p'), port: maybe(random, 8443) } },
    ]),
    rules: maybe(random, [
      { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
    ]),
    failurePolicy: maybe(random, 'Fail', 'Ignore'),
    matchPolicy: maybe(random, 'Exact', 'Equivalent'),
    sideEffects: random.pick(['None', 'NoneOnDryRun']),
    timeoutSeconds: maybe(random, 7),
    admissionReviewVersions: random.pick([['v1'], ['v1beta1', 'v1']]),
    namespaceSelector: maybe(random, { matchLabels: { a: 'b' } }),
  }));
const metrics = (random: RandomSource, collection: string): JsonObject[] =>
  some(random, (at) => {
    const name = random.pick(['cpu', 'memory']);
    const isNew = isIn(collection, 'v2beta2');
    if (random.below(2) === 0) {
      return isNew
        ? { type: 'Resource', resource: { name, target: { type: 'Utilization', averageUtilization: 50 } } }
        : { type: 'Resource', resource: { name, targetAverageUtilization: 50 } };
    }
    return isNew
      ? {
          type: 'Pods',
          pods: { metric: { name: `m${at}` }, target: { type: 'AverageValue', averageValue: '1500m' } },
        }
      : { type: 'Pods', pods: { metricName: `m${at}`, targetAverageValue: '1500m' } };
  });
const backend = (random: RandomSource, collection: string): JsonObject => {
  const port = random.pick<JsonObject>([{ number: 80 }, { name: 'http' }]);
  return isIn(collection, 'v1')
    ? { service: { name: 's', port } }
    : { serviceName: 's', servicePort: port.number ?? port.name };
};
const request = Buffer.from(
  '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n',
).toString('base64');
const schema = (random: RandomSource): JsonObject => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: random.pick(['string', 'integer']), nullable: maybe(random, true) } },
  },
});
const column = (random: RandomSource, pathField: string): JsonObject => ({
  name: 'Spec',
  type: 'string',
  [pathField]: '.spec',
  priority: maybe(random, 1),
});

const families: Readonly<Record<string, Family>> = {
  autoscalers: {
    collections: versionsOf('autoscaling', inDefault('horizontalpodautoscalers'), [
      'v1',
      'v2beta1',
      'v2beta2',
    ]),
    make: (random, collection) => ({
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: maybe(random, 'apps/v1') },
        minReplicas: maybe(random, 2),
        maxReplicas: 5,
        ...(isIn(collection, 'v1')
          ? { targetCPUUtilizationPercentage: maybe(random, 70) }
          : { metrics: maybe(random, metrics(random, collection)) }),
      },
    }),
  },
  ingresses: {
    collections: [
      ...versionsOf('networking.orch.io', inDefault('ingresses'), ['v1', 'v1beta1']),
      `/apis/extensions/v1beta1/${inDefault('ingresses')}`,
    ],
    make: (random, collection) => ({
      spec: {
        [isIn(collection, 'v1') ? 'defaultBackend' : 'backend']: backend(random, collection),
        tls: maybe(random, [{ hosts: ['a.example.com'], secretName: 't' }]),
        rules: maybe(
          random,
          some(random, (at) => ({
            host: maybe(random, `h${at}.example.com`),
            http: {
              paths: some(random, () => ({
                path: '/p',
                pathType: random.pick(['Exact', 'Prefix', 'ImplementationSpecific']),
                backend: backend(random, collection),
              })),
            },
          })),
        ),
      },
    }),
  },
  events: {
    collections: [
      `/api/v1/${inDefault('events')}`,
      ...versionsOf('events.orch.io', inDefault('events'), ['v1', 'v1beta1']),
    ],
    make: (random, collection) => {
      const object = { kind: 'Pod', namespace: 'default', name: 'p' };
      const common = { reason: 'r', action: 'a', type: random.pick(['Normal', 'Warning']) };
      const times = { eventTime: '2021-02-03T04:05:06.000007Z', reportingInstance: 'i' };
      if (!collection.startsWith('/api/')) {
        return { ...common, ...times, regarding: object, note: maybe(random, 'm'), reportingController: 'c' };
      }
      return random.below(2) === 0
        ? { ...common, involvedObject: object, message: 'm', count: 2, source: { component: 'c' } }
        : { ...common, ...times, involvedObject: object, message: 'm', reportingComponent: 'c' };
    },
  },
  requests: {
    collections: versionsOf('certificates.orch.io', 'certificatesigningrequests', ['v1', 'v1beta1']),
    make: (random) => ({
      spec: {
        request,
        signerName: 'example.com/s',
        usages: ['client auth', ...(random.below(2) > 0 ? ['digital signature'] : [])],
      },
    }),
  },
  definitions: {
    collections: versionsOf('apiextensions.orch.io', 'customresourcedefinitions', ['v1', 'v1beta1']),
    name: (at) => `things.g${at}.example.com`,
    make: (random, collection) => {
      const isNew = isIn(collection, 'v1');
      const isShared = random.below(2) === 0;
      const shared = schema(random);
      const columns = { additionalPrinterColumns: [column(random, isNew ? 'jsonPath' : 'JSONPath')] };
      const version = (name: string, storage: boolean): JsonObject => ({
        name,
        served: true,
        storage,
        ...(isShared ? (isNew ? { schema: shared, ...columns } : {}) : { schema: schema(random) }),
        subresources: isNew || (!isShared && storage) ? maybe(random, { status: {} }) : undefined,
      });
      const versions = [version('v1', true), version('v2', false)];
      const isAlike = JSON.stringify(versions[0]?.schema) === JSON.stringify(versions[1]?.schema);
      return {
        spec: {
          scope: random.pick(['Namespaced', 'Cluster']),
          names: { plural: 'things', kind: 'Thing', shortNames: maybe(random, ['th']) },
          preserveUnknownFields: isNew ? undefined : false,
          ...(isShared && !isNew ? { validation: shared, ...columns } : {}),
          // The older version wants what all have alike to be said once.
          versions: isNew || isShared || !isAlike ? versions : versions.slice(0, 1),
        },
      };
    },
  },
  mutating: {
    collections: versionsOf('admissionregistration.orch.io', 'mutatingwebhookconfigurations', [
      'v1',
      'v1beta1',
    ]),
    make: (random) => ({
      webhooks: webhooks(random).map((webhook) => ({
        ...webhook,
        reinvocationPolicy: maybe(random, 'IfNeeded'),
      })),
    }),
  },
  validating: {
    collections: versionsOf('admissionregistration.orch.io', 'validatingwebhookconfigurations', [
      'v1',
      'v1beta1',
    ]),
    make: (random) => ({ webhooks: webhooks(random) }),
  },
  roles: {
    collections: versionsOf(rbac, inDefault('roles'), ['v1', 'v1beta1']),
    make: (random) => ({ rules: rules(random) }),
  },
  clusterroles: {
    collections: versionsOf(rbac, 'clusterroles', ['v1', 'v1beta1']),
    make: (random) => ({
      rules: rules(random),
      aggregationRule: maybe(random, { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }),
    }),
  },
  rolebindings: {
    collections: versionsOf(rbac, inDefault('rolebindings'), ['v1', 'v1beta1']),
    make: (random, collection) => ({ roleRef, subjects: subjects(random, collection) }),
  },
  clusterrolebindings: {
    collections: versionsOf(rbac, 'clusterrolebindings', ['v1', 'v1beta1']),
    make: (random, collection) => ({ roleRef, subjects: subjects(random, collection) }),
  },
  priorityclasses: {
    collections: versionsOf('scheduling.orch.io', 'priorityclasses', ['v1', 'v1beta1']),
    make: (random) => ({
      value: random.below(1000),
      description: maybe(random, 'd'),
      preemptionPolicy: maybe(random, 'Never'),
    }),
  },
  leases: {
    collections: versionsOf('coordination.orch.io', inDefault('leases'), ['v1', 'v1beta1']),
    make: (random) => ({
      spec: {
        holderIdentity: 'h',
        leaseDurationSeconds: maybe(random, 3),
        leaseTransitions: maybe(random, 1),
      },
    }),
  },
  ingressclasses: {
    collections: versionsOf('networking.orch.io', 'ingressclasses', ['v1', 'v1beta1']),
    make: (random) => ({
      spec: {
        controller: 'example.com/c',
        parameters: maybe(random, { apiGroup: 'a.example.com', kind: 'K', name: 'n' }),
      },
    }),
  },
  storageclasses: {
    collections: versionsOf('storage.orch.io', 'storageclasses', ['v1', 'v1beta1']),
    make: (random) => ({
      provisioner: 'p',
      reclaimPolicy: maybe(random, 'Retain'),
      allowVolumeExpansion: maybe(random, true),
      volumeBindingMode: maybe(random, 'WaitForFirstConsumer'),
    }),
  },
  csidrivers: {
    collections: versionsOf('storage.orch.io', 'csidrivers', ['v1', 'v1beta1']),
    make: (random) => ({
      spec: { attachRequired: maybe(random, false), podInfoOnMount: maybe(random, true) },
    }),
  },
  csinodes: {
    collections: versionsOf('storage.orch.io', 'csinodes', ['v1', 'v1beta1']),
    make: (random) => ({
      spec: {
        drivers: some(random, (at) => ({
          name: `d${at}`,
          nodeID: 'n',
          topologyKeys: maybe(random, ['a']),
          allocatable: maybe(random, { count: 3 }),
        })),
      },
    }),
  },
  volumeattachments: {
    collections: versionsOf('storage.orch.io', 'volumeattachments', ['v1', 'v1beta1']),
    make: () => ({ spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } }),
  },
  runtimeclasses: {
    collections: versionsOf('node.orch.io', 'runtimeclasses', ['v1', 'v1beta1']),
    make: (random) => ({
      handler: 'h',
      overhead: maybe(random, { podFixed: { cpu: '250m' } }),
      scheduling: maybe(random, { nodeSelector: { a: 'b' } }),
    }),
  },
  apiservices: {
    collections: versionsOf('apiregistration.orch.io', 'apiservices', ['v1', 'v1beta1']),
    name: (at) => `v1.g${at}.example.net`,
    make: (random) => ({
      spec: {
        version: 'v1',
        groupPriorityMinimum: 10,
        versionPriority: 10,
        service: { namespace: 'default', name: 's', port: maybe(random, 8443) },
        insecureSkipTLSVerify: true,
      },
    }),
  },
};

describe('objects of several versions', () => {
  let server: TestServer;
  let admin: ApiClient;
  let made = 0;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  /** An object in all versions, as text. */
  const texts = async ({ collections }: Family, name: string): Promise<readonly string[]> => {
    const answers = await Promise.all(collections.map((collection) => admin.get(`${collection}/${name}`)));
    for (const { code, text } of answers) expect(code, text).to.equal(200);
    return answers.map(({ text }) => text);
  };

  const create = async (family: Family, collection: string, random: RandomSource): Promise<string> => {
    const at = made++;
    const name = family.name?.(at) ?? `o${at}`;
    const object = family.make(random, collection);
    // The group belongs to the name of some.
    if (family.name !== undefined) object.spec.group = name.slice(name.indexOf('.') + 1);
    const metadata = {
      name,
      labels: maybe(random, { a: 'b' }),
      finalizers: maybe(random, ['example.com/f']),
    };
    const answer = await admin.send('POST', collection, { body: { metadata, ...object } });
    expect(answer.code, `${collection} ${JSON.stringify(object)} ${answer.text}`).to.equal(201);
    return name;
  };

  /** An object but for its status, its owners, and its version, which changes with them. */
  const settled = (body: JsonObject): JsonObject => {
    const { status: _status, metadata, ...rest } = body;
    const { resourceVersion: _version, managedFields: _owners, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };

  for (const [kind, family] of Object.entries(families)) {
    it(`${kind} are the same after each version was written back`, async () => {
      const random = createRandomSource(kind.length);
      // Of some the server writes the status by itself, and the record of owners ends where events change their group.
      const isSettled = !['definitions', 'apiservices', 'events'].includes(kind);
      for (const origin of family.collections) {
        for (let run = 0; run < runs; run++) {
          const name = await create(family, origin, random);
          const before = await texts(family, name);
          for (const collection of family.collections) {
            const { body } = await admin.get(`${collection}/${name}`);
            const { code, text } = await admin.send('PUT', `${collection}/${name}`, { body });
            expect(code, `${collection}: ${text}`).to.equal(200);
            const after = await texts(family, name);
            const shown = (all: readonly string[]) =>
              isSettled ? all : all.map((each) => settled(JSON.parse(each)));
            expect(shown(after), `${origin} through ${collection}`).to.deep.equal(shown(before));
          }
        }
      }
    });
  }

  it('are all tried that the server has', async () => {
    const tried = new Set(
      Object.values(families).flatMap(({ collections }) =>
        collections.map((collection) => collection.replace('namespaces/default/', '')),
      ),
    );
    const { groups } = (await admin.get('/apis')).body;
    const missing: string[] = [];
    for (const { name: group, versions } of groups) {
      if (versions.length < 2 || group.endsWith('.example.com')) continue;
      const served = new Map<string, string[]>();
      for (const { groupVersion } of versions) {
        const { resources } = (await admin.get(`/apis/${groupVersion}`)).body;
        for (const { name, verbs } of resources) {
          if (name.includes('/') || !verbs.includes('update')) continue;
          served.set(name, [...(served.get(name) ?? []), `/apis/${groupVersion}/${name}`]);
        }
      }
      for (const paths of served.values())
        if (paths.length > 1) missing.push(...paths.filter((path) => !tried.has(path)));
    }
    expect(missing).to.deep.equal([]);
  });
});
