import { expect } from 'chai';
import fc from 'fast-check';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/apis/types/core-v1.ts';
import type { StorageClass } from '../../../../src/apis/types/storage-v1.ts';
import { decideClaim } from '../../../../src/controllers/volume-binder/decide-claim.ts';
import { decideVolume } from '../../../../src/controllers/volume-binder/decide-volume.ts';
import type { BinderState } from '../../../../src/controllers/volume-binder/state.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createRandomSource } from '../../../support/random-source.ts';

const claimNames = ['c0', 'c1', 'c2', 'c3'];
const volumeNames = ['v0', 'v1', 'v2', 'v3'];
const completed = 'pv.orch.io/bind-completed';
const className = fc.constantFrom('', 'fast', 'late');
const size = fc.constantFrom('1Gi', '2Gi', '3Gi');

const classes: readonly StorageClass[] = ['fast', 'late'].map((name) => ({
  apiVersion: 'storage.orch.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'example.com/x',
  volumeBindingMode: name === 'late' ? 'WaitForFirstConsumer' : 'Immediate',
}));

/** Of a claim that is there, by name alone or by its uid; of one that is gone; or of none. */
const anyPromise = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(...claimNames).map((name) => ({ namespace: 'n', name })),
  fc.constantFrom(...claimNames).map((name) => ({ namespace: 'n', name, uid: `uid-${name}` })),
  fc.constantFrom(...claimNames).map((name) => ({ namespace: 'n', name, uid: 'gone' })),
);

const anyVolume = (name: string): fc.Arbitrary<PersistentVolume> =>
  fc
    .record({
      claimRef: anyPromise,
      storageClassName: className,
      storage: size,
      persistentVolumeReclaimPolicy: fc.constantFrom('Retain', 'Delete', 'Recycle'),
      phase: fc.constantFrom('Pending', 'Available', 'Bound', 'Released', 'Failed'),
      isOurs: fc.boolean(),
      path: fc.constantFrom('/tmp/x', '/data'),
    })
    .map(({ claimRef, storageClassName, storage, persistentVolumeReclaimPolicy, phase, isOurs, path }) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name,
        uid: `uid-${name}`,
        ...(isOurs && { annotations: { 'pv.orch.io/bound-by-controller': 'yes' } }),
      },
      spec: {
        ...{ capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName },
        ...{ persistentVolumeReclaimPolicy, hostPath: { path } },
        ...(claimRef && { claimRef }),
      },
      status: { phase },
    }));

const anyClaim = (name: string): fc.Arbitrary<PersistentVolumeClaim> =>
  fc
    .record({
      volumeName: fc.option(fc.constantFrom(...volumeNames), { nil: undefined }),
      storageClassName: className,
      storage: size,
      phase: fc.constantFrom('Pending', 'Bound', 'Lost'),
      isCompleted: fc.boolean(),
    })
    .map(({ volumeName, storageClassName, storage, phase, isCompleted }) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...{ namespace: 'n', name, uid: `uid-${name}` },
        ...(isCompleted && { annotations: { [completed]: 'yes' } }),
      },
      spec: {
        ...{ accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
        ...(volumeName !== undefined && { volumeName }),
      },
      // Nobody but this controller writes it, and only of a claim whose binding was completed.
      status: { phase: isCompleted ? phase : 'Pending' },
    }));

/** Some of them, by name. */
const someOf = <T extends PersistentVolume | PersistentVolumeClaim>(
  names: readonly string[],
  make: (name: string) => fc.Arbitrary<T>,
): fc.Arbitrary<Map<string, T>> =>
  fc
    .tuple(fc.subarray([...names]), fc.tuple(...names.map(make)))
    .map(([chosen, all]) => new Map(chosen.map((name) => [name, all[names.indexOf(name)] as T])));

/** Claims and volumes that decisions are carried out on, one write at a time, in any order. */
class World implements BinderState {
  readonly dialect = orchDialect;
  readonly migratedKinds = [];
  readonly #volumes: Map<string, PersistentVolume>;
  readonly #claims: Map<string, PersistentVolumeClaim>;

  constructor(
    volumes: ReadonlyMap<string, PersistentVolume>,
    claims: ReadonlyMap<string, PersistentVolumeClaim>,
  ) {
    this.#volumes = new Map(volumes);
    this.#claims = new Map(claims);
  }

  volume = (name: string) => this.#volumes.get(name);
  volumes = () => [...this.#volumes.values()];
  claim = (_namespace: string, name: string) => this.#claims.get(name);
  claims = () => [...this.#claims.values()];
  storageClass = (name: string) => classes.find(({ metadata }) => metadata.name === name);
  podsIn = () => [];

  /** One write of those that are decided; whether there was any. */
  step(below: (limit: number) => number): boolean {
    const steps = [
      ...this.claims().map((each) => decideClaim(each, this)),
      ...this.volumes().map((each) => decideVolume(each, this)),
    ];
    // Pods that empty volumes are never done here.
    const writes = steps.flatMap((step) => (step?.write?.kind === 'recycling' ? [] : (step?.write ?? [])));
    const write = writes[below(writes.length)];
    if (write === undefined) return false;
    const { name = '' } = write.object.metadata;
    if (write.kind === 'claim') {
      const before = this.#claims.get(name)?.spec.volumeName;
      if (before) expect(write.object.spec.volumeName, 'a claim keeps its volume').to.equal(before);
      this.#claims.set(name, write.object);
    } else {
      const before = this.#volumes.get(name);
      const { claimRef } = before?.spec ?? {};
      const holder = this.#claims.get(claimRef?.name ?? '');
      const isHeld = holder?.spec.volumeName === name && holder.metadata.uid === claimRef?.uid;
      if (isHeld) expect(write.kind, 'a volume that is bound is not deleted').to.equal('volume');
      if (write.kind === 'deletion') {
        expect(before?.spec.persistentVolumeReclaimPolicy).to.equal('Delete');
        this.#volumes.delete(name);
      } else {
        if (isHeld) expect(write.object.spec.claimRef, 'a volume keeps its claim').to.deep.equal(claimRef);
        this.#volumes.set(name, write.object);
      }
    }
    return true;
  }
}

describe('claims and volumes in any state', () => {
  it('come to rest in any order of writes, bound to one another or not at all', () => {
    fc.assert(
      fc.property(
        someOf(volumeNames, anyVolume),
        someOf(claimNames, anyClaim),
        fc.nat(),
        (volumes, claims, seed) => {
          const world = new World(volumes, claims);
          const random = createRandomSource(seed);
          let steps = 0;
          while (world.step(random.below)) expect(++steps, 'steps').to.be.below(100);
          for (const claim of world.claims()) {
            if (claim.status.phase !== 'Bound') continue;
            const volume = world.volume(claim.spec.volumeName ?? '');
            expect(volume?.spec.claimRef?.uid, claim.metadata.name).to.equal(claim.metadata.uid);
            expect(volume?.status.phase, claim.metadata.name).to.equal('Bound');
          }
          for (const { metadata, spec, status } of world.volumes()) {
            if (status.phase !== 'Bound') continue;
            const claim = world.claim('n', spec.claimRef?.name ?? '');
            expect(claim?.metadata.uid, metadata.name).to.equal(spec.claimRef?.uid);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
