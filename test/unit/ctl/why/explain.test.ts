import { expect } from 'chai';
import { explainObject } from '../../../../src/ctl/why/explain.ts';
import type { Facts } from '../../../../src/ctl/why/finding.ts';
import { formatFindings } from '../../../../src/ctl/why/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const nowMs = Date.parse('2026-01-02T12:00:00Z');
const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();

/** An object of a kind in the namespace shop; what else it has is merged into it. */
const make = (kind: string, name: string, parts: Fields = {}) => ({
  apiVersion: 'v1',
  kind,
  ...parts,
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, ...(parts.metadata as Fields | undefined) },
});

const ownedBy = (name: string, more: Fields = {}) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Any', name, uid: `uid-${name}`, ...more }],
});

const warning = (kind: string, name: string, reason: string, message: string, more: Fields = {}) => ({
  type: 'Warning',
  reason,
  message,
  lastTimestamp: ago(5),
  involvedObject: { kind, name, uid: `uid-${name}`, ...more },
});

const pod = (status: Fields, spec: Fields = { nodeName: 'n1' }, metadata: Fields = {}) =>
  make('Pod', 'web', { spec, status: { phase: 'Pending', ...status }, metadata });
const container = (state: Fields, more: Fields = {}) =>
  pod({ containerStatuses: [{ name: 'c', image: 'shop/web:2', ready: false, state, ...more }] });
const readyPod = (name: string, metadata: Fields) =>
  make('Pod', name, { metadata, status: { conditions: [{ type: 'Ready', status: 'True' }] } });

const says = (object: ReturnType<typeof make>, around: Partial<Facts> & { readonly type: string }) => {
  const facts: Facts = { object, related: [], events: [], unread: [], nowMs, ...around };
  return formatFindings(facts, explainObject(facts));
};

/** What an object is, what is around it, and what must be said in this order. */
const cases: readonly (readonly [
  title: string,
  type: string,
  object: ReturnType<typeof make>,
  around: Partial<Facts>,
  expected: readonly string[],
])[] = [
  [
    'a pod that no node has room for',
    'pods.',
    pod(
      {
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: '0/3 nodes are available: 3 Insufficient cpu.',
            lastTransitionTime: ago(3),
          },
        ],
      },
      {},
    ),
    {},
    [
      'pod/web is not scheduled: 0/3 nodes are available: 3 Insufficient cpu.',
      'as seen in: condition PodScheduled=False since 3m',
      'next: ctl describe nodes',
    ],
  ],
  [
    'a pod that waits for a claim',
    'pods.',
    pod(
      {},
      {
        volumes: [
          { persistentVolumeClaim: { claimName: 'data' } },
          { persistentVolumeClaim: { claimName: 'gone' } },
        ],
      },
    ),
    {
      related: [
        make('PersistentVolumeClaim', 'data', {
          spec: { storageClassName: 'fast' },
          status: { phase: 'Pending' },
        }),
      ],
      events: [warning('PersistentVolumeClaim', 'data', 'ProvisioningFailed', 'disk is full')],
    },
    [
      'persistentvolumeclaim/data is bound to no volume of storage class fast: disk is full',
      'as seen in: event ProvisioningFailed, 5m ago',
      'next: ctl describe pvc data -n shop',
      'pod/web has a volume of persistentvolumeclaim/gone, which is not there',
    ],
  ],
  [
    'an image that cannot be pulled',
    'pods.',
    container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "shop/web:2"' } }),
    {},
    [
      'container c waits for its image shop/web:2: ImagePullBackOff: Back-off pulling image "shop/web:2"',
      'as seen in: status.containerStatuses[c]',
      'next: ctl describe pod/web -n shop',
    ],
  ],
  [
    'a container that is killed again and again',
    'pods.',
    container(
      { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
      { restartCount: 7, lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
    ),
    {},
    [
      'container c ends again and again (7 restarts), last time with exit code 137 (OOMKilled: it took more memory than its limit)',
      'next: ctl logs pod/web -n shop -c c --previous',
    ],
  ],
  [
    'a key of a secret that is not there',
    'pods.',
    container({
      waiting: {
        reason: 'CreateContainerConfigError',
        message: "couldn't find key token in Secret shop/keys",
      },
    }),
    {},
    ["container c waits: CreateContainerConfigError: couldn't find key token in Secret shop/keys"],
  ],
  [
    'a volume that cannot be mounted',
    'pods.',
    container({ waiting: { reason: 'ContainerCreating' } }),
    { events: [warning('Pod', 'web', 'FailedMount', 'configmap "settings" not found')] },
    ['container c is not made yet: configmap "settings" not found', 'as seen in: event FailedMount, 5m ago'],
  ],
  [
    'a readiness probe that fails',
    'pods.',
    container({ running: {} }),
    {
      events: [
        warning('Pod', 'web', 'Unhealthy', 'Readiness probe failed: 503', {
          fieldPath: 'spec.containers{c}',
        }),
        warning('Pod', 'web', 'Unhealthy', 'of another', { fieldPath: 'spec.containers{other}' }),
        warning('Pod', 'web', 'Unhealthy', 'of an older pod', {
          fieldPath: 'spec.containers{c}',
          uid: 'old',
        }),
      ],
    },
    ['container c runs and is not ready: Readiness probe failed: 503', 'as seen in: event Unhealthy, 5m ago'],
  ],
  [
    'a pod on a node that is not ready',
    'pods.',
    pod({}),
    {
      related: [
        make('Node', 'n1', {
          metadata: { namespace: undefined },
          status: {
            conditions: [
              { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped' },
            ],
          },
        }),
      ],
    },
    ['node/n1 is not Ready: NodeStatusUnknown: Kubelet stopped', 'as seen in: condition Ready=Unknown'],
  ],
  [
    'a gate that nobody opened',
    'pods.',
    pod({}, { nodeName: 'n1', readinessGates: [{ conditionType: 'balanced' }] }),
    {},
    ['pod/web waits for the condition balanced, which somebody else has to set'],
  ],
  [
    'a pod that was evicted',
    'pods.',
    pod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory' }),
    {},
    ['pod/web has failed: Evicted: The node was low on memory'],
  ],
  [
    'a pod whose end was not confirmed',
    'pods.',
    pod({}, { nodeName: 'n1' }, { deletionTimestamp: ago(10), deletionGracePeriodSeconds: 30 }),
    {},
    ['pod/web should have ended, but the agent of node/n1 has not confirmed it', 'next: ctl why node/n1'],
  ],
  [
    'replicas that exceed a quota',
    'deployments.apps',
    make('Deployment', 'web', { spec: { replicas: 3 }, status: { availableReplicas: 1 } }),
    {
      related: [
        make('ReplicaSet', 'web-1', { spec: { replicas: 3 }, metadata: ownedBy('web') }),
        readyPod('web-1-a', ownedBy('web-1')),
      ],
      events: [warning('ReplicaSet', 'web-1', 'FailedCreate', 'exceeded quota: small')],
    },
    [
      'replicaset/web-1 cannot make pods: exceeded quota: small',
      'next: ctl describe quota -n shop',
      'deployment/web has 1 of 3 pods available',
      'as seen in: status.availableReplicas',
    ],
  ],
  [
    'a deployment with pods of the same trouble, told once',
    'deployments.apps',
    make('Deployment', 'web', { spec: { replicas: 2 }, status: {} }),
    {
      related: [
        make('ReplicaSet', 'web-1', { spec: { replicas: 2 }, metadata: ownedBy('web') }),
        ...['a', 'b'].map((name) =>
          make('Pod', name, {
            ...container({ waiting: { reason: 'ErrImagePull', message: 'no' } }),
            metadata: { name, uid: name, ...ownedBy('web-1') },
          }),
        ),
      ],
    },
    ['pod/a (and 1 more) container c waits for its image', 'deployment/web has 0 of 2 pods available'],
  ],
  [
    'a deployment that is paused with a change, and not seen by its controller',
    'deployments.apps',
    make('Deployment', 'web', {
      metadata: { generation: 2 },
      spec: { replicas: 1, paused: true },
      status: { replicas: 1, updatedReplicas: 0, availableReplicas: 1, observedGeneration: 1 },
    }),
    {},
    [
      'deployment/web has a change that its controller has not seen yet',
      'as seen in: status.observedGeneration is 1, metadata.generation is 2',
      'deployment/web is paused',
      'next: ctl rollout resume deployment/web -n shop',
    ],
  ],
  [
    'a deployment without replicas',
    'deployments.apps',
    make('Deployment', 'web', { spec: { replicas: 0 } }),
    {},
    ['deployment/web -n shop: all is well', 'deployment/web wants no pods', '--replicas=1'],
  ],
  [
    'a job that gave up',
    'jobs.batch',
    make('Job', 'once', {
      status: {
        conditions: [
          { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'too often' },
        ],
      },
    }),
    {
      related: [
        make('Pod', 'once-a', {
          metadata: ownedBy('once'),
          spec: { nodeName: 'n1' },
          status: {
            phase: 'Failed',
            containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 3, reason: 'Error' } } }],
          },
        }),
      ],
    },
    [
      'pod/once-a container c ended with exit code 3 (Error)',
      'job/once has failed: BackoffLimitExceeded: too often',
    ],
  ],
  [
    'a daemon set that is ready on a part of its nodes',
    'daemonsets.apps',
    make('DaemonSet', 'log', { status: { desiredNumberScheduled: 3, numberReady: 2 } }),
    {},
    ['daemonset/log has 2 of 3 pods ready'],
  ],
  [
    'a cron job that is suspended',
    'cronjobs.batch',
    make('CronJob', 'nightly', { spec: { suspend: true } }),
    {},
    ['cronjob/nightly is suspended', 'next: ctl patch cronjob/nightly -n shop'],
  ],
  [
    'a service that selects nothing',
    'services.',
    make('Service', 'web', { spec: { selector: { app: 'web' } } }),
    { related: [readyPod('other', { labels: { app: 'other' } })] },
    ['service/web selects no pods: none has the labels app=web', 'next: ctl get pods -n shop --show-labels'],
  ],
  [
    'a service whose pods are not ready',
    'services.',
    make('Service', 'svc', { spec: { selector: { app: 'web' } } }),
    {
      related: [
        {
          ...container({ running: {} }),
          metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
        },
      ],
    },
    ['pod/web container c runs and is not ready', 'service/svc has no endpoints: none of 1 pods is ready'],
  ],
  [
    'a namespace with content',
    'namespaces.',
    make('Namespace', 'old', {
      metadata: { namespace: undefined, deletionTimestamp: ago(60) },
      status: {
        conditions: [
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: 'pods. has 1',
          },
          {
            type: 'NamespaceDeletionContentFailure',
            status: 'False',
            reason: 'ContentDeleted',
            message: 'fine',
          },
        ],
      },
    }),
    {},
    ['namespace/old pods. has 1', 'as seen in: condition NamespaceContentRemaining=True', 'is being deleted'],
  ],
  [
    'an object that goes after what it owns',
    'deployments.apps',
    make('Deployment', 'web', {
      metadata: { deletionTimestamp: ago(1), finalizers: ['foregroundDeletion', 'shop.example/hold'] },
      spec: { replicas: 0 },
    }),
    {
      related: [
        make('ReplicaSet', 'web-1', {
          spec: { replicas: 0 },
          metadata: ownedBy('web', { blockOwnerDeletion: true }),
        }),
      ],
    },
    [
      'deployment/web goes after replicaset/web-1, which it owns',
      'next: ctl why replicaset/web-1 -n shop',
      'has to take away the finalizer shop.example/hold',
      'as seen in: metadata.finalizers',
    ],
  ],
  [
    'a claim that is in use',
    'persistentvolumeclaims.',
    make('PersistentVolumeClaim', 'data', {
      metadata: { deletionTimestamp: ago(1), finalizers: ['orch.io/pvc-protection'] },
      status: { phase: 'Bound' },
    }),
    { related: [pod({}, { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] })] },
    ['persistentvolumeclaim/data is kept until pod/web no longer use it'],
  ],
  [
    'an API service that is not there',
    'apiservices.apiregistration.orch.io',
    make('APIService', 'v1.shop', {
      metadata: { namespace: undefined },
      status: {
        conditions: [
          { type: 'Available', status: 'False', reason: 'MissingEndpoints', message: 'no endpoints' },
        ],
      },
    }),
    {},
    ['apiservice/v1.shop is not Available: MissingEndpoints: no endpoints'],
  ],
  [
    'a healthy pod that a budget keeps, and what may not be read',
    'pods.',
    readyPod('web', { labels: { app: 'web', tier: 'front' } }),
    {
      related: [
        make('PodDisruptionBudget', 'keep', {
          spec: {
            selector: {
              matchLabels: { app: 'web' },
              matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
            },
          },
          status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 },
        }),
        make('PodDisruptionBudget', 'none', {
          apiVersion: 'policy/v1beta1',
          spec: { selector: {} },
          status: { disruptionsAllowed: 0 },
        }),
        make('PodDisruptionBudget', 'other', {
          spec: {
            selector: {
              matchLabels: { app: 'web' },
              matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }],
            },
          },
          status: { disruptionsAllowed: 0 },
        }),
      ],
      unread: [{ type: 'events', message: 'forbidden' }],
    },
    [
      'pod/web -n shop: all is well',
      'poddisruptionbudget/keep allows no eviction: 1 pods are healthy, 1 must be',
      '(events could not be read: forbidden)',
    ],
  ],
];

describe('explainObject', () => {
  for (const [title, type, object, around, expected] of cases) {
    it(title, () => {
      const text = says(object, { type, ...around });
      let from = 0;
      for (const part of expected) {
        const at = text.indexOf(part, from);
        expect(at, `${part}\nin\n${text}`).to.be.at.least(0);
        from = at + part.length;
      }
      expect(text).not.to.match(/undefined|null|\[object|of another|of an older|\/other/);
    });
  }

  it('says nothing of what works, whatever its type', () => {
    for (const type of ['pods.', 'widgets.shop.example']) {
      expect(says(readyPod('web', {}), { type })).to.equal('pod/web -n shop: all is well\n');
    }
  });

  it('lets no message drive the terminal or fake a line', () => {
    const text = says(container({ waiting: { reason: 'Odd', message: 'a\n  next: rm\u001b[2J' } }), {
      type: 'pods.',
    });
    expect(text).to.include('Odd: a next: rm^[[2J\n');
  });
});
