import { expect } from 'chai';
import {
  controllerRevisionRules,
  daemonSetRules,
  deploymentRules,
  replicaSetRules,
  statefulSetRules,
} from '../../../../src/apis/apps/index.ts';
import { podTemplateRules } from '../../../../src/apis/core/pod-index.ts';
import { replicationControllerRules } from '../../../../src/apis/core/replication-controller.ts';
import type { KindRules } from '../../../../src/apis/kind-rules.ts';
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '../../../../src/apis/types/apps-v1.ts';
import type { PodTemplate, ReplicationController } from '../../../../src/apis/types/core-v1.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { canonical, createErrors, statusErrors, updateErrors } from '../core-pod/rule-bench.ts';
import { negative, qualifiedPart } from '../core-pod/wording.ts';

const podSpec = { containers: [{ name: 'c', image: 'x' }] };
const templateWith = (labels: object, spec: object = {}): object => ({
  metadata: { labels },
  spec: { ...podSpec, ...spec },
});
const selector = { matchLabels: { a: 'b' } };
const template = templateWith({ a: 'b' });
const mismatch =
  'spec.template.metadata.labels: Invalid value: map[string]string{"a":"b"}: `selector` does not match template `labels`';
const alwaysOnly = (policy: string): string =>
  `spec.template.spec.restartPolicy: Unsupported value: "${policy}": supported values: "Always"`;
const noDeadline = (kind: string): string =>
  `spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ${kind} is not Supported`;
const shownSelector = (labels: string): string =>
  `v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}`;
const emptySelector = (kind: string): string =>
  `spec.selector: Invalid value: ${shownSelector('map[string]string(nil)')}: empty selector is invalid for ${kind}`;
const changedSelector = `spec.selector: Invalid value: ${shownSelector('map[string]string{"a":"c"}')}: field is immutable`;
const intOrString = (type: number, int: number, text: string): string =>
  `intstr.IntOrString{Type:${type}, IntVal:${int}, StrVal:"${text}"}`;
const percentFormat =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Makes objects of one kind; `spec` overrides a fine one. */
const maker =
  <T>(kind: string) =>
  (spec: object = {}, more: object = {}): T =>
    canonical<T>(`apps/v1.${kind}`, {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: 'x', namespace: 'n' },
      spec: { selector, template, ...spec },
      ...more,
    });
const makeDeployment = maker<Deployment>('Deployment');
const makeReplicaSet = maker<ReplicaSet>('ReplicaSet');
const makeStatefulSet = maker<StatefulSet>('StatefulSet');
const makeDaemonSet = maker<DaemonSet>('DaemonSet');
const makeController = (spec: object = {}, more: object = {}): ReplicationController =>
  canonical<ReplicationController>('v1.ReplicationController', {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'x', namespace: 'n' },
    spec: { selector: { a: 'b' }, template, ...spec },
    ...more,
  });

type Case = readonly [about: string, spec: object, errors: readonly string[]];

function describeCreate<T>(
  name: string,
  rules: KindRules<T>,
  make: (spec: object) => T,
  cases: readonly Case[],
): void {
  describe(`${name}.validate`, () => {
    it('accepts a plain object', () => expect(createErrors(rules, make({}))).to.deep.equal([]));
    for (const [about, spec, errors] of cases) {
      it(`refuses ${about}`, () => expect(createErrors(rules, make(spec))).to.deep.equal(errors));
    }
  });
}

const otherLabels: Case = [
  'a selector that misses its pods',
  { selector: { matchLabels: { a: 'c' } } },
  [mismatch],
];
const ending = (kind: string): Case => [
  'pods that end',
  { template: templateWith({ a: 'b' }, { restartPolicy: 'Never', activeDeadlineSeconds: 5 }) },
  [alwaysOnly('Never'), noDeadline(kind)],
];
const disk = { volumes: [{ name: 'v', gcePersistentDisk: { pdName: 'd' } }] };
const diskError =
  'spec.template.spec.volumes[0].gcePersistentDisk.readOnly: Invalid value: false: must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
const badTemplate: Case = [
  'templates that make no pod',
  {
    template: {
      metadata: { labels: { a: 'b', 'x y': '' }, annotations: { 'x y': '' } },
      spec: { containers: [] },
    },
  },
  [
    `spec.template.labels: Invalid value: "x y": ${qualifiedPart}`,
    `spec.template.annotations: Invalid value: "x y": ${qualifiedPart}`,
    'spec.template.spec.containers: Required value',
  ],
];

describeCreate('deploymentRules', deploymentRules, makeDeployment, [
  otherLabels,
  ending('ReplicaSet'),
  badTemplate,
  ['no selector', { selector: null }, ['spec.selector: Required value', mismatch]],
  ['an empty selector', { selector: {} }, [emptySelector('deployment')]],
  ['disks that cannot be shared', { replicas: 2, template: templateWith({ a: 'b' }, disk) }, [diskError]],
  [
    'numbers below zero',
    { replicas: -1, minReadySeconds: -2, revisionHistoryLimit: -3, progressDeadlineSeconds: -4 },
    [
      `spec.replicas: Invalid value: -1: ${negative}`,
      `spec.minReadySeconds: Invalid value: -2: ${negative}`,
      `spec.revisionHistoryLimit: Invalid value: -3: ${negative}`,
      `spec.progressDeadlineSeconds: Invalid value: -4: ${negative}`,
      'spec.progressDeadlineSeconds: Invalid value: -4: must be greater than minReadySeconds',
    ],
  ],
  [
    'another strategy',
    { strategy: { type: 'Q' } },
    [
      'spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"Q", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}: supported values: "Recreate", "RollingUpdate"',
    ],
  ],
  [
    'numbers for the other strategy',
    { strategy: { type: 'Recreate', rollingUpdate: {} } },
    ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
  ],
  [
    'an update that cannot go on',
    { strategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: 0 } } },
    [
      `spec.strategy.rollingUpdate.maxUnavailable: Invalid value: ${intOrString(1, 0, '0%')}: may not be 0 when \`maxSurge\` is 0`,
    ],
  ],
  [
    'shares that are none',
    { strategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: 'x' } } },
    [
      `spec.strategy.rollingUpdate.maxSurge: Invalid value: ${intOrString(1, 0, 'x')}: ${percentFormat}`,
      `spec.strategy.rollingUpdate.maxUnavailable: Invalid value: ${intOrString(1, 0, '101%')}: must not be greater than 100%`,
    ],
  ],
]);

describeCreate('replicaSetRules', replicaSetRules, makeReplicaSet, [
  otherLabels,
  ending('ReplicaSet'),
  ['no selector', { selector: null }, ['spec.selector: Required value', mismatch]],
  ['an empty selector', { selector: {} }, [emptySelector('deployment')]],
  [
    'numbers below zero',
    { replicas: -1, minReadySeconds: -2 },
    [`spec.replicas: Invalid value: -1: ${negative}`, `spec.minReadySeconds: Invalid value: -2: ${negative}`],
  ],
]);

describeCreate('statefulSetRules', statefulSetRules, makeStatefulSet, [
  otherLabels,
  ending('StatefulSet'),
  ['no selector', { selector: null }, ['spec.selector: Required value', mismatch]],
  ['an empty selector', { selector: {} }, [emptySelector('statefulset')]],
  [
    'another order',
    { podManagementPolicy: 'Q' },
    ["spec.podManagementPolicy: Invalid value: \"Q\": must be 'OrderedReady' or 'Parallel'"],
  ],
  [
    'another strategy',
    { updateStrategy: { type: 'Q' } },
    [
      "spec.updateStrategy: Invalid value: apps.StatefulSetUpdateStrategy{Type:\"Q\", RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(nil)}: must be 'RollingUpdate' or 'OnDelete'",
    ],
  ],
  [
    'numbers below zero',
    { replicas: -1, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } },
    [
      `spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: ${negative}`,
      `spec.replicas: Invalid value: -1: ${negative}`,
    ],
  ],
  [
    'selectors that cannot be read',
    { selector: { matchExpressions: [{ key: 'a', operator: 'Foo' }] } },
    [
      'spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator',
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"a", Operator:"Foo", Values:[]string(nil)}}}',
    ],
  ],
]);

describeCreate('daemonSetRules', daemonSetRules, makeDaemonSet, [
  otherLabels,
  ending('DaemonSet'),
  ['an empty selector', { selector: {} }, [emptySelector('daemonset')]],
  ['disks that cannot be shared', { template: templateWith({ a: 'b' }, disk) }, [diskError]],
  [
    'another strategy',
    { updateStrategy: { type: 'Q' } },
    [
      'spec.updateStrategy: Unsupported value: apps.DaemonSetUpdateStrategy{Type:"Q", RollingUpdate:(*apps.RollingUpdateDaemonSet)(nil)}: supported values: "RollingUpdate", "OnDelete"',
    ],
  ],
  [
    'an update that cannot go on',
    {
      minReadySeconds: -1,
      revisionHistoryLimit: -2,
      updateStrategy: { rollingUpdate: { maxUnavailable: 0 } },
    },
    [
      `spec.minReadySeconds: Invalid value: -1: ${negative}`,
      `spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: ${intOrString(0, 0, '')}: cannot be 0`,
      `spec.revisionHistoryLimit: Invalid value: -2: ${negative}`,
    ],
  ],
]);

describeCreate('replicationControllerRules', replicationControllerRules, makeController, [
  ending('ReplicationController'),
  ['a selector that misses its pods', { selector: { a: 'c' } }, [mismatch]],
  ['no template', { template: null }, ['spec.template: Required value']],
  ['no selector', { selector: {}, template: templateWith({}) }, ['spec.selector: Required value']],
  [
    'numbers below zero',
    { replicas: -1, minReadySeconds: -2 },
    [`spec.minReadySeconds: Invalid value: -2: ${negative}`, `spec.replicas: Invalid value: -1: ${negative}`],
  ],
]);

describe('podTemplateRules', () => {
  it('checks the template', () => {
    const make = (): PodTemplate =>
      canonical<PodTemplate>('v1.PodTemplate', {
        metadata: { name: 't' },
        template: { spec: { containers: [] } },
      });
    const errors = ['template.spec.containers: Required value'];
    expect(createErrors(podTemplateRules, make())).to.deep.equal(errors);
    expect(updateErrors(podTemplateRules, make(), make())).to.deep.equal(errors);
  });
});

describe('controllerRevisionRules', () => {
  const make = (fields: object): ControllerRevision =>
    canonical<ControllerRevision>('apps/v1.ControllerRevision', { metadata: { name: 'r' }, ...fields });

  it('demands data and a revision from zero', () => {
    expect(createErrors(controllerRevisionRules, make({ revision: -1 }))).to.deep.equal([
      'data: Required value: data is mandatory',
      `revision: Invalid value: -1: ${negative}`,
    ]);
  });

  it('lets the revision change, not the data', () => {
    const old = make({ revision: 1, data: { a: 1 } });
    expect(updateErrors(controllerRevisionRules, make({ revision: 2, data: { a: 1 } }), old)).to.deep.equal(
      [],
    );
    const [error, ...others] = updateErrors(
      controllerRevisionRules,
      make({ revision: 1, data: { a: 2 } }),
      old,
    );
    expect(others).to.deep.equal([]);
    expect(error).to.match(/^data: Invalid value: .*: field is immutable$/);
  });
});

describe('updates of workloads', () => {
  const changed = { selector: { matchLabels: { a: 'c' } }, template: templateWith({ a: 'c' }) };

  it('keep the selector', () => {
    expect(updateErrors(deploymentRules, makeDeployment(changed), makeDeployment())).to.deep.equal([
      changedSelector,
    ]);
    expect(updateErrors(replicaSetRules, makeReplicaSet(changed), makeReplicaSet())).to.deep.equal([
      changedSelector,
    ]);
    expect(updateErrors(daemonSetRules, makeDaemonSet(changed), makeDaemonSet())).to.deep.equal([
      changedSelector,
    ]);
  });

  it('of stateful sets change three fields only', () => {
    const frozen =
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden";
    const fine = {
      replicas: 3,
      updateStrategy: { type: 'OnDelete' },
      template: templateWith({ a: 'b', c: 'd' }),
    };
    expect(updateErrors(statefulSetRules, makeStatefulSet(fine), makeStatefulSet())).to.deep.equal([]);
    const other = makeStatefulSet({ serviceName: 's' });
    expect(updateErrors(statefulSetRules, other, makeStatefulSet())).to.deep.equal([frozen]);
  });

  it('count generations of deployments by annotations too', () => {
    const old = makeDeployment();
    old.metadata.generation = 4;
    const object = makeDeployment();
    object.metadata = { ...object.metadata, generation: 4, annotations: { a: 'b' } };
    updateErrors(deploymentRules, object, old);
    expect(object.metadata.generation).to.equal(5);
  });

  it('count changes of a daemon set template', () => {
    const name = 'deprecated.daemonset.template.generation';
    const generationOf = (object: DaemonSet): string | undefined => object.metadata.annotations?.[name];
    const old = makeDaemonSet();
    createErrors(daemonSetRules, old);
    expect(generationOf(old)).to.equal('1');
    const same = makeDaemonSet({ minReadySeconds: 1 });
    updateErrors(daemonSetRules, same, old);
    expect(generationOf(same)).to.equal('1');
    const other = makeDaemonSet({ template: templateWith({ a: 'b', c: 'd' }) });
    updateErrors(daemonSetRules, other, old);
    expect(generationOf(other)).to.equal('2');
    const bad = makeDaemonSet({}, { metadata: { name: 'x', annotations: { [name]: 'z' } } });
    expect(() => createErrors(daemonSetRules, bad)).to.throw(StatusError, 'parsing "z": invalid syntax');
  });

  it('write numbers in annotations as Go does, and refuse what is none', () => {
    const name = 'deprecated.daemonset.template.generation';
    const settled = (text: string): string | undefined => {
      const object = makeDaemonSet({}, { metadata: { name: 'x', annotations: { [name]: text } } });
      createErrors(daemonSetRules, object);
      return object.metadata.annotations?.[name];
    };
    expect(settled('+007')).to.equal('7');
    const old = makeDaemonSet({}, { metadata: { name: 'x', annotations: { [name]: '+007' } } });
    const next = makeDaemonSet();
    updateErrors(daemonSetRules, next, old);
    expect(next.metadata.annotations?.[name]).to.equal('7');
    expect(old.metadata.annotations?.[name], 'others have the stored object, too').to.equal('+007');
    expect(settled('-5')).to.equal('1');
    expect(settled('9223372036854775807')).to.equal('9223372036854775807');
    for (const text of ['9223372036854775808', '1'.repeat(30)]) {
      expect(() => settled(text)).to.throw(StatusError, `parsing "${text}": value out of range`);
    }
    expect(() => settled('')).to.throw(StatusError, 'parsing "": invalid syntax');
  });

  it('refuse to change the template of a daemon set more often than an int64 counts', () => {
    const name = 'deprecated.daemonset.template.generation';
    const make = (image: string): DaemonSet =>
      makeDaemonSet(
        { template: templateWith({ a: 'b', image }) },
        { metadata: { name: 'x', annotations: { [name]: '9223372036854775807' } } },
      );
    expect(updateErrors(daemonSetRules, make('x'), make('x'))).to.deep.equal([]);
    const negative =
      'spec.templateGeneration: Invalid value: -9223372036854775808: must be greater than or equal to 0';
    expect(updateErrors(daemonSetRules, make('y'), make('x'))).to.deep.equal([
      'spec.templateGeneration: Invalid value: -9223372036854775808: must not be decremented',
      negative,
    ]);
  });

  it('keep the request for a rollback in an annotation of deployments', () => {
    const name = 'deprecated.deployment.rollback.to';
    const asking = (text: string | undefined): Deployment =>
      makeDeployment(
        {},
        text === undefined ? {} : { metadata: { name: 'x', annotations: { [name]: text } } },
      );
    const old = asking('+3');
    expect(createErrors(deploymentRules, old)).to.deep.equal([]);
    expect(old.metadata.annotations).to.deep.equal({ [name]: '3' });
    expect(createErrors(deploymentRules, asking(''))).to.deep.equal([]);
    expect(updateErrors(deploymentRules, asking('-1'), old)).to.deep.equal([
      `spec.rollback.version: Invalid value: -1: ${negative}`,
    ]);
    expect(() => createErrors(deploymentRules, asking('a'))).to.throw(
      StatusError,
      `Deployment in version "v1" cannot be handled as a Deployment: failed to parse annotation[${name}]=a as int64: strconv.ParseInt: parsing "a": invalid syntax`,
    );
    const told = asking('4');
    statusErrors(deploymentRules, told, old);
    expect(told.metadata.annotations).to.deep.equal({ [name]: '3' });
    statusErrors(deploymentRules, told, asking(undefined));
    expect(told.metadata).to.not.have.property('annotations');
  });

  it('report errors as often as the reference does', () => {
    const error = `spec.replicas: Invalid value: -1: ${negative}`;
    const bad = { replicas: -1 };
    expect(updateErrors(deploymentRules, makeDeployment(bad), makeDeployment())).to.deep.equal([error]);
    expect(updateErrors(statefulSetRules, makeStatefulSet(bad), makeStatefulSet())).to.deep.equal([error]);
    expect(updateErrors(replicaSetRules, makeReplicaSet(bad), makeReplicaSet())).to.deep.equal([error]);
    expect(updateErrors(replicationControllerRules, makeController(bad), makeController())).to.deep.equal([
      error,
    ]);
  });
});

describe('status of workloads', () => {
  const below = (...fields: string[]): string[] =>
    fields.map((field) => `status.${field}: Invalid value: -1: ${negative}`);
  const minusOne = (...fields: string[]): object => ({
    status: Object.fromEntries(fields.map((field) => [field, -1])),
  });

  it('has no numbers below zero', () => {
    const deployment = [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'collisionCount',
    ];
    const replicaSet = [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
    ];
    const statefulSet = [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'observedGeneration',
      'collisionCount',
    ];
    const daemonSet = [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ];
    expect(
      statusErrors(deploymentRules, makeDeployment({}, minusOne(...deployment)), makeDeployment()),
    ).to.deep.equal(below(...deployment));
    expect(
      statusErrors(replicaSetRules, makeReplicaSet({}, minusOne(...replicaSet)), makeReplicaSet()),
    ).to.deep.equal(below(...replicaSet));
    expect(
      statusErrors(replicationControllerRules, makeController({}, minusOne(...replicaSet)), makeController()),
    ).to.deep.equal(below(...replicaSet));
    expect(
      statusErrors(statefulSetRules, makeStatefulSet({}, minusOne(...statefulSet)), makeStatefulSet()),
    ).to.deep.equal(below(...statefulSet));
    expect(
      statusErrors(daemonSetRules, makeDaemonSet({}, minusOne(...daemonSet)), makeDaemonSet()),
    ).to.deep.equal(below(...daemonSet));
  });

  it('counts no more than there are', () => {
    const more = 'cannot be greater than status.replicas';
    const status = { replicas: 1, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 4 };
    expect(statusErrors(deploymentRules, makeDeployment({}, { status }), makeDeployment())).to.deep.equal([
      `status.updatedReplicas: Invalid value: 2: ${more}`,
      `status.readyReplicas: Invalid value: 3: ${more}`,
      `status.availableReplicas: Invalid value: 4: ${more}`,
      'status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas',
    ]);
    const set = { replicas: 1, readyReplicas: 2, currentReplicas: 3, updatedReplicas: 4 };
    expect(
      statusErrors(statefulSetRules, makeStatefulSet({}, { status: set }), makeStatefulSet()),
    ).to.deep.equal([
      `status.readyReplicas: Invalid value: 2: ${more}`,
      `status.currentReplicas: Invalid value: 3: ${more}`,
      `status.updatedReplicas: Invalid value: 4: ${more}`,
    ]);
  });

  it('does not count collisions backwards', () => {
    const error = 'status.collisionCount: Invalid value: 1: cannot be decremented';
    const count = (collisionCount: number): object => ({ status: { collisionCount } });
    expect(
      statusErrors(deploymentRules, makeDeployment({}, count(1)), makeDeployment({}, count(2))),
    ).to.deep.equal([error]);
    expect(
      statusErrors(statefulSetRules, makeStatefulSet({}, count(1)), makeStatefulSet({}, count(2))),
    ).to.deep.equal([error]);
    expect(
      statusErrors(daemonSetRules, makeDaemonSet({}, count(1)), makeDaemonSet({}, count(2))),
    ).to.deep.equal([error]);
    expect(
      statusErrors(daemonSetRules, makeDaemonSet({}, count(2)), makeDaemonSet({}, count(1))),
    ).to.deep.equal([]);
  });

  it('of a deployment keeps the labels', () => {
    const object = makeDeployment({}, { metadata: { name: 'x', labels: { new: 'label' } } });
    const old = makeDeployment({}, { metadata: { name: 'x', labels: { old: 'label' } } });
    statusErrors(deploymentRules, object, old);
    expect(object.metadata.labels).to.deep.equal({ old: 'label' });
  });
});
