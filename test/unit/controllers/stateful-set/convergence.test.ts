import { expect } from 'chai';
import fc from 'fast-check';
import type { StatefulSet, StatefulSetStatus } from '../../../../src/apis/types/apps-v1.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { decideStatefulSet, isNewStatus } from '../../../../src/controllers/stateful-set/decide.ts';
import { createRandomSource, type RandomSource } from '../../../support/random-source.ts';

const revisionLabel = 'controller-revision-hash';
const template = { metadata: {}, spec: { containers: [] } };
const owner = {
  ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', namespace: 'n', name: 'web', uid: 'u' },
  isBeingDeleted: false,
};

/** How the pods of a set are at first, and what the set asks for. */
interface Start {
  readonly size: number;
  readonly isParallel: boolean;
  /** Undefined: pods are updated when somebody deletes them. */
  readonly partition: number | undefined;
  readonly pods: readonly {
    readonly revision: string;
    readonly state: 'ready' | 'waiting' | 'failed' | 'going' | 'missing';
  }[];
  readonly seed: number;
}

const anyStart: fc.Arbitrary<Start> = fc.record({
  size: fc.nat(6),
  isParallel: fc.boolean(),
  partition: fc.option(fc.nat(7), { nil: undefined }),
  pods: fc.array(
    fc.record({
      revision: fc.constantFrom('a', 'b', 'older'),
      state: fc.constantFrom('ready', 'ready', 'waiting', 'failed', 'going', 'missing'),
    }),
    { maxLength: 9 },
  ),
  seed: fc.nat(),
});

const isGoing = ({ metadata }: Pod): boolean => Boolean(metadata.deletionTimestamp);
const isReady = ({ status }: Pod): boolean => status?.conditions?.[0]?.status === 'True';
const isHealthy = (pod: Pod): boolean => isReady(pod) && !isGoing(pod);
const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[revisionLabel] ?? '';
const statusOf = (phase: string, ready: boolean) => ({
  phase,
  conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
});

/** A stateful set whose pods become ready and go as agents would have it. */
class World {
  readonly pods = new Map<number, Pod>();
  readonly #start: Start;
  readonly #random: RandomSource;
  #created = 0;
  #status: StatefulSetStatus = { replicas: 0, currentRevision: 'a' };

  constructor(start: Start) {
    this.#start = start;
    this.#random = createRandomSource(start.seed);
    for (const [ordinal, { revision, state }] of start.pods.entries()) {
      // Beyond the size a failed pod may keep others waiting for good, as in release 1.20.
      if (state === 'missing' || (state === 'failed' && ordinal >= start.size)) continue;
      const metadata = {
        name: `web-${ordinal}`,
        uid: `first-${ordinal}`,
        labels: { [revisionLabel]: revision, 'pod-name': `web-${ordinal}` },
        ...(state === 'going' && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      };
      const status = statusOf(state === 'failed' ? 'Failed' : 'Running', state === 'ready');
      this.pods.set(ordinal, { kind: 'Pod', apiVersion: 'v1', metadata, spec: { containers: [] }, status });
    }
  }

  get status(): StatefulSetStatus {
    return this.#status;
  }

  /** Some or all agents do what they have to. */
  work(chance: number): void {
    for (const [ordinal, pod] of this.pods) {
      if (this.#random.below(chance) > 0) continue;
      if (isGoing(pod)) this.pods.delete(ordinal);
      else if (pod.status.phase !== 'Failed') {
        this.pods.set(ordinal, { ...pod, status: statusOf('Running', true) });
      }
    }
  }

  /** Does what is decided, and looks whether it may be; how many writes there were. */
  step(): number {
    const { isParallel, partition, size } = this.#start;
    const set: StatefulSet = {
      kind: 'StatefulSet',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', namespace: 'n', uid: 'u', generation: 2 },
      spec: {
        ...{ replicas: size, serviceName: 's', template },
        ...(isParallel && { podManagementPolicy: 'Parallel' }),
        updateStrategy:
          partition === undefined
            ? { type: 'OnDelete' }
            : { type: 'RollingUpdate', rollingUpdate: { partition } },
      },
      status: this.#status,
    };
    const { actions, status } = decideStatefulSet({
      ...{ set, owner, pods: [...this.pods.values()] },
      current: { name: this.#status.currentRevision ?? '', template },
      update: { name: 'b', template },
      ...{ collisionCount: 0, nameLabel: 'pod-name' },
    });
    const known = new Set([...this.pods.values()].map(({ metadata }) => metadata.uid));
    const updated = new Set<number>();
    let creations = 0;
    for (const { kind, ordinal, pod } of actions) {
      expect(pod.metadata.name).to.equal(`web-${ordinal}`);
      if (kind === 'create') {
        creations++;
        expect(this.pods.has(ordinal), 'creates no pod twice').to.equal(false);
        expect(ordinal, 'creates none too many').to.be.below(size);
        if (!isParallel) this.#expectHealthyBelow(ordinal);
        this.pods.set(ordinal, { ...pod, metadata: { ...pod.metadata, uid: `made-${++this.#created}` } });
        continue;
      }
      expect(known.has(pod.metadata.uid), 'writes to its own pods').to.equal(true);
      if (kind === 'update') this.pods.set(ordinal, pod);
      else {
        expect(isGoing(pod), 'deletes none twice').to.equal(false);
        if (ordinal < size && pod.status.phase !== 'Failed') updated.add(ordinal);
        this.#delete(ordinal, pod);
      }
    }
    if (!isParallel) expect(creations, 'creates one after the other').to.be.most(1);
    expect(updated.size, 'updates one after the other').to.be.most(1);
    const isWritten = isNewStatus(set, status);
    if (isWritten) this.#status = status;
    return actions.length + Number(isWritten);
  }

  #delete(ordinal: number, pod: Pod): void {
    const { partition, size, isParallel } = this.#start;
    const others = [...this.pods].filter(([other]) => other !== ordinal);
    if (pod.status.phase === 'Failed') {
      this.pods.delete(ordinal);
      return;
    }
    if (ordinal < size) {
      expect(partition, 'updates when it may').to.not.equal(undefined);
      expect(ordinal, 'updates what it may').to.be.least(partition ?? 0);
      expect(revisionOf(pod), 'updates what is old').to.not.equal('b');
      for (const [other, { metadata }] of others) {
        const isNext = other > ordinal && other < size;
        if (isNext) expect(isHealthy(this.pods.get(other) ?? pod), metadata.name).to.equal(true);
      }
    } else if (!isParallel) {
      expect(Math.max(ordinal, ...others.map(([other]) => other)), 'the highest goes first').to.equal(
        ordinal,
      );
    }
    this.pods.set(ordinal, {
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
  }

  #expectHealthyBelow(ordinal: number): void {
    for (let lower = 0; lower < ordinal; lower++) {
      const pod = this.pods.get(lower);
      expect(pod !== undefined && isHealthy(pod), `${lower} is ready before ${ordinal}`).to.equal(true);
    }
  }
}

describe('a stateful set in any state', () => {
  it('creates, updates and deletes only what it may, and comes to what is asked for', () => {
    fc.assert(
      fc.property(anyStart, (start) => {
        const world = new World(start);
        for (let round = 0; round < 10; round++) {
          world.step();
          world.work(3);
        }
        let rounds = 0;
        do world.work(1);
        while (world.step() > 0 && rounds++ < 60);
        expect(rounds, 'comes to rest').to.be.below(60);
        const { size, partition } = start;
        const ordinals = Array.from({ length: size }, (_, ordinal) => ordinal);
        expect([...world.pods.keys()].sort()).to.deep.equal(ordinals);
        for (const [ordinal, pod] of world.pods) {
          expect(isHealthy(pod)).to.equal(true);
          if (ordinal >= (partition ?? size)) expect(revisionOf(pod)).to.equal('b');
        }
        const { replicas, readyReplicas, updateRevision, currentRevision } = world.status;
        expect([replicas, readyReplicas, updateRevision]).to.deep.equal([size, size, 'b']);
        if (partition === 0) expect(currentRevision).to.equal('b');
      }),
      { numRuns: 300 },
    );
  });
});
