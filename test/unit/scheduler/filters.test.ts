import { expect } from 'chai';
import { clusterOf, type NodeParts, nodeOf, outcome, type PodParts, podOf } from './fixtures.ts';

const one = (reason: string): string => `0/1 nodes are available: ${reason}.`;

/** A pod on a cluster of one node `n` with these pods. */
const onNode = (pod: PodParts, node: NodeParts = {}, others: readonly PodParts[] = []): string =>
  outcome(
    podOf('p', pod),
    clusterOf([nodeOf('n', node)], { n: others.map((parts, at) => podOf(`other-${at}`, parts)) }),
  );

const selectorOf = (key: string, operator: string, ...values: string[]) => ({ key, operator, values });
const required = (...nodeSelectorTerms: object[]) => ({
  spec: {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  },
});
const near = (topologyKey: string, matchLabels: object, kind = 'podAffinity') => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels } }],
    },
  },
});
const far = (topologyKey: string, matchLabels: object) => near(topologyKey, matchLabels, 'podAntiAffinity');
const port = (hostPort: number, more: object = {}) => ({
  spec: { containers: [{ name: 'c', image: 'i', resources: {}, ports: [{ hostPort, ...more }] }] },
});
const taint = (effect: string) => ({ spec: { taints: [{ key: 'a', value: 'b', effect }] } });
const tolerating = (...tolerations: object[]) => ({ spec: { tolerations } });

const noAffinity = one("1 node(s) didn't match Pod's node affinity");
const noPorts = one("1 node(s) didn't have free ports for the requested pod ports");
const tainted = one("1 node(s) had taint {a: b}, that the pod didn't tolerate");
const unschedulable = one('1 node(s) were unschedulable');
const hostname = 'orch.io/hostname';

describe('a node', () => {
  const cases: readonly (readonly [string, string, PodParts, NodeParts?, (readonly PodParts[])?])[] = [
    ['takes a pod that asks for nothing', 'n', {}],
    ['takes what fits exactly', 'n', { requests: { cpu: '4', memory: '8Gi' } }],
    ['refuses more CPU than it has', one('1 Insufficient cpu'), { requests: { cpu: '4001m' } }],
    [
      'counts what others ask for',
      one('1 Insufficient cpu'),
      { requests: { cpu: '2' } },
      {},
      [{ requests: { cpu: '2001m' } }],
    ],
    [
      'names all that is missing',
      one('1 Insufficient cpu, 1 Insufficient memory'),
      { requests: { cpu: '5', memory: '9Gi' } },
    ],
    [
      'refuses devices that it does not have',
      one('1 Insufficient x.io/gpu'),
      { requests: { 'x.io/gpu': '1' } },
    ],
    ['has devices', 'n', { requests: { 'x.io/gpu': '2' } }, { allocatable: { 'x.io/gpu': '2' } }],
    ['takes so many pods only', one('1 Too many pods'), {}, { allocatable: { pods: '1' } }, [{}]],
    [
      'counts the largest init container, not their sum',
      'n',
      {
        spec: {
          containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }],
          initContainers: ['a', 'b'].map((name) => ({ name, resources: { requests: { cpu: '3' } } })),
        },
      },
    ],
    [
      'takes more when it is too full, as long as nothing is asked for',
      'n',
      {
        spec: {
          containers: [],
          initContainers: [{ name: 'i', resources: { requests: { 'x.io/gpu': '0' } } }],
        },
      },
      {},
      [{ requests: { cpu: '5' } }],
    ],
    [
      'counts the overhead',
      one('1 Insufficient cpu'),
      {
        requests: { cpu: '4' },
        spec: { overhead: { cpu: '1m' }, containers: [{ name: 'c', resources: { requests: { cpu: '4' } } }] },
      },
    ],
    ['may be closed', unschedulable, {}, { spec: { unschedulable: true } }],
    [
      'may be closed, which a pod tolerates',
      'n',
      tolerating({ key: 'node.orch.io/unschedulable', operator: 'Exists' }),
      { spec: { unschedulable: true } },
    ],
    ['keeps pods out by a taint', tainted, {}, taint('NoSchedule')],
    ['keeps pods out that would be driven away', tainted, {}, taint('NoExecute')],
    ['takes pods in spite of a preference', 'n', {}, taint('PreferNoSchedule')],
    ['takes pods that tolerate the taint', 'n', tolerating({ key: 'a', value: 'b' }), taint('NoSchedule')],
    ['takes pods that tolerate everything', 'n', tolerating({ operator: 'Exists' }), taint('NoSchedule')],
    ['sees another value', tainted, tolerating({ key: 'a', value: 'c' }), taint('NoSchedule')],
    [
      'sees another effect',
      tainted,
      tolerating({ key: 'a', operator: 'Exists', effect: 'NoExecute' }),
      taint('NoSchedule'),
    ],
    ['is selected by its labels', 'n', { spec: { nodeSelector: { a: 'b' } } }, { labels: { a: 'b' } }],
    ['is not selected by others', noAffinity, { spec: { nodeSelector: { a: 'c' } } }, { labels: { a: 'b' } }],
    [
      'is one of several by affinity',
      'n',
      required({ matchExpressions: [selectorOf('a', 'In', 'x', 'b')] }),
      { labels: { a: 'b' } },
    ],
    [
      'needs one term only',
      'n',
      required(
        { matchExpressions: [selectorOf('z', 'Exists')] },
        { matchExpressions: [selectorOf('a', 'Gt', '1')] },
      ),
      { labels: { a: '2' } },
    ],
    [
      'needs all of a term',
      noAffinity,
      required({ matchExpressions: [selectorOf('a', 'Exists'), selectorOf('z', 'Exists')] }),
      { labels: { a: '2' } },
    ],
    ['is never in an empty term', noAffinity, required({})],
    ['is meant by its name', 'n', required({ matchFields: [selectorOf('metadata.name', 'In', 'n')] })],
    [
      'is not meant by another name',
      noAffinity,
      required({ matchFields: [selectorOf('metadata.name', 'In', 'm')] }),
    ],
    ['has a free port', 'n', port(80), {}, [port(81)]],
    ['has a port once', noPorts, port(80), {}, [port(80)]],
    ['has a port for each protocol', 'n', port(80), {}, [port(80, { protocol: 'UDP' })]],
    [
      'has a port for each address',
      'n',
      port(80, { hostIP: '10.0.0.1' }),
      {},
      [port(80, { hostIP: '10.0.0.2' })],
    ],
    ['has no port that is taken for all', noPorts, port(80, { hostIP: '10.0.0.1' }), {}, [port(80)]],
  ];
  for (const [what, expected, pod, node, others] of cases) {
    it(what, () => {
      expect(onNode(pod, node, others)).to.equal(expected);
    });
  }
});

describe('disks of pods', () => {
  const disk = (volume: object): PodParts => ({
    spec: { containers: [], volumes: [{ name: 'v', ...volume }] },
  });
  const gce = (pdName: string, readOnly = false) => disk({ gcePersistentDisk: { pdName, readOnly } });
  const aws = (volumeID: string) => disk({ awsElasticBlockStore: { volumeID, readOnly: true } });
  const rbd = (monitor: string) => disk({ rbd: { monitors: [monitor, 'x'], image: 'i', pool: 'p' } });
  const taken = one('1 node(s) had no available disk');
  const full = one('1 node(s) exceed max volume count');
  const cases: readonly (readonly [string, PodParts, PodParts, string])[] = [
    ['are had by one', gce('d'), gce('d'), taken],
    ['are had by several who read', gce('d', true), gce('d', true), 'n'],
    ['are others under other names', gce('d'), gce('e'), 'n'],
    ['of this kind are had by one, whatever they do', aws('d'), aws('d'), taken],
    ['are the same behind any common monitor', rbd('a'), rbd('b'), taken],
  ];
  for (const [what, wanted, other, expected] of cases) {
    it(what, () => expect(onNode(wanted, {}, [other])).to.equal(expected));
  }

  it('are limited in number by kind, of which those that are there count once', () => {
    const limit = { allocatable: { 'attachable-volumes-gce-pd': '1' } };
    expect(onNode(gce('a', true), limit, [gce('b')])).to.equal(full);
    expect(onNode(gce('a', true), limit, [gce('a', true)])).to.equal('n');
    expect(onNode(aws('a'), limit, [gce('b')])).to.equal('n');
  });

  it('are refused where too many are, even those that are there', () => {
    const limit = { allocatable: { 'attachable-volumes-gce-pd': '1' } };
    expect(onNode(gce('a', true), limit, [gce('a', true), gce('b')])).to.equal(full);
  });

  it('are fewer on some machines', () => {
    const others = Array.from({ length: 25 }, (_, at) => aws(`d${at}`));
    const onMachine = (type: string) =>
      onNode(aws('a'), { labels: { 'node.orch.io/instance-type': type } }, others);
    expect(onMachine('m4.large')).to.equal('n');
    expect(onMachine('m5.large')).to.equal(full);
  });
});

describe('what pods require of each other', () => {
  const refused = (rule: string) =>
    one([`1 node(s) didn't match pod affinity/anti-affinity`, `1 node(s) ${rule}`].sort().join(', '));
  const notNear = refused("didn't match pod affinity rules");
  const notFar = refused("didn't match pod anti-affinity rules");
  const notLet = refused("didn't satisfy existing pods anti-affinity rules");
  const x = { app: 'x' };
  const cases: readonly (readonly [string, string, PodParts, readonly PodParts[]])[] = [
    ['to be near one that is there', 'n', { spec: near(hostname, x) }, [{ labels: x }]],
    ['to be near one that is not', notNear, { spec: near(hostname, x) }, [{}]],
    [
      'to be near one of another namespace',
      notNear,
      { spec: near(hostname, x) },
      [{ labels: x, namespace: 'o' }],
    ],
    ['to be near its like, as the first', 'n', { spec: near(hostname, x), labels: x }, []],
    ['a topology that the node is not in', notNear, { spec: near('zone', x), labels: x }, []],
    ['to be far from one that is not there', 'n', { spec: far(hostname, x) }, [{}]],
    ['to be far from one that is', notFar, { spec: far(hostname, x) }, [{ labels: x }]],
    ['of others to be far from it', notLet, { labels: x }, [{ spec: far(hostname, x) }]],
    ['of others to be far from another', 'n', {}, [{ spec: far(hostname, x) }]],
  ];
  for (const [what, expected, pod, others] of cases) {
    it(what, () => {
      const containers = [{ name: 'c', resources: {} }];
      const whole = (parts: PodParts): PodParts => ({ ...parts, spec: { containers, ...parts.spec } });
      expect(onNode(whole(pod), {}, others.map(whole))).to.equal(expected);
    });
  }

  it('holds for whole zones', () => {
    const nodes = ['a', 'b', 'c'].map((name) => nodeOf(name, { labels: { zone: name === 'c' ? '2' : '1' } }));
    const spec = { containers: [], ...far('zone', x) };
    const cluster = clusterOf(nodes, { a: [podOf('o', { labels: x })] });
    expect(outcome(podOf('p', { spec }), cluster)).to.equal('c');
    expect(outcome(podOf('q', { spec: { containers: [], ...near('zone', x) } }), cluster)).to.be.oneOf([
      'a',
      'b',
    ]);
  });
});

describe('a spread that must be kept', () => {
  const zones = { a: 'n1', b: 'n2' };
  const nodes = Object.entries(zones).map(([zone, name]) => nodeOf(name, { labels: { zone } }));
  const x = { app: 'x' };
  const spread = (parts: object = {}): PodParts => ({
    labels: x,
    spec: {
      containers: [],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: x },
          ...parts,
        },
      ],
    },
  });
  const others = (count: number) => Array.from({ length: count }, (_, at) => podOf(`o${at}`, { labels: x }));

  it('sends the pod where fewer are', () => {
    expect(outcome(podOf('p', spread()), clusterOf(nodes, { n1: others(1) }))).to.equal('n2');
  });

  it('refuses where more would be than the skew allows', () => {
    const closed = [nodes[0], nodeOf('n2', { labels: { zone: 'b' }, spec: { unschedulable: true } })];
    const cluster = clusterOf(
      closed.flatMap((node) => node ?? []),
      { n1: others(1) },
    );
    expect(outcome(podOf('p', spread()), cluster)).to.equal(
      "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable.",
    );
    expect(outcome(podOf('p', spread({ maxSkew: 2 })), cluster)).to.equal('n1');
  });

  it('does not count pods that end', () => {
    const ending = podOf('o', { labels: x, metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } });
    const closed = [nodes[0], nodeOf('n2', { labels: { zone: 'b' }, spec: { unschedulable: true } })];
    const cluster = clusterOf(
      closed.flatMap((node) => node ?? []),
      { n1: [ending] },
    );
    expect(outcome(podOf('p', spread()), cluster)).to.equal('n1');
  });

  it('counts pods of the same place on nodes where the pod cannot be', () => {
    const selected = { ...spread().spec, nodeSelector: { disk: 'ssd' } };
    const ssd = (name: string, zone: string) => nodeOf(name, { labels: { zone, disk: 'ssd' } });
    const cluster = clusterOf([ssd('n1', 'a'), nodeOf('n3', { labels: { zone: 'a' } }), ssd('n2', 'b')], {
      n3: others(1),
    });
    expect(outcome(podOf('p', { labels: x, spec: selected }), cluster)).to.equal('n2');
  });

  it('needs the label', () => {
    expect(outcome(podOf('p', spread({ topologyKey: 'rack' })), clusterOf(nodes))).to.equal(
      "0/2 nodes are available: 2 node(s) didn't match pod topology spread constraints (missing required label).",
    );
  });
});

describe('claims of a pod', () => {
  const volumeOf = (claimName: string) => ({ name: claimName, persistentVolumeClaim: { claimName } });
  // Claims of cases have names.
  const nameOf = (claim: object): string => (claim as { metadata: { name: string } }).metadata.name;
  const claimed: PodParts = { spec: { containers: [], volumes: [volumeOf('c')] } };
  const nodes = ['n1', 'n2'].map((name) => nodeOf(name));
  const onN2 = {
    required: { nodeSelectorTerms: [{ matchExpressions: [selectorOf(hostname, 'In', 'n2')] }] },
  };
  const volume = (spec: object = {}, metadata: object = {}) => ({
    metadata: { name: 'pv', ...metadata },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 's', ...spec },
    status: { phase: 'Available' },
  });
  const claim = (spec: object = {}, metadata: object = {}) => ({
    metadata: { name: 'c', namespace: 'default', uid: 'u', ...metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 's',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
  });
  const bound = claim({ volumeName: 'pv' }, { annotations: { 'pv.orch.io/bind-completed': 'yes' } });
  const late = (parts: object = {}) => ({
    metadata: { name: 's' },
    provisioner: 'orch.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...parts,
  });
  const missing = "2 node(s) didn't find available persistent volumes to bind";
  const none = `0/2 nodes are available: ${missing}.`;
  const ofClass = { 'volume.beta.orch.io/storage-class': 's' };
  const onNone = {
    required: { nodeSelectorTerms: [{ matchExpressions: [selectorOf('x', 'Exists')] }] },
  };
  const cases: readonly (readonly [string, string, Parameters<typeof clusterOf>[2]])[] = [
    ['must be there', '0/2 nodes are available: 2 persistentvolumeclaim "c" not found.', {}],
    [
      'must not be deleted',
      '0/2 nodes are available: 2 persistentvolumeclaim "c" is being deleted.',
      { claims: [claim({}, { deletionTimestamp: '2020-01-01T00:00:00Z' })] },
    ],
    [
      'must be bound',
      '0/2 nodes are available: 2 pod has unbound immediate PersistentVolumeClaims.',
      { claims: [claim()] },
    ],
    ['lead where the volume is', 'n2', { claims: [bound], volumes: [volume({ nodeAffinity: onN2 })] }],
    [
      'lead nowhere where the volume is on another node',
      '0/2 nodes are available: 2 node(s) had volume node affinity conflict.',
      {
        claims: [bound],
        volumes: [volume({ nodeAffinity: onNone })],
      },
    ],
    [
      'are told of together, with and without a volume',
      `0/2 nodes are available: ${missing}, 2 node(s) had volume node affinity conflict.`,
      {
        claims: [bound, claim({}, { name: 'd' })],
        volumes: [volume({ nodeAffinity: onNone })],
        classes: [late()],
      },
    ],
    [
      'lead nowhere where the volume is gone',
      '0/2 nodes are available: 2 pvc(s) bound to non-existent pv(s).',
      { claims: [bound] },
    ],
    [
      'lead where a volume for them is free',
      'n2',
      { claims: [claim()], classes: [late()], volumes: [volume({ nodeAffinity: onN2 })] },
    ],
    ['need a volume', none, { claims: [claim()], classes: [late()] }],
    [
      'need one that is large enough',
      none,
      { claims: [claim()], classes: [late()], volumes: [volume({ capacity: { storage: '1023Mi' } })] },
    ],
    [
      'need one of their access modes',
      none,
      { claims: [claim({ accessModes: ['ReadWriteMany'] })], classes: [late()], volumes: [volume()] },
    ],
    [
      'need one that is nobody’s',
      none,
      {
        claims: [claim()],
        classes: [late()],
        volumes: [volume({ claimRef: { namespace: 'default', name: 'other' } })],
      },
    ],
    [
      'need one of their class, which an annotation may name',
      'n1',
      {
        claims: [claim({ storageClassName: 't' }, { annotations: ofClass })],
        classes: [late()],
        volumes: [volume({ storageClassName: 't' }, { annotations: ofClass })],
      },
    ],
    [
      'need the one that is promised to them, although another is free',
      none,
      {
        claims: [claim()],
        classes: [late()],
        volumes: [
          volume({ claimRef: { namespace: 'default', name: 'c' }, nodeAffinity: onNone }),
          volume({}, { name: 'free' }),
        ],
      },
    ],
    [
      'lead to the node for which one is being made',
      'n2',
      {
        claims: [claim({}, { annotations: { 'volume.orch.io/selected-node': 'n2' } })],
        classes: [late({ provisioner: 'x.io/disks' })],
        volumes: [volume()],
      },
    ],
    [
      'get none made where topologies say nothing',
      none,
      {
        claims: [claim()],
        classes: [late({ provisioner: 'x.io/disks', allowedTopologies: [{}] })],
      },
    ],
    [
      'get one made, where somebody does',
      'n2',
      {
        claims: [claim()],
        classes: [
          late({
            provisioner: 'x.io/disks',
            allowedTopologies: [{ matchLabelExpressions: [{ key: hostname, values: ['n2'] }] }],
          }),
        ],
      },
    ],
  ];
  for (const [what, expected, parts] of cases) {
    it(what, () => {
      const names = (parts?.claims ?? []).map(nameOf);
      const spec = { containers: [], volumes: (names.length === 0 ? ['c'] : names).map(volumeOf) };
      expect(outcome(podOf('p', { spec }), clusterOf(nodes, {}, parts))).to.equal(expected);
    });
  }

  it('lead to the zone of a volume', () => {
    const zone = 'topology.orch.io/zone';
    const zoned = ['a', 'b'].map((name) => nodeOf(name, { labels: { [zone]: name } }));
    const parts = { claims: [bound], volumes: [volume({}, { labels: { [zone]: 'b__c' } })] };
    expect(outcome(podOf('p', claimed), clusterOf(zoned, {}, parts))).to.equal('b');
    expect(outcome(podOf('p', claimed), clusterOf(zoned.slice(0, 1), {}, parts))).to.equal(
      one('1 node(s) had no available volume zone'),
    );
    const gap = { ...parts, volumes: [volume({}, { labels: { [zone]: 'b__' } })] };
    expect(outcome(podOf('p', claimed), clusterOf(zoned, {}, gap))).to.equal('a');
    // Nodes of no cloud have no zones.
    expect(outcome(podOf('p', claimed), clusterOf([nodeOf('n')], {}, parts))).to.equal('n');
  });

  it('count for the limit of their class before they have volumes', () => {
    const diskClass = late({ provisioner: 'orch.io/aws-ebs' });
    const node = (limit: string) => [nodeOf('n', { allocatable: { 'attachable-volumes-aws-ebs': limit } })];
    const place = (limit: string) =>
      outcome(podOf('p', claimed), clusterOf(node(limit), {}, { claims: [claim()], classes: [diskClass] }));
    expect(place('0')).to.equal(one('1 node(s) exceed max volume count'));
    expect(place('1')).to.equal('n');
  });

  describe('whose volumes drivers serve on a node', () => {
    const key = 'topology.ebs.csi.aws.com/zone';
    const csiNode = (name: string, plugins: string, count?: number) => ({
      metadata: { name, annotations: { 'storage.alpha.orch.io/migrated-plugins': plugins } },
      spec: { drivers: [{ name: 'ebs.csi.aws.com', ...(count && { allocatable: { count } }) }] },
    });
    const aws = (volumeID: string) => ({ awsElasticBlockStore: { volumeID } });
    const inZone = {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [selectorOf('failure-domain.beta.orch.io/zone', 'In', 'z')] },
        ],
      },
    };

    it('lead to the zone as the driver tells it there', () => {
      const zoned = [nodeOf('n1', { labels: { [key]: 'y' } }), nodeOf('n2', { labels: { [key]: 'z' } })];
      const parts = { claims: [bound], volumes: [volume({ ...aws('vol-1'), nodeAffinity: inZone })] };
      const none = '0/2 nodes are available: 2 node(s) had volume node affinity conflict.';
      const served = [csiNode('n1', 'orch.io/aws-ebs'), csiNode('n2', 'orch.io/cinder,orch.io/aws-ebs')];
      const where = (csiNodes: readonly object[]) =>
        outcome(podOf('p', claimed), clusterOf(zoned, {}, { ...parts, csiNodes }));
      expect(where(served)).to.equal('n2');
      expect(where([csiNode('n1', 'orch.io/cinder'), csiNode('n2', 'orch.io/cinder')])).to.equal(none);
      expect(where([])).to.equal(none);
    });

    it('count as the driver’s where it serves them, and those of pods do not', () => {
      const node = [nodeOf('n', { allocatable: { 'attachable-volumes-aws-ebs': '1' } })];
      const other = { ...volume(aws('vol-2')), metadata: { name: 'other' } };
      const claims = [
        bound,
        { ...claim({ volumeName: 'other' }), metadata: { name: 'd', namespace: 'default', uid: 'u-d' } },
      ];
      const parts = { claims, volumes: [volume(aws('aws://z/vol-1')), other] };
      const there = podOf('o', { spec: { containers: [], volumes: [volumeOf('d')] } });
      const place = (csiNodes: readonly object[], pod: PodParts = claimed) =>
        outcome(podOf('p', pod), clusterOf(node, { n: [there] }, { ...parts, csiNodes }));
      const full = one('1 node(s) exceed max volume count');
      expect(place([])).to.equal(full);
      expect(place([csiNode('n', '')])).to.equal(full);
      expect(place([csiNode('n', 'orch.io/aws-ebs')])).to.equal('n');
      expect(place([csiNode('n', 'orch.io/aws-ebs', 1)])).to.equal(full);
      expect(place([csiNode('n', 'orch.io/aws-ebs', 2)])).to.equal('n');
      const ofPod = { spec: { containers: [], volumes: [{ name: 'v', ...aws('vol-3') }] } };
      expect(place([csiNode('n', '')], ofPod)).to.equal(full);
      expect(place([csiNode('n', 'orch.io/aws-ebs', 1)], ofPod)).to.equal('n');
    });
  });
});
