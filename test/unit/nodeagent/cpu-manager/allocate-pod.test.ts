import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  allocatePod,
  type CpuPolicy,
  podCpuHints,
} from '../../../../src/nodeagent/cpu-manager/allocate-pod.ts';
import { chooseReserved } from '../../../../src/nodeagent/cpu-manager/choose-reserved.ts';
import { formatCpuSet } from '../../../../src/nodeagent/cpu-manager/cpu-set.ts';
import { type CpuState, cpusOf, releaseCpus } from '../../../../src/nodeagent/cpu-manager/cpu-state.ts';
import { findStateProblem, freshState } from '../../../../src/nodeagent/cpu-manager/open-cpu-state.ts';
import { containerOf, dualSocket, machineOf, podOf, singleSocket } from './subject.ts';

const policyOf = (more: Partial<CpuPolicy> = {}): CpuPolicy => ({
  topology: dualSocket,
  reserved: new Set([0]),
  alignment: 'none',
  scope: 'container',
  ...more,
});

/** The sets of all containers, or the reason of the refusal. */
function run(pods: readonly Pod[], policy: CpuPolicy, from = freshState(policy)): Record<string, string> {
  let state = from;
  for (const pod of pods) {
    const result = allocatePod(pod, state, policy);
    if (result.kind === 'refused') return { refused: result.reason };
    state = result.state;
  }
  return show(state);
}

const show = ({ own, shared }: CpuState): Record<string, string> =>
  Object.fromEntries([
    ...[...own].flatMap(([uid, sets]) =>
      [...sets].map(([name, cpus]) => [`${uid}/${name}`, formatCpuSet(cpus)]),
    ),
    ['shared', formatCpuSet(shared)],
  ]);

const simple = (uid: string, ...cpus: readonly string[]): Pod =>
  podOf(
    uid,
    cpus.map((cpu, index) => containerOf(`c${index}`, cpu)),
  );

describe('allocatePod', () => {
  it('gives whole requests of guaranteed pods their own, and leaves the rest to all others', () => {
    const policy = policyOf({ topology: singleSocket });
    expect(run([simple('a', '2'), simple('b', '1', '1')], policy)).to.deep.equal({
      'a/c0': '1,5',
      'b/c0': '4',
      'b/c1': '2',
      shared: '0,3,6-7',
    });
  });

  const none: [string, Pod][] = [
    ['a part of a processor', simple('a', '1500m')],
    ['pods that may use more than they ask for', podOf('a', [containerOf('c', '2', '1')])],
    ['pods that ask for nothing', podOf('a', [{ name: 'c', image: 'a', resources: {} }])],
  ];
  for (const [what, pod] of none) {
    it(`gives nothing to ${what}`, () => expect(run([pod], policyOf())).to.deep.equal({ shared: '0-11' }));
  }

  it('counts what containers of a pod ask for one by one', () => {
    expect(run([simple('a', '1500m', '1')], policyOf())).to.deep.equal({ 'a/c1': '6', shared: '0-5,7-11' });
  });

  it('refuses a pod that asks for more than is left, in the words of release 1.20, and keeps the state', () => {
    const policy = policyOf();
    expect(run([simple('a', '11')], policy)).to.deep.equal({ 'a/c0': '1-11', shared: '0' });
    expect(allocatePod(simple('a', '10', '2'), freshState(policy), policy)).to.deep.equal({
      kind: 'refused',
      reason: 'UnexpectedAdmissionError',
      message: 'Allocate failed due to not enough cpus available to satisfy request, which is unexpected',
    });
  });

  it('lets containers use again what init containers had', () => {
    const init = [containerOf('i0', '2'), containerOf('i1', '4')];
    const pod = podOf('a', [containerOf('c0', '2'), containerOf('c1', '2')], init);
    expect(run([pod], policyOf({ topology: singleSocket }))).to.deep.equal({
      'a/i0': '1,5',
      'a/i1': '1-2,5-6',
      'a/c0': '1,5',
      'a/c1': '2,6',
      shared: '0,3-4,7',
    });
  });

  it('changes nothing for a pod that has its CPUs', () => {
    const policy = policyOf({ alignment: 'restricted' });
    const first = allocatePod(simple('a', '2'), freshState(policy), policy);
    if (first.kind === 'refused') throw new Error(first.message);
    const again = allocatePod(simple('a', '2'), first.state, policy);
    expect(again).to.deep.equal(first);
    expect(again.kind === 'allocated' && again.state).to.equal(first.state);
  });

  describe('aligned to NUMA nodes', () => {
    /** 4 CPUs are taken of node 0 (beside the reserved one), none of node 1. */
    const filled = simple('first', '4');
    const pods: Record<string, Pod> = {
      small: simple('a', '2'),
      wide: simple('a', '7'),
      two: simple('a', '4', '4'),
      fraction: simple('a', '500m'),
    };
    const cases: [CpuPolicy['alignment'], CpuPolicy['scope'], string, Record<string, string>][] = [
      ['none', 'container', 'small', { 'a/c0': '3,9' }],
      ['best-effort', 'container', 'small', { 'a/c0': '3,9' }],
      ['restricted', 'container', 'small', { 'a/c0': '3,9' }],
      ['single-numa-node', 'container', 'small', { 'a/c0': '3,9' }],
      ['best-effort', 'container', 'wide', { 'a/c0': '3-6,9-11' }],
      ['restricted', 'container', 'wide', { 'a/c0': '3-6,9-11' }],
      ['single-numa-node', 'container', 'wide', { refused: 'TopologyAffinityError' }],
      ['none', 'container', 'two', { refused: 'UnexpectedAdmissionError' }],
      ['best-effort', 'container', 'two', { refused: 'UnexpectedAdmissionError' }],
      ['restricted', 'container', 'two', { refused: 'TopologyAffinityError' }],
      ['single-numa-node', 'pod', 'two', { refused: 'TopologyAffinityError' }],
      ['single-numa-node', 'container', 'fraction', {}],
      ['restricted', 'pod', 'fraction', {}],
    ];
    for (const [alignment, scope, name, expected] of cases) {
      it(`${alignment} by ${scope}: ${name} is ${Object.values(expected)[0] ?? 'let in'}`, () => {
        const result = run([filled, pods[name] ?? filled], policyOf({ alignment, scope }));
        expect(result).to.include(expected);
      });
    }

    it('by pod, one node holds all containers; by container, each may have another', () => {
      const pod = simple('a', '3', '3');
      const wide = policyOf({ alignment: 'single-numa-node', reserved: new Set([0, 3]) });
      expect(run([pod], wide)).to.deep.equal({ 'a/c0': '1,6-7', 'a/c1': '4,9-10', shared: '0,2-3,5,8,11' });
      expect(run([pod], { ...wide, scope: 'pod' })).to.deep.equal({ refused: 'TopologyAffinityError' });
      expect(run([simple('a', '2', '3')], { ...wide, scope: 'pod' })).to.include({ 'a/c1': '2,6,8' });
    });

    it('knows a node that has become too small, and a pod that asks for other amounts than it was given', () => {
      const restricted = policyOf({ alignment: 'restricted' });
      const both = [simple('x', '3'), simple('y', '4')];
      expect(run([...both, simple('a', '3')], restricted)).to.deep.equal({
        refused: 'TopologyAffinityError',
      });
      expect(run([...both, simple('a', '3')], policyOf({ alignment: 'best-effort' }))).to.have.property(
        'a/c0',
      );
      expect(run([simple('a', '2'), simple('a', '3')], restricted)).to.deep.equal({
        refused: 'TopologyAffinityError',
      });
    });

    it('says so in the words of release 1.20', () => {
      const policy = policyOf({ alignment: 'single-numa-node' });
      expect(allocatePod(simple('a', '7'), freshState(policy), policy)).to.deep.equal({
        kind: 'refused',
        reason: 'TopologyAffinityError',
        message: 'Resources cannot be allocated with Topology locality',
      });
    });
  });

  describe('beside other resources', () => {
    const second = { nodes: 0b10, isPreferred: true };
    const given = (
      hints: Parameters<typeof allocatePod>[3],
      alignment: CpuPolicy['alignment'] = 'restricted',
    ) => {
      const policy = policyOf({ alignment });
      const result = allocatePod(simple('a', '2'), freshState(policy), policy, hints);
      return result.kind === 'refused' ? result.reason : show(result.state)['a/c0'];
    };

    it('takes CPUs from the nodes that serve all of them', () => {
      expect(given(() => [])).to.equal('1,7');
      expect(given(() => [[second]])).to.equal('3,9');
      expect(given(() => [[{ nodes: 0b11, isPreferred: false }, second], undefined])).to.equal('3,9');
    });

    it('refuses a pod for which there are none together, as far as the policy wants that', () => {
      expect(given(() => [[]])).to.equal('TopologyAffinityError');
      expect(given(() => [[]], 'best-effort')).to.match(/^\d/);
      expect(given(() => [[second]], 'none')).to.equal('1,7');
    });

    it('tells what it could have for itself, without giving it', () => {
      const policy = policyOf({ alignment: 'restricted' });
      const about = { state: freshState(policy), policy };
      const pod = simple('a', '2', '4');
      const [small, large] = pod.spec.containers ?? [];
      const nodesOf = (container: typeof small) =>
        podCpuHints(pod, container, about)?.map(
          ({ nodes, isPreferred }) => `${nodes}${isPreferred ? '!' : ''}`,
        );
      expect(nodesOf(small)).to.deep.equal(['1!', '2!', '3']);
      expect(nodesOf(large)).to.deep.equal(['1!', '2!', '3']);
      expect(nodesOf(undefined), 'both').to.deep.equal(['2!', '3']);
      expect(podCpuHints(simple('b', '1500m'), undefined, about)).to.equal(undefined);
    });
  });

  it('never gives a CPU to two pods, or a reserved one to any, and gets all back', () => {
    const step = fc.record({
      uid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      cpus: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
      init: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 2 }),
      isRemoval: fc.boolean(),
    });
    const alignment = fc.constantFrom('none', 'best-effort', 'restricted', 'single-numa-node');
    const scope = fc.constantFrom('container', 'pod');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), alignment, scope, (steps, how, by) => {
        const topology = machineOf({ sockets: 2, coresPerSocket: 4, threadsPerCore: 2, nodesPerSocket: 2 });
        const policy = policyOf({ topology, alignment: how, scope: by, reserved: new Set([0, 8]) });
        let state = freshState(policy);
        for (const { uid, cpus, init, isRemoval } of steps) {
          state = releaseCpus(state, (each) => each !== uid);
          if (isRemoval) continue;
          const listOf = (name: string, counts: readonly number[]) =>
            counts.map((count, index) => containerOf(`${name}${index}`, `${count || '500m'}`));
          const result = allocatePod(podOf(uid, listOf('c', cpus), listOf('i', init)), state, policy);
          if (result.kind === 'refused') continue;
          state = result.state;
          cpus.forEach((count, index) => {
            if (count > 0) expect(cpusOf(state, uid, `c${index}`).size).to.equal(count);
            else expect(cpusOf(state, uid, `c${index}`)).to.equal(state.shared);
          });
          expect(findStateProblem(state, policy)).to.equal(undefined);
          expectApart(state);
        }
        expect(releaseCpus(state, () => false).shared.size).to.equal(16);
      }),
      { numRuns: 200 },
    );
  });
});

/** Containers that run at the same time share nothing; pods never do. */
function expectApart({ own }: CpuState): void {
  const seen = new Set<number>();
  for (const sets of own.values()) {
    const running = [...sets].filter(([name]) => name.startsWith('c')).map(([, cpus]) => cpus);
    const together = running.reduce((sum, cpus) => sum + cpus.size, 0);
    expect(running.reduce((union, cpus) => union.union(cpus), new Set<number>()).size).to.equal(together);
    const all = [...sets.values()].reduce((union, cpus) => union.union(cpus), new Set<number>());
    expect(all.isDisjointFrom(seen)).to.equal(true);
    for (const cpu of all) seen.add(cpu);
  }
}

describe('chooseReserved', () => {
  const cases: [string, number[], number, string][] = [
    ['the given processors', [3, 5], 9000, '3,5'],
    ['whole low cores for an amount', [], 2000, '0,4'],
    ['a whole processor for a part of one', [], 500, '0'],
    ['one more for what is left of an amount', [], 2001, '0-1,4'],
  ];
  for (const [what, ids, cpuMillis, expected] of cases) {
    it(`is ${what}`, () => {
      const { cpus, problem } = {
        problem: undefined,
        cpus: undefined,
        ...chooseReserved(singleSocket, { ids, cpuMillis }),
      };
      expect([cpus && formatCpuSet(cpus), problem]).to.deep.equal([expected, undefined]);
    });
  }

  it('is nothing when there are not so many', () => {
    expect(chooseReserved(singleSocket, { ids: [], cpuMillis: 8001 })).to.deep.equal({
      problem: '[cpumanager] unable to reserve the required amount of CPUs (size of  did not equal 9)',
    });
  });
});
