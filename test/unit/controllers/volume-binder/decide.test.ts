import { expect } from 'chai';
import { type MigratedKind, migratedKinds } from '../../../../src/apis/csi-migration/index.ts';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
  Pod,
} from '../../../../src/apis/types/core-v1.ts';
import type { StorageClass } from '../../../../src/apis/types/storage-v1.ts';
import { decideClaim } from '../../../../src/controllers/volume-binder/decide-claim.ts';
import { decideRecycled, decideVolume } from '../../../../src/controllers/volume-binder/decide-volume.ts';
import { findVolume } from '../../../../src/controllers/volume-binder/find-volume.ts';
import { recyclingPodOf } from '../../../../src/controllers/volume-binder/recycling-pod.ts';
import type { BinderState, BinderStep } from '../../../../src/controllers/volume-binder/state.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const volume = (name: string, spec: PersistentVolumeSpec = {}, phase = 'Available'): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name, uid: `uid-${name}` },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'fast', ...spec },
  status: { phase },
});
const claim = (spec: Partial<PersistentVolumeClaimSpec> = {}, name = 'c'): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'n', name, uid: `uid-${name}` },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
  status: { phase: 'Pending' },
});
const storageClass = (provisioner: string, volumeBindingMode = 'Immediate'): StorageClass => ({
  apiVersion: 'storage.orch.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner,
  volumeBindingMode,
});
const promise = (name: string, uid?: string) => ({ claimRef: { namespace: 'n', name, uid } });

/** Objects that decisions are carried out on. */
class World implements BinderState {
  readonly dialect = orchDialect;
  readonly migratedKinds: readonly MigratedKind[];
  readonly events: string[] = [];
  /** Why volumes cannot be emptied. */
  readonly #problem: string | undefined;
  readonly #volumes = new Map<string, PersistentVolume>();
  readonly #claims = new Map<string, PersistentVolumeClaim>();
  readonly #classes: readonly StorageClass[];
  readonly #pods: readonly Pod[];

  constructor(
    volumes: readonly PersistentVolume[],
    claims: readonly PersistentVolumeClaim[],
    {
      classes = [],
      pods = [],
      migratedKinds = [],
      problem,
    }: {
      classes?: readonly StorageClass[];
      pods?: readonly Pod[];
      migratedKinds?: readonly MigratedKind[];
      problem?: string;
    } = {},
  ) {
    this.#problem = problem;
    this.migratedKinds = migratedKinds;
    for (const each of volumes) this.#volumes.set(each.metadata.name ?? '', each);
    for (const each of claims) this.#claims.set(each.metadata.name ?? '', each);
    this.#classes = classes;
    this.#pods = pods;
  }

  volume = (name: string) => this.#volumes.get(name);
  volumes = () => [...this.#volumes.values()];
  claim = (_namespace: string, name: string) => this.#claims.get(name);
  storageClass = (name: string) => this.#classes.find(({ metadata }) => metadata.name === name);
  podsIn = () => this.#pods;

  /** Until nothing is to be written any more. */
  settle(): this {
    for (let round = 0; round < 20; round++) {
      const steps = [
        ...[...this.#claims.values()].map((each) => decideClaim(each, this)),
        ...this.volumes().map((each) => decideVolume(each, this)),
      ];
      const next = this.#emptied(steps.find((step) => step?.write !== undefined));
      for (const { reason, message } of (next ?? steps.find((step) => step !== undefined))?.events ?? []) {
        this.events.push(`${reason}: ${message}`);
      }
      if (next?.write === undefined) return this;
      const { kind, object } = next.write;
      if (kind === 'recycling') return this;
      if (kind === 'deletion') this.#volumes.delete(object.metadata.name ?? '');
      else if (kind === 'volume') this.#volumes.set(object.metadata.name ?? '', object);
      else this.#claims.set(object.metadata.name ?? '', object);
    }
    throw new Error('the decisions do not come to an end');
  }

  #emptied(step: BinderStep | undefined): BinderStep | undefined {
    if (step?.write?.kind !== 'recycling') return step;
    return decideRecycled(step.write.object, this.#problem, this) ?? step;
  }

  get phases(): Record<string, string | undefined> {
    const all = [...this.#volumes.values(), ...this.#claims.values()];
    return Object.fromEntries(all.map(({ metadata, status }) => [metadata.name ?? '', status.phase]));
  }
}

describe('the volume of a claim', () => {
  const wide = ['ReadOnlyMany', 'ReadWriteOnce'];
  const cases: [string, PersistentVolume[], Partial<PersistentVolumeClaimSpec>, string | undefined][] = [
    [
      'is the smallest that is large enough',
      ['9Gi', '512Mi', '2Gi'].map((storage) => volume(storage, { capacity: { storage } })),
      {},
      '2Gi',
    ],
    ['has all access modes', [volume('v')], { accessModes: wide }, undefined],
    [
      'has as few access modes as possible',
      [volume('v', { accessModes: wide }), volume('w', { capacity: { storage: '2Gi' } })],
      {},
      'w',
    ],
    ['has the same class', [volume('v', { storageClassName: 'slow' })], {}, undefined],
    ['has the same mode', [volume('v', { volumeMode: 'Block' })], {}, undefined],
    ['has the labels', [volume('v')], { selector: { matchLabels: { a: 'b' } } }, undefined],
    ['is one that is promised', [volume('v'), volume('w', promise('c'))], {}, 'w'],
    [
      'is one that is promised, whatever its class',
      [volume('v'), volume('w', { ...promise('c'), storageClassName: 'slow' })],
      {},
      'w',
    ],
    [
      'is no promised one of more access modes than another',
      [volume('v', { ...promise('c'), accessModes: wide }), volume('w')],
      {},
      'w',
    ],
    ['is none that is promised to others', [volume('v', promise('d'))], {}, undefined],
    ['is none that is promised to one of the same name', [volume('v', promise('c', 'old'))], {}, undefined],
    ['is none that is not available', [volume('v', {}, 'Failed')], {}, undefined],
  ];
  for (const [what, volumes, spec, expected] of cases) {
    it(what, () => {
      const found = findVolume(claim(spec), volumes, { dialect: orchDialect, isDelayed: false });
      expect(found?.metadata.name).to.equal(expected);
    });
  }
});

describe('claims and volumes', () => {
  it('are bound, volume first, with annotations that say by whom', () => {
    const world = new World([volume('v', {}, 'Pending')], [claim()]).settle();
    expect(world.phases).to.deep.equal({ v: 'Bound', c: 'Bound' });
    const marks = { 'pv.orch.io/bind-completed': 'yes', 'pv.orch.io/bound-by-controller': 'yes' };
    expect(world.claim('n', 'c')?.metadata.annotations).to.deep.equal(marks);
    expect(world.claim('n', 'c')?.status.capacity).to.deep.equal({ storage: '1Gi' });
    expect(world.volume('v')?.metadata.annotations).to.have.keys('pv.orch.io/bound-by-controller');
    expect(world.volume('v')?.spec.claimRef?.uid).to.equal('uid-c');
  });

  it('bind one claim to a volume, never two', () => {
    const world = new World([volume('v')], [claim({}, 'c'), claim({}, 'd')]).settle();
    expect(Object.values(world.phases).sort()).to.deep.equal(['Bound', 'Bound', 'Pending']);
  });

  const lost = 'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!';
  const bound = { ...claim({ volumeName: 'v' }), status: { phase: 'Bound' } };
  const marked = {
    ...bound,
    metadata: { ...bound.metadata, annotations: { 'pv.orch.io/bind-completed': 'yes' } },
  };
  const user = (name: string, nodeName?: string) =>
    ({
      metadata: { namespace: 'n', name },
      spec: { nodeName, volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] },
      status: { phase: 'Pending' },
    }) as unknown as Pod; // what pods have that is looked at
  const going = volume('v');
  Object.assign(going.metadata, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  const left = (policy: string, path = '/data') =>
    volume(
      'v',
      { ...promise('gone', 'u'), persistentVolumeReclaimPolicy: policy, hostPath: { path } },
      'Bound',
    );
  const cases: [string, World, Record<string, string>, string?][] = [
    ['lose each other when the volume goes', new World([], [marked]), { c: 'Lost' }, lost],
    [
      'wait for a class that is not there',
      new World([], [claim()]),
      { c: 'Pending' },
      'ProvisioningFailed: storageclass.storage.orch.io "fast" not found',
    ],
    [
      'wait for whoever makes volumes of the class',
      new World([], [claim()], { classes: [storageClass('example.com/x')] }),
      { c: 'Pending' },
      'ExternalProvisioning: waiting for a volume to be created, either by external provisioner "example.com/x" or manually created by system administrator',
    ],
    [
      'wait for the first pod where the class says so',
      new World([volume('v')], [claim()], { classes: [storageClass('x/y', 'WaitForFirstConsumer')] }),
      { v: 'Available', c: 'Pending' },
      'WaitForFirstConsumer: waiting for first consumer to be created before binding',
    ],
    [
      'wait for pods that have no node',
      new World([volume('v')], [claim()], {
        classes: [storageClass('x/y', 'WaitForFirstConsumer')],
        pods: [user('p'), user('q'), user('r', 'node')],
      }),
      { v: 'Available', c: 'Pending' },
      'WaitForPodScheduled: waiting for pods p,q to be scheduled',
    ],
    [
      'without a class wait for a volume',
      new World([], [claim({ storageClassName: '' })]),
      { c: 'Pending' },
      'FailedBinding: no persistent volumes available for this claim and no storage class is set',
    ],
    [
      'do not fit though one names the other',
      new World([volume('v', { volumeMode: 'Block' })], [claim({ volumeName: 'v' })]),
      { v: 'Available', c: 'Pending' },
      'VolumeMismatch: Cannot bind to requested volume "v": incompatible volumeMode',
    ],
    [
      'do not come together while the volume is being deleted',
      new World([going], [claim({ volumeName: 'v' })]),
      { v: 'Available', c: 'Pending' },
      'VolumeMismatch: Cannot bind to requested volume "v": the volume is marked for deletion "v"',
    ],
    ['leave the volume released', new World([left('Retain')], []), { v: 'Released' }],
    [
      'leave a volume that cannot be deleted failed',
      new World([left('Delete')], []),
      { v: 'Failed' },
      'VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /data',
    ],
    ['leave nothing of a temporary volume', new World([left('Delete', '/tmp/x')], []), {}],
    [
      'leave a volume that cannot be recycled failed',
      new World([volume('v', { ...left('Recycle').spec, hostPath: undefined })], []),
      { v: 'Failed' },
      'VolumeFailedRecycle: No recycler plugin found for the volume!',
    ],
    [
      'leave a volume free again that was emptied',
      new World([left('Recycle')], []),
      { v: 'Available' },
      'VolumeRecycled: Volume recycled',
    ],
    [
      'leave a volume that could not be emptied failed',
      new World([left('Recycle')], [], { problem: 'no' }),
      { v: 'Failed' },
      'VolumeFailedRecycle: Recycle failed: no',
    ],
    [
      'leave a volume alone that pods still use',
      new World([volume('v', { ...left('Recycle').spec, ...promise('c', 'u') })], [], {
        pods: [user('q', 'node'), user('p', 'node')],
      }),
      { v: 'Released' },
      'VolumeFailedRecycle: Volume is used by pods: n/p,n/q',
    ],
  ];
  for (const [what, world, phases, event] of cases) {
    it(what, () => {
      expect(world.settle().phases).to.deep.equal(phases);
      expect(world.events).to.deep.equal(event === undefined ? [] : [event]);
    });
  }
});

describe('claims and volumes of kinds that drivers serve', () => {
  const provisioner = 'volume.beta.orch.io/storage-provisioner';
  const migratedTo = 'pv.orch.io/migrated-to';
  const driver = 'ebs.csi.aws.com';
  const classes = [storageClass('orch.io/aws-ebs')];

  it('are made by the driver, where a gate leaves them to it', () => {
    const world = new World([], [claim()], { classes, migratedKinds }).settle();
    expect(world.claim('n', 'c')?.metadata.annotations).to.deep.equal({ [provisioner]: driver });
    expect(world.events).to.deep.equal([
      `ExternalProvisioning: waiting for a volume to be created, either by external provisioner "${driver}" or manually created by system administrator`,
    ]);
    const without = new World([], [claim()], { classes }).settle();
    expect(without.claim('n', 'c')?.metadata.annotations).to.equal(undefined);
    expect(without.events).to.deep.equal([
      'ProvisioningFailed: no volume plugin matched name: orch.io/aws-ebs',
    ]);
  });

  const made = (more: object = {}) => {
    const spec = { ...promise('gone', 'gone'), persistentVolumeReclaimPolicy: 'Delete' };
    const given = volume('v', spec, 'Released');
    const annotations = { 'pv.orch.io/provisioned-by': 'orch.io/aws-ebs', ...more };
    return { ...given, metadata: { ...given.metadata, annotations } };
  };

  it('say who has taken them over, and are deleted by that', () => {
    const asked = {
      ...claim(),
      metadata: { ...claim().metadata, annotations: { [provisioner]: 'orch.io/aws-ebs' } },
    };
    const world = new World([made()], [asked], { classes, migratedKinds }).settle();
    expect(world.volume('v')?.metadata.annotations?.[migratedTo]).to.equal(driver);
    expect(world.phases.v).to.equal('Released');
    expect(world.claim('n', 'c')?.metadata.annotations?.[provisioner]).to.equal(driver);
  });

  it('say so no longer when the gate is off again', () => {
    const world = new World([made({ [migratedTo]: driver })], []).settle();
    expect(world.volume('v')?.metadata.annotations).to.have.all.keys('pv.orch.io/provisioned-by');
    expect(world.phases.v).to.equal('Failed');
  });
});

describe('recyclingPodOf', () => {
  const podOf = (spec: PersistentVolumeSpec) => recyclingPodOf(volume('v', spec));

  it('makes a pod that has the volume and empties it', () => {
    const pod = podOf({ hostPath: { path: '/data', type: 'Directory' } });
    expect(pod?.metadata).to.deep.equal({ name: 'recycler-for-v', namespace: 'default' });
    expect(pod?.spec.volumes).to.deep.equal([{ name: 'vol', hostPath: { path: '/data' } }]);
    expect(podOf({ local: { path: '/data' } })).to.equal(undefined);
  });

  it('gives it time by the size of the volume', () => {
    const hostPath = { path: '/data' };
    const nfs = { path: '/data', server: 's' };
    const seconds = (spec: PersistentVolumeSpec, storage: string) =>
      podOf({ ...spec, capacity: { storage } })?.spec.activeDeadlineSeconds;
    expect([seconds({ hostPath }, '1Gi'), seconds({ hostPath }, '5Gi')]).to.deep.equal([60, 150]);
    expect([seconds({ nfs }, '1Gi'), seconds({ nfs }, '10.9Gi'), seconds({ nfs }, '11Gi')]).to.deep.equal([
      300, 300, 330,
    ]);
  });
});
