import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import type { PodAction } from '../../../../src/nodeagent/sync/actions.ts';
import { decidePod, type PodDecision } from '../../../../src/nodeagent/sync/decide-pod.ts';
import { toDesiredPod } from '../../../../src/nodeagent/sync/desired-pod.ts';
import type { RuntimeView } from '../../../../src/nodeagent/sync/observe-pod.ts';
import { planRemoval } from '../../../../src/nodeagent/sync/plan-end.ts';
import { planGarbage } from '../../../../src/nodeagent/sync/plan-garbage.ts';
import { emptyMemory, type PodMemory } from '../../../../src/nodeagent/sync/pod-input.ts';
import type { ContainerHealth, DesiredPod, ObservedPod } from '../../../../src/nodeagent/sync/pod-state.ts';
import { recordStart } from '../../../../src/nodeagent/sync/start-failures.ts';
import { containerOf, hashAnnotation, inputOf, instanceOf, podOf, sandboxOf } from './pod-input.ts';
import { SimulatedRuntime } from './simulated-runtime.ts';

/** What happens to a pod; numbers choose a victim, whatever their size. */
type Disturbance =
  | { readonly kind: 'sync'; readonly diesAfter: number }
  | { readonly kind: 'exit'; readonly victim: number; readonly exitCode: number }
  | { readonly kind: 'health'; readonly victim: number; readonly health: ContainerHealth }
  | { readonly kind: 'lose-sandbox' }
  | { readonly kind: 'change'; readonly victim: number }
  | { readonly kind: 'break-image'; readonly victim: number }
  | { readonly kind: 'mend-images' }
  | { readonly kind: 'pass-time'; readonly ms: number }
  | { readonly kind: 'collect' };

const victim = fc.nat(9);
const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  // The agent is killed in the middle of a plan, or goes on when it has done all of it.
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sync'), diesAfter: fc.nat(6) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('exit'), victim, exitCode: fc.constantFrom(0, 1) }) },
  fc.record({
    kind: fc.constant('health'),
    victim,
    health: fc.constantFrom<ContainerHealth>('liveness-failed', 'startup-failed'),
  }),
  fc.record({ kind: fc.constant('lose-sandbox') }),
  fc.record({ kind: fc.constant('change'), victim }),
  fc.record({ kind: fc.constant('break-image'), victim }),
  fc.record({ kind: fc.constant('mend-images') }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass-time'), ms: fc.nat(400_000) }) },
  fc.record({ kind: fc.constant('collect') }),
);

const anyPod = fc
  .record({
    restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
    initCount: fc.nat(2),
    count: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ restartPolicy, initCount, count }) => {
    const named = (prefix: string, length: number) =>
      Array.from({ length }, (_, index) =>
        containerOf(`${prefix}${index}`, { image: `${prefix}${index}:1` }),
      );
    return podOf({ restartPolicy, initContainers: named('init', initCount), containers: named('c', count) });
  });

function viewOf({ sandboxes, containers }: ObservedPod): RuntimeView {
  return {
    sandboxes: sandboxes.map(({ id, attempt, state, createdAtMs }) => {
      return sandboxOf({
        id,
        state,
        createdAtMs,
        metadata: { name: 'web', namespace: 'default', uid: 'u1', attempt },
      });
    }),
    containers: containers.map(({ podSandboxId, name, attempt, specHash, health: _, ...more }) => {
      const { status } = instanceOf(name, attempt, more);
      return { podSandboxId, status: { ...status, annotations: { [hashAnnotation]: specHash } } };
    }),
  };
}

/** The crash-loop back-offs that would be if no agent ever forgot them. */
class BackOffLaw {
  readonly #byKey = new Map<string, { readonly delayMs: number; readonly setAtMs: number }>();

  /** Notes a start. @throws Error when it comes before its back-off has passed. */
  note(name: string, pod: DesiredPod, before: ObservedPod, nowMs: number): void {
    const specHash = [...pod.initContainers, ...pod.containers].find((each) => each.name === name)?.specHash;
    const ended = before.containers
      .filter((each) => each.name === name && each.state === 'exited')
      .toSorted((a, b) => b.attempt - a.attempt)[0];
    if (ended?.finishedAtMs === undefined) return;
    const law = this.#byKey.get(`${name} ${specHash}`);
    const holds = law !== undefined && ended.finishedAtMs - law.setAtMs <= 600_000;
    if (holds && nowMs < ended.finishedAtMs + law.delayMs) {
      throw new Error(`${name} starts ${nowMs - ended.finishedAtMs} ms after its end, not ${law.delayMs}`);
    }
    const delayMs = holds ? Math.min(300_000, law.delayMs * 2) : 10_000;
    this.#byKey.set(`${name} ${specHash}`, { delayMs, setAtMs: nowMs });
  }
}

/** An agent of one pod over a simulated runtime that may be killed at any action. */
class Agent {
  readonly runtime = new SimulatedRuntime();
  readonly #law = new BackOffLaw();
  readonly #broken = new Set<string>();
  pod: Pod;
  memory: PodMemory = emptyMemory;

  constructor(pod: Pod) {
    this.pod = pod;
  }

  /** Decides and acts. Forgets all when there are more actions than it lives for. */
  sync(diesAfter = Number.POSITIVE_INFINITY): PodDecision {
    const { nowMs } = this.runtime;
    const before = this.runtime.observe();
    const health = new Map(before.containers.map((each) => [each.id, each.health]));
    const decision = decidePod(
      inputOf({
        pod: this.pod,
        view: viewOf(before),
        memory: this.memory,
        nowMs,
        probesOf: (id) => ({ health: health.get(id) ?? 'fine', isStarted: true, isReady: true }),
      }),
    );
    this.memory = decision.memory;
    for (const action of decision.actions.slice(0, diesAfter)) if (!this.#act(action, before)) break;
    if (decision.actions.length > diesAfter) this.memory = emptyMemory;
    return decision;
  }

  perform(actions: readonly PodAction[]): void {
    for (const action of actions) this.runtime.perform(action, toDesiredPod(this.pod));
  }

  disturb(event: Disturbance): void {
    const { runtime } = this;
    runtime.nowMs += 1000;
    const running = runtime.containers.filter(({ state }) => state === 'running');
    const chosen = 'victim' in event ? running[event.victim % Math.max(1, running.length)] : undefined;
    switch (event.kind) {
      case 'sync':
        this.sync(event.diesAfter);
        return;
      case 'exit':
        if (chosen !== undefined) runtime.end(chosen, event.exitCode);
        return;
      case 'health':
        if (chosen !== undefined) chosen.health = event.health;
        return;
      case 'lose-sandbox':
        for (const sandbox of runtime.sandboxes) if (sandbox.state === 'ready') runtime.loseSandbox(sandbox);
        return;
      case 'change':
        this.#change(event.victim);
        return;
      case 'break-image':
        this.#broken.add(`c${event.victim % 3}`);
        return;
      case 'mend-images':
        this.#broken.clear();
        return;
      case 'pass-time':
        runtime.nowMs += event.ms;
        return;
      case 'collect':
        this.perform(
          planGarbage(runtime.observe(), { keepPerContainer: 1, minAgeMs: 0, nowMs: runtime.nowMs }),
        );
        return;
    }
  }

  /** Lets init containers succeed and containers run, until nothing is left to do. @throws Error if that never is. */
  settle(): PodDecision {
    this.#broken.clear();
    for (let round = 0; round < 100; round++) {
      const decision = this.sync();
      const initializing = this.runtime.containers.find(
        ({ name, state }) => name.startsWith('init') && state === 'running',
      );
      if (initializing !== undefined) this.runtime.end(initializing, 0);
      else if (decision.actions.length === 0) {
        if (decision.syncAtMs === undefined) return decision;
        this.runtime.nowMs = decision.syncAtMs;
        continue;
      }
      this.runtime.nowMs += 1;
    }
    throw new Error('the pod does not settle');
  }

  /** Does one action; false when it failed. */
  #act(action: PodAction, before: ObservedPod): boolean {
    const desired = toDesiredPod(this.pod);
    if (action.kind !== 'start-container') {
      this.runtime.perform(action, desired);
      return true;
    }
    const { nowMs } = this.runtime;
    const { name } = action;
    const all = [...desired.initContainers, ...desired.containers];
    const start = {
      name,
      specHash: all.find((each) => each.name === name)?.specHash ?? '',
      image: name,
      nowMs,
    };
    if (this.#broken.has(name)) {
      const failure = { reason: 'ErrImagePull', message: 'no such host' };
      this.memory = recordStart(this.memory, { ...start, failure });
      return false;
    }
    this.#law.note(name, desired, before, nowMs);
    this.runtime.perform(action, desired);
    this.memory = recordStart(this.memory, start);
    return true;
  }

  #change(index: number): void {
    const containers = this.pod.spec.containers ?? [];
    const changed = containers.map((each, at) =>
      at === index % containers.length ? { ...each, image: `${each.image}x` } : each,
    );
    this.pod = { ...this.pod, spec: { ...this.pod.spec, containers: changed } };
  }
}

describe('decidePod over a simulated runtime, with an agent that dies at any action', () => {
  it('reaches what the pod wants, keeps its order and its back-offs on the way, and says so', () => {
    const property = fc.property(anyPod, fc.array(disturbance, { maxLength: 40 }), (pod, events) => {
      const agent = new Agent(pod);
      for (const event of events) agent.disturb(event);
      const { memory, hasEnded } = agent.settle();
      const desired = toDesiredPod(agent.pod).containers;
      const running = agent.runtime.running();
      for (const { name, specHash } of running) {
        expect(desired).to.deep.include({ name, specHash });
      }
      const { phase } = memory.status ?? {};
      const ready = memory.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      expect(hasEnded).to.equal(phase === 'Succeeded' || phase === 'Failed');
      if (pod.spec.restartPolicy === 'Always') {
        expect(running.map(({ name }) => name).sort()).to.deep.equal(desired.map(({ name }) => name));
        expect([phase, ready]).to.deep.equal(['Running', 'True']);
      }
      if (pod.spec.restartPolicy === 'OnFailure') expect(phase).to.be.oneOf(['Running', 'Succeeded']);
      if (hasEnded) expect(running).to.deep.equal([]);
      expect(agent.runtime.readySandboxes()).to.have.length(running.length > 0 ? 1 : 0);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('ends a deleted pod and leaves nothing of it', () => {
    const property = fc.property(anyPod, fc.array(disturbance, { maxLength: 30 }), (pod, events) => {
      const agent = new Agent(pod);
      for (const event of events) agent.disturb(event);
      const metadata = { ...agent.pod.metadata, deletionTimestamp: '2026-01-01T00:00:30Z' };
      agent.pod = { ...agent.pod, metadata };
      agent.sync(0);
      agent.sync();
      expect(agent.sync()).to.deep.include({ actions: [], hasEnded: true });
      agent.perform(planRemoval(agent.runtime.observe(), { graceMs: 0 }));
      expect(agent.runtime.observe()).to.deep.equal({ sandboxes: [], containers: [] });
    });
    fc.assert(property, { numRuns: 150 });
  });
});
