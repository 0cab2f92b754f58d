import { expect } from 'chai';
import type { DaemonSet } from '../../../../src/apis/types/apps-v1.ts';
import type { Node, Pod } from '../../../../src/apis/types/core-v1.ts';
import { decideDaemonSet } from '../../../../src/controllers/daemon-set/decide.ts';
import { daemonPlacement, daemonPods } from '../../../../src/controllers/daemon-set/placement.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { formatTime } from '../../../../src/machinery/values/index.ts';
import { createRandomSource, type RandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const names = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'];
const template = { metadata: {}, spec: { containers: [], nodeSelector: { daemons: 'yes' } } };
const placement = daemonPlacement(template, orchDialect);
const owner = {
  ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'n', name: 'd', uid: 'd' },
  isBeingDeleted: false,
};

/** A cluster whose nodes, pods and template change by chance, and one daemon set that is decided in between. */
class World {
  nowMs = Date.UTC(2026, 0, 1);
  hash = 'h0';
  nodes: Node[] = [];
  pods: Pod[] = [];
  readonly maxUnavailable: number | string;
  readonly #random: RandomSource;
  #count = 0;

  constructor(random: RandomSource) {
    this.#random = random;
    this.maxUnavailable = random.pick([1, 2, 3, '30%', '100%']);
    for (const name of names) this.#addNode(name);
  }

  /** Of all wanted pods as many may be unavailable. */
  get allowed(): number {
    const wanted = this.nodes.filter((node) => placement(node).shouldRun).length;
    const { maxUnavailable } = this;
    return typeof maxUnavailable === 'number'
      ? maxUnavailable
      : Math.ceil((Number.parseInt(maxUnavailable, 10) * wanted) / 100);
  }

  /** Nodes that have what they should, and how many do not. */
  get unavailable(): number {
    return this.nodes.filter(
      (node) => placement(node).shouldRun && !this.#podsOf(node).some((pod) => isReady(pod) && !isGoing(pod)),
    ).length;
  }

  disturb(): void {
    const random = this.#random;
    const pod = this.pods.length > 0 ? random.pick(this.pods) : undefined;
    const node = this.nodes.length > 0 ? random.pick(this.nodes) : undefined;
    const kind = random.below(8);
    if (kind === 0) this.hash = `h${random.below(4)}`;
    if (kind === 1 && pod) this.#replace(pod, { ...pod, status: { phase: 'Failed' } });
    if (kind === 2 && pod) this.#remove(pod);
    if (kind === 3 && pod) this.#replace(pod, withReadiness(pod, 'False', this.nowMs));
    if (kind === 4 && node) this.nodes = this.nodes.filter((each) => each !== node);
    if (kind === 5) this.#addNode(random.pick(names));
    if (kind === 6 && node) node.metadata.labels = { daemons: random.pick(['yes', 'no']) };
    if (kind === 7 && node)
      node.spec.taints = [{ key: 'k', effect: random.pick(['NoSchedule', 'NoExecute']) }];
  }

  /** Agents and the scheduler do their work; sometimes not all of it. */
  work(chance: number): void {
    this.nowMs += 2000;
    for (const pod of this.pods) {
      if (this.#random.below(chance) > 0) continue;
      if (isGoing(pod)) this.#remove(pod);
      else if (pod.status?.phase !== 'Failed') this.#replace(pod, withReadiness(pod, 'True', this.nowMs));
    }
  }

  /** Does what is decided; whether there was anything to do. */
  step(): boolean {
    const before = this.unavailable;
    const set = {
      metadata: { name: 'd' },
      spec: {
        template,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: this.maxUnavailable } },
      },
      status: {},
    } as unknown as DaemonSet;
    const { hash, pods, nodes, nowMs } = this;
    const plan = decideDaemonSet({ set, hash, pods, nodes, placement, nowMs }, () => 0);
    for (const pod of plan.deletions) {
      expect(this.pods, 'deletes what it has').to.include(pod);
      expect(isGoing(pod), 'deletes nothing twice').to.equal(false);
      this.#replace(pod, {
        ...pod,
        metadata: { ...pod.metadata, deletionTimestamp: formatTime(this.nowMs) },
      });
    }
    expect(this.unavailable, 'takes no more than it may').to.be.most(Math.max(before, this.allowed));
    const makePod = daemonPods({ template, owner, hash, generation: undefined }, orchDialect);
    for (const node of plan.creations) {
      const pod = makePod(node);
      const name = `p${++this.#count}`;
      this.pods.push({
        ...pod,
        metadata: { ...pod.metadata, name, creationTimestamp: formatTime(this.nowMs) },
        // The scheduler may take its time.
        ...(this.#random.below(2) === 0 && { spec: { ...pod.spec, nodeName: node } }),
      });
    }
    return plan.creations.length + plan.deletions.length > 0;
  }

  #addNode(name: string): void {
    if (this.nodes.some(({ metadata }) => metadata.name === name)) return;
    this.nodes.push({ metadata: { name, labels: { daemons: 'yes' } }, spec: {} } as unknown as Node);
  }

  #podsOf({ metadata }: Node): Pod[] {
    return this.pods.filter((pod) => nodeOf(pod) === metadata.name);
  }

  #replace(pod: Pod, by: Pod): void {
    this.pods = this.pods.map((each) => (each === pod ? by : each));
  }

  #remove(pod: Pod): void {
    this.pods = this.pods.filter((each) => each !== pod);
  }
}

const isGoing = ({ metadata }: Pod): boolean => Boolean(metadata.deletionTimestamp);
const isReady = ({ status }: Pod): boolean => status?.conditions?.[0]?.status === 'True';
const nodeOf = ({ spec }: Pod): string | undefined =>
  spec.nodeName ??
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.[0]
    ?.matchFields?.[0]?.values?.[0];
const withReadiness = (pod: Pod, status: string, atMs: number): Pod => ({
  ...pod,
  status: { phase: 'Running', conditions: [{ type: 'Ready', status, lastTransitionTime: formatTime(atMs) }] },
});

describe('a daemon set in a cluster that changes', () => {
  it('never takes more than may be unavailable, deletes only what it has, and comes to rest', () => {
    for (let run = 0; run < 150; run++) {
      const random = createRandomSource(testSeed + run);
      const world = new World(random);
      for (let change = 0; change < 40; change++) {
        world.disturb();
        world.step();
        world.work(1 + random.below(3));
      }
      let steps = 0;
      do world.work(1);
      while (steps++ < 60 && world.step());
      expect(steps, 'comes to rest').to.be.below(60);
      const onNodes = world.pods.filter((pod) =>
        world.nodes.some((node) => node.metadata.name === nodeOf(pod)),
      );
      for (const node of world.nodes) {
        const pods = onNodes.filter((pod) => nodeOf(pod) === node.metadata.name);
        const { shouldRun, mayStay } = placement(node);
        if (shouldRun) {
          expect(pods.map(({ metadata }) => metadata.labels?.['controller-revision-hash'])).to.deep.equal([
            world.hash,
          ]);
        } else expect(pods.length).to.be.most(mayStay ? 1 : 0);
      }
    }
  });
});
