import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { PodAction } from '../../../../src/nodeagent/sync/actions.ts';
import type { BackOffs } from '../../../../src/nodeagent/sync/back-off.ts';
import { planRemoval, planStop } from '../../../../src/nodeagent/sync/plan-end.ts';
import { planGarbage } from '../../../../src/nodeagent/sync/plan-garbage.ts';
import { planPod } from '../../../../src/nodeagent/sync/plan-pod.ts';
import type { DesiredPod } from '../../../../src/nodeagent/sync/pod-state.ts';
import { SimulatedRuntime } from './simulated-runtime.ts';

/** What happens to a pod; numbers choose a victim, whatever their size. */
type Disturbance =
  | { readonly kind: 'sync'; readonly failsAfter: number }
  | { readonly kind: 'exit'; readonly victim: number; readonly exitCode: number }
  | { readonly kind: 'state'; readonly victim: number; readonly state: 'unknown' | 'created' }
  | { readonly kind: 'unhealthy'; readonly victim: number }
  | { readonly kind: 'lose-sandbox'; readonly victim: number }
  | { readonly kind: 'change'; readonly victim: number }
  | { readonly kind: 'pass-time'; readonly ms: number }
  | { readonly kind: 'collect'; readonly keepPerContainer: number }
  | { readonly kind: 'restart-agent' };

const victim = fc.nat(20);
const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sync'), failsAfter: fc.nat(6) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('exit'), victim, exitCode: fc.constantFrom(0, 1) }),
  },
  fc.record({ kind: fc.constant('state'), victim, state: fc.constantFrom('unknown', 'created') }),
  fc.record({ kind: fc.constant('unhealthy'), victim }),
  fc.record({ kind: fc.constant('lose-sandbox'), victim }),
  fc.record({ kind: fc.constant('change'), victim }),
  fc.record({ kind: fc.constant('pass-time'), ms: fc.nat(400_000) }),
  fc.record({ kind: fc.constant('collect'), keepPerContainer: fc.integer({ min: -1, max: 2 }) }),
  fc.record({ kind: fc.constant('restart-agent') }),
);

const podOf = (
  restartPolicy: DesiredPod['restartPolicy'],
  initCount: number,
  count: number,
  usesHostNetwork: boolean,
): DesiredPod => {
  const named = (prefix: string, length: number) =>
    Array.from({ length }, (_, index) => ({ name: `${prefix}${index}`, specHash: 'h0' }));
  return {
    uid: 'u',
    name: 'pod',
    namespace: 'test',
    restartPolicy,
    usesHostNetwork,
    terminationGraceMs: 30_000,
    initContainers: named('init', initCount),
    containers: named('c', count),
  };
};

const anyPod = fc
  .tuple(
    fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const),
    fc.nat(3),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
  )
  .map((parts) => podOf(...parts));

/** An agent of one pod over a simulated runtime. */
class Agent {
  readonly runtime = new SimulatedRuntime();
  pod: DesiredPod;
  backOffs: BackOffs = new Map();

  constructor(pod: DesiredPod) {
    this.pod = pod;
  }

  /** Plans once and does at most so many actions. Gives what was planned. */
  sync(failsAfter = Number.POSITIVE_INFINITY): { readonly planned: number; readonly waitsUntilMs: number } {
    const observed = this.runtime.observe();
    const { nowMs } = this.runtime;
    const plan = planPod({ desired: this.pod, observed, backOffs: this.backOffs, nowMs });
    this.backOffs = plan.backOffs;
    this.perform(plan.actions.slice(0, failsAfter));
    const waitsUntilMs = Math.min(...plan.waiting.map(({ untilMs }) => untilMs));
    return { planned: plan.actions.length, waitsUntilMs };
  }

  perform(actions: readonly PodAction[]): void {
    for (const action of actions) this.runtime.perform(action, this.pod);
  }

  disturb(event: Disturbance): void {
    const { runtime } = this;
    runtime.nowMs += 1000;
    switch (event.kind) {
      case 'sync':
        this.sync(event.failsAfter);
        return;
      case 'exit':
        this.#onRunning(event.victim, (each) => runtime.end(each, event.exitCode));
        return;
      case 'state':
        this.#onRunning(event.victim, (each) => {
          each.state = event.state;
        });
        return;
      case 'unhealthy':
        this.#onRunning(event.victim, (each) => {
          each.health = 'liveness-failed';
        });
        return;
      case 'lose-sandbox': {
        const sandbox = runtime.sandboxes[event.victim % Math.max(1, runtime.sandboxes.length)];
        if (sandbox !== undefined) runtime.loseSandbox(sandbox);
        return;
      }
      case 'change':
        this.#change(event.victim);
        return;
      case 'pass-time':
        runtime.nowMs += event.ms;
        return;
      case 'collect': {
        const { nowMs } = runtime;
        const { keepPerContainer } = event;
        this.perform(planGarbage(runtime.observe(), { keepPerContainer, minAgeMs: 0, nowMs }));
        return;
      }
      case 'restart-agent':
        this.backOffs = new Map();
        return;
    }
  }

  /** Lets init containers succeed and containers run, until there is nothing left to do. @throws Error if that never is. */
  settle(): void {
    for (let round = 0; round < 100; round++) {
      const { planned, waitsUntilMs } = this.sync();
      const initializing = this.runtime.running().find(({ name }) => name.startsWith('init'));
      const running = this.runtime.containers.find(({ id }) => id === initializing?.id);
      if (running !== undefined) this.runtime.end(running, 0);
      else if (Number.isFinite(waitsUntilMs)) this.runtime.nowMs = waitsUntilMs;
      else if (planned === 0) return;
      this.runtime.nowMs += 1;
    }
    throw new Error('the pod does not settle');
  }

  #onRunning(index: number, act: (container: SimulatedRuntime['containers'][number]) => void): void {
    const running = this.runtime.containers.filter(({ state }) => state === 'running');
    const chosen = running[index % Math.max(1, running.length)];
    if (chosen !== undefined) act(chosen);
  }

  #change(index: number): void {
    const { containers } = this.pod;
    const changed = containers.map((each, at) =>
      at === index % containers.length ? { ...each, specHash: `${each.specHash}x` } : each,
    );
    this.pod = { ...this.pod, containers: changed };
  }
}

/** How each container ended last, or that it runs. */
function lastStates(agent: Agent): Map<string, string> {
  const newest = new Map<string, { readonly attempt: number; readonly text: string }>();
  for (const { name, attempt, state, exitCode } of agent.runtime.containers) {
    if ((newest.get(name)?.attempt ?? -1) >= attempt) continue;
    newest.set(name, { attempt, text: state === 'exited' ? `exited ${exitCode}` : state });
  }
  return new Map([...newest].map(([name, { text }]) => [name, text]));
}

describe('planPod over a simulated runtime', () => {
  it('always reaches what the pod wants, and never breaks its order on the way', () => {
    const property = fc.property(anyPod, fc.array(disturbance, { maxLength: 40 }), (pod, events) => {
      const agent = new Agent(pod);
      for (const event of events) agent.disturb(event);
      agent.settle();
      const states = lastStates(agent);
      const running = agent.runtime.running();
      const desired = agent.pod.containers;
      switch (pod.restartPolicy) {
        case 'Always':
          expect(running.map(({ name }) => name).sort()).to.deep.equal(desired.map(({ name }) => name));
          break;
        case 'OnFailure':
          for (const { name } of desired) expect(states.get(name)).to.be.oneOf(['running', 'exited 0']);
          break;
        case 'Never':
          expect(running.every(({ name }) => name.startsWith('c'))).to.equal(true);
          break;
      }
      for (const { name, specHash } of running)
        expect(specHash).to.equal(desired.find((each) => each.name === name)?.specHash);
      expect(agent.runtime.readySandboxes()).to.have.length(running.length > 0 ? 1 : 0);
    });
    fc.assert(property, { numRuns: 400 });
  });

  it('runs each container of a pod that never restarts at most once, unless it was changed', () => {
    const calm = disturbance.filter(({ kind }) => kind !== 'change' && kind !== 'state');
    const property = fc.property(fc.nat(2), fc.array(calm, { maxLength: 40 }), (initCount, events) => {
      const agent = new Agent(podOf('Never', initCount, 2, false));
      for (const event of events) agent.disturb(event);
      agent.settle();
      const attempts = agent.runtime.containers.map(({ attempt }) => attempt);
      expect(Math.max(0, ...attempts)).to.equal(0);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('is followed by an end that leaves nothing running, and a removal that leaves nothing', () => {
    const property = fc.property(anyPod, fc.array(disturbance, { maxLength: 30 }), (pod, events) => {
      const agent = new Agent(pod);
      for (const event of events) agent.disturb(event);
      agent.perform(planStop(agent.runtime.observe(), { graceMs: 1000 }));
      expect(agent.runtime.running()).to.deep.equal([]);
      expect(agent.runtime.readySandboxes()).to.deep.equal([]);
      expect(planStop(agent.runtime.observe(), { graceMs: 1000 })).to.deep.equal([]);
      agent.perform(planRemoval(agent.runtime.observe(), { graceMs: 1000 }));
      expect(agent.runtime.observe()).to.deep.equal({ sandboxes: [], containers: [] });
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('leaves only what garbage collection keeps', () => {
    const property = fc.property(anyPod, fc.array(disturbance, { maxLength: 40 }), (pod, events) => {
      const agent = new Agent(pod);
      for (const event of events) agent.disturb(event);
      agent.settle();
      const { nowMs } = agent.runtime;
      for (let round = 0; round < 2; round++) {
        const options = { keepPerContainer: 1, minAgeMs: 0, nowMs };
        agent.perform(planGarbage(agent.runtime.observe(), options));
      }
      const dead = agent.runtime.containers.filter(({ state }) => state === 'exited');
      for (const [, group] of Map.groupBy(dead, ({ name }) => name)) expect(group).to.have.length(1);
      agent.settle();
      const { sandboxes, containers } = agent.runtime;
      const useless = sandboxes.filter(
        ({ id }) => !containers.some(({ podSandboxId }) => podSandboxId === id),
      );
      expect(useless.length).to.be.at.most(1);
    });
    fc.assert(property, { numRuns: 200 });
  });
});
