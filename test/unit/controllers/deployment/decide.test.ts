import { expect } from 'chai';
import type { Deployment, ReplicaSet } from '../../../../src/apis/types/apps-v1.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { decideDeployment } from '../../../../src/controllers/deployment/decide.ts';
import { deploymentAnnotations } from '../../../../src/controllers/deployment/revisions.ts';
import { rollingBounds } from '../../../../src/controllers/deployment/rolling.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { formatTime } from '../../../../src/machinery/values/index.ts';
import { createRandomSource, type RandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const names = deploymentAnnotations(orchDialect);
type Strategy = Deployment['spec']['strategy'];
const rolling = (maxSurge: number | string, maxUnavailable: number | string): Strategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});

/** A deployment with its replica sets, whose pods come up and go as the simulation says. */
class World {
  nowMs = Date.UTC(2026, 0, 1);
  deployment: Deployment;
  sets: ReplicaSet[] = [];
  readonly events: string[] = [];
  #uids = 0;

  constructor(replicas: number, strategy: Strategy, spec: object = {}) {
    this.deployment = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'd', namespace: 'n', uid: 'd', generation: 1 },
      spec: {
        ...{ replicas, strategy, selector: { matchLabels: { app: 'a' } }, progressDeadlineSeconds: 600 },
        ...{ revisionHistoryLimit: 10, ...spec },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } },
      },
      status: {},
    } as unknown as Deployment;
  }

  change(spec: Partial<Deployment['spec']>): void {
    const { metadata } = this.deployment;
    const generation = (metadata.generation ?? 0) + 1;
    this.deployment = {
      ...this.deployment,
      metadata: { ...metadata, generation },
      spec: { ...this.deployment.spec, ...spec },
    };
  }

  useImage(image: string): void {
    const { metadata } = this.deployment.spec.template;
    this.change({
      template: { metadata, spec: { containers: [{ name: 'c', image }] } } as Deployment['spec']['template'],
    });
  }

  /** Does what is decided; whether there was anything to do. */
  step(): boolean {
    this.nowMs += 1000;
    const { writes, updated } = decideDeployment({
      ...{ deployment: this.deployment, sets: this.sets, names, nowMs: this.nowMs },
      podsOf: ({ status }) =>
        Array.from({ length: status.replicas }, () => ({ status: { phase: 'Running' } }) as Pod),
    });
    for (const write of writes) {
      const { metadata, spec } = write.set;
      if (write.kind === 'create') {
        const uid = `s${++this.#uids}`;
        const creationTimestamp = formatTime(this.nowMs);
        this.sets.push({ ...write.set, metadata: { ...metadata, uid, creationTimestamp, generation: 1 } });
        this.events.push(`create ${uid} ${spec.replicas}`);
      } else if (write.kind === 'delete') {
        this.sets = this.sets.filter((set) => set.metadata.uid !== metadata.uid);
        this.events.push(`delete ${metadata.uid}`);
      } else {
        const generation = (metadata.generation ?? 0) + 1;
        this.sets = this.sets.map((set) =>
          set.metadata.uid === metadata.uid ? { ...write.set, metadata: { ...metadata, generation } } : set,
        );
        if (write.scaledFrom !== undefined)
          this.events.push(`scale ${metadata.uid} ${write.scaledFrom}>${spec.replicas}`);
      }
    }
    if (updated !== undefined) this.deployment = updated;
    return writes.length > 0 || updated !== undefined;
  }

  /** One replica set's controller at work: pods beyond its size go at once, others come, and become available or not. */
  runSet(
    at: number,
    { becomesAvailable }: { readonly becomesAvailable: (missing: number) => number },
  ): boolean {
    const set = this.sets[at];
    if (set === undefined) return false;
    const replicas = set.spec.replicas ?? 0;
    const before = Math.min(set.status.availableReplicas ?? 0, replicas);
    const availableReplicas = before + becomesAvailable(replicas - before);
    const status = {
      replicas,
      readyReplicas: availableReplicas,
      availableReplicas,
      observedGeneration: set.metadata.generation,
    };
    const hasChanged = JSON.stringify(status) !== JSON.stringify(set.status);
    this.sets[at] = { ...set, status };
    return hasChanged;
  }

  /** Everybody works until nothing is left to do. */
  settle(becomesAvailable = (missing: number): number => missing): void {
    for (let round = 0; ; round++) {
      expect(round, 'rounds until nothing changes').to.be.below(200);
      let hasChanged = this.step();
      for (const at of this.sets.keys()) if (this.runSet(at, { becomesAvailable })) hasChanged = true;
      if (!hasChanged) return;
    }
  }

  get sizes(): number[] {
    return this.sets.map(({ spec }) => spec.replicas ?? 0);
  }

  get total(): number {
    return this.sizes.reduce((sum, size) => sum + size, 0);
  }

  get available(): number {
    return this.sets.reduce(
      (sum, { status, spec }) => sum + Math.min(status.availableReplicas ?? 0, spec.replicas ?? 0),
      0,
    );
  }

  condition(type: string): string | undefined {
    const found = this.deployment.status.conditions?.find((each) => each.type === type);
    return found && `${found.status} ${found.reason}: ${found.message}`;
  }
}

const anyStrategy = (random: RandomSource): Strategy =>
  rolling(random.pick([0, 1, 2, 5, '10%', '25%', '100%']), random.pick([0, 1, 2, '10%', '25%', '100%']));

describe('a deployment', () => {
  it('gets its replica set, a revision, and conditions', () => {
    const world = new World(2, rolling(1, 0));
    world.settle();
    expect(world.events).to.deep.equal(['create s1 2']);
    const [set] = world.sets;
    expect(set?.metadata.annotations).to.deep.equal({
      [names.revision]: '1',
      [names.desiredReplicas]: '2',
      [names.maxReplicas]: '3',
    });
    expect(set?.metadata.ownerReferences?.[0]?.uid).to.equal('d');
    expect(world.deployment.metadata.annotations).to.deep.equal({ [names.revision]: '1' });
    expect(world.condition('Available')).to.match(/^True MinimumReplicasAvailable/);
    expect(world.condition('Progressing')).to.equal(
      `True NewReplicaSetAvailable: ReplicaSet "${set?.metadata.name}" has successfully progressed.`,
    );
  });

  it('counts on from the revision of a set that it adopted', () => {
    const world = new World(1, rolling(1, 0));
    world.settle();
    const revised = (revision: string) =>
      world.sets.map(({ metadata, ...rest }) => ({
        ...{ ...rest, metadata: { ...metadata, annotations: { [names.revision]: revision } } },
      }));
    world.sets = revised('3546343826724305832');
    world.useImage('v2');
    world.settle();
    const newest = world.sets.at(-1)?.metadata.annotations;
    expect(newest?.[names.revision]).to.equal('3546343826724305833');
    expect(world.deployment.metadata.annotations?.[names.revision]).to.equal('3546343826724305833');
  });

  it('is not scaled anew for a size that is no number', () => {
    const world = new World(1, rolling(1, 0));
    world.settle();
    world.sets = world.sets.map(({ metadata, ...rest }) => ({
      ...{ ...rest, metadata: { ...metadata, annotations: { [names.desiredReplicas]: 'x' } } },
    }));
    world.useImage('v2');
    world.settle();
    expect(world.events.at(-1)).to.equal('scale s1 1>0');
  });

  it('rolls out within its bounds, however pods come up and the size changes, and ends complete', () => {
    const random = createRandomSource(testSeed);
    for (let round = 0; round < 150; round++) {
      const world = new World(1 + random.below(12), anyStrategy(random));
      world.settle();
      world.useImage(`v${round}`);
      const { maxSurge, maxUnavailable } = rollingBounds(world.deployment);
      const replicas = world.deployment.spec.replicas ?? 0;
      for (let moves = 0; moves < 60; moves++) {
        if (random.below(3) === 0) world.step();
        else
          world.runSet(random.below(world.sets.length), {
            becomesAvailable: (missing) => random.below(missing + 1),
          });
        const text = JSON.stringify(world.deployment.spec.strategy);
        expect(world.total, text).to.be.at.most(replicas + maxSurge);
        expect(world.available, text).to.be.at.least(replicas - maxUnavailable);
      }
      world.settle();
      expect([world.sizes[1], world.total, world.available]).to.deep.equal([replicas, replicas, replicas]);
      expect(world.condition('Progressing')).to.match(/^True NewReplicaSetAvailable/);
    }
  });

  it('shares a change of its size among its sets by their sizes', () => {
    const world = new World(10, rolling(3, 2));
    world.settle();
    world.useImage('broken');
    world.settle(() => 0);
    expect(world.sizes).to.deep.equal([8, 5]);
    world.change({ replicas: 15 });
    world.step();
    expect(world.sizes).to.deep.equal([11, 7]);
  });

  it('has no pods of two templates when it recreates', () => {
    const world = new World(3, { type: 'Recreate' });
    world.settle();
    world.useImage('v2');
    world.step();
    expect(world.sizes).to.deep.equal([0]);
    world.step();
    expect(world.sizes, 'while old pods run').to.deep.equal([0]);
    world.settle();
    expect(world.sizes).to.deep.equal([0, 3]);
  });

  it('goes back to a set that it had, as its newest revision', () => {
    const world = new World(1, rolling(1, 0));
    world.useImage('v1');
    world.settle();
    world.useImage('v2');
    world.settle();
    world.useImage('v1');
    world.settle();
    expect(world.sizes).to.deep.equal([1, 0]);
    const { annotations } = world.sets[0]?.metadata ?? {};
    expect([annotations?.[names.revision], annotations?.[names.revisionHistory]]).to.deep.equal(['3', '1']);
    expect(world.deployment.metadata.annotations?.[names.revision]).to.equal('3');
  });

  it('keeps no more old sets than it may', () => {
    const world = new World(1, rolling(1, 0), { revisionHistoryLimit: 2 });
    for (const image of ['v1', 'v2', 'v3', 'v4', 'v5']) {
      world.useImage(image);
      world.settle();
    }
    expect(world.sets.map(({ metadata }) => metadata.uid)).to.deep.equal(['s3', 's4', 's5']);
  });

  it('rolls nothing out while it is paused, but is scaled', () => {
    const world = new World(2, rolling(1, 0));
    world.settle();
    world.change({ paused: true });
    world.useImage('v2');
    world.settle();
    expect([world.sizes, world.condition('Progressing')]).to.deep.equal([
      [2],
      'Unknown DeploymentPaused: Deployment is paused',
    ]);
    world.change({ replicas: 4 });
    world.settle();
    expect(world.sizes).to.deep.equal([4]);
    world.change({ paused: false });
    world.settle();
    expect(world.sizes).to.deep.equal([0, 4]);
  });

  it('says that it does not get on once its deadline has passed, and when to look', () => {
    const world = new World(1, rolling(1, 0), { progressDeadlineSeconds: 60 });
    world.settle(() => 0);
    expect(world.condition('Progressing')).to.match(/^True ReplicaSetUpdated/);
    const { checkAfterMs = 0 } = decideDeployment({
      ...{ deployment: world.deployment, sets: world.sets, names, nowMs: world.nowMs, podsOf: () => [] },
    });
    expect(checkAfterMs).to.be.within(1, 61_000);
    world.nowMs += checkAfterMs;
    world.settle(() => 0);
    expect(world.condition('Progressing')).to.match(
      /^False ProgressDeadlineExceeded: .* has timed out progressing\.$/,
    );
  });

  it('tells what keeps its pods from being created, until that is over', () => {
    const world = new World(1, rolling(1, 0));
    world.step();
    const lastTransitionTime = '2019-05-05T00:00:00Z';
    const failure = {
      ...{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no room' },
      lastTransitionTime,
    };
    const [set] = world.sets;
    if (set !== undefined) world.sets[0] = { ...set, status: { replicas: 0, conditions: [failure] } };
    world.step();
    expect(world.condition('ReplicaFailure')).to.equal('True FailedCreate: no room');
    expect(world.deployment.status.conditions?.find(({ type }) => type === failure.type)).to.include({
      lastTransitionTime,
      lastUpdateTime: lastTransitionTime,
    });
    world.settle();
    expect(world.condition('ReplicaFailure')).to.equal(undefined);
  });

  it('does nothing but count while it is being deleted', () => {
    const world = new World(2, rolling(1, 0));
    world.settle();
    world.deployment = {
      ...world.deployment,
      metadata: { ...world.deployment.metadata, deletionTimestamp: formatTime(0) },
    };
    world.useImage('v2');
    world.settle();
    expect(world.events).to.deep.equal(['create s1 2']);
  });
});

describe('the bounds of a rolling update', () => {
  const cases: [number, number | string, number | string, [number, number]][] = [
    [10, '25%', '25%', [3, 2]],
    [10, 0, 0, [0, 1]],
    [1, '10%', '10%', [1, 0]],
    [3, '0%', '10%', [0, 1]],
    [2, 1, 5, [1, 2]],
    [0, '50%', '50%', [0, 0]],
  ];
  for (const [replicas, surge, unavailable, expected] of cases) {
    it(`of ${replicas} with ${surge} and ${unavailable} are ${expected.join(' and ')}`, () => {
      const { maxSurge, maxUnavailable } = rollingBounds(
        new World(replicas, rolling(surge, unavailable)).deployment,
      );
      expect([maxSurge, maxUnavailable]).to.deep.equal(expected);
    });
  }
});
