import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PodAction } from '../../../../src/nodeagent/sync/actions.ts';
import type { BackOffs } from '../../../../src/nodeagent/sync/back-off.ts';
import { planPod } from '../../../../src/nodeagent/sync/plan-pod.ts';
import type {
  DesiredPod,
  ObservedContainer,
  ObservedPod,
  ObservedSandbox,
} from '../../../../src/nodeagent/sync/pod-state.ts';

const nowMs = 10_000_000;
const noBackOffs: BackOffs = new Map();

const desired = (overrides: Partial<DesiredPod> = {}): DesiredPod => ({
  uid: 'u',
  name: 'web',
  namespace: 'shop',
  restartPolicy: 'Always',
  usesHostNetwork: false,
  terminationGraceMs: 30_000,
  initContainers: [],
  containers: [{ name: 'c', specHash: 'h' }],
  ...overrides,
});

const sandbox = (overrides: Partial<ObservedSandbox> = {}): ObservedSandbox => ({
  id: 's0',
  attempt: 0,
  state: 'ready',
  createdAtMs: nowMs - 1_000_000,
  usesHostNetwork: false,
  hasAddress: true,
  ...overrides,
});

const container = (overrides: Partial<ObservedContainer> = {}): ObservedContainer => ({
  id: `${overrides.name ?? 'c'}-${overrides.attempt ?? 0}`,
  podSandboxId: 's0',
  name: 'c',
  attempt: 0,
  state: 'running',
  specHash: 'h',
  createdAtMs: nowMs - 900_000,
  finishedAtMs: undefined,
  exitCode: 0,
  health: 'fine',
  ...overrides,
});

const exited = (exitCode: number, overrides: Partial<ObservedContainer> = {}): ObservedContainer =>
  container({ state: 'exited', exitCode, finishedAtMs: nowMs - 1000, ...overrides });

const observed = (
  containers: readonly ObservedContainer[],
  ...sandboxes: ObservedSandbox[]
): ObservedPod => ({
  sandboxes: sandboxes.length === 0 ? [sandbox()] : sandboxes,
  containers,
});

/** An action in one line. */
function lineOf(action: PodAction): string {
  switch (action.kind) {
    case 'stop-pod':
      return `stop pod: ${[...action.stops.map((stop) => stop.containerId), ...action.podSandboxIds].join(' ')}`;
    case 'stop-containers':
      return `stop: ${action.stops.map((stop) => stop.containerId).join(' ')}`;
    case 'create-sandbox':
      return `sandbox ${action.attempt}`;
    case 'start-container':
      return `start ${action.isInit ? 'init ' : ''}${action.name} ${action.attempt} in ${action.podSandboxId ?? 'new'}`;
    case 'remove-container':
      return `remove ${action.containerId}`;
    case 'remove-sandbox':
      return `remove ${action.podSandboxId}`;
  }
}

const inits = { initContainers: ['i', 'j'].map((name) => ({ name, specHash: 'h' })) };
const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const two = { containers: ['c', 'd'].map((name) => ({ name, specHash: 'h' })) };
const lost = sandbox({ state: 'not-ready' });

interface Case {
  readonly pod?: Partial<DesiredPod>;
  readonly seen: ObservedPod;
  readonly lines: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'makes a sandbox and starts all containers of a new pod': {
    pod: two,
    seen: { sandboxes: [], containers: [] },
    lines: ['sandbox 0', 'start c 0 in new', 'start d 0 in new'],
  },
  'begins a new pod with its first init container': {
    pod: inits,
    seen: { sandboxes: [], containers: [] },
    lines: ['sandbox 0', 'start init i 0 in new'],
  },
  'does nothing when everything runs': { seen: observed([container()]), lines: [] },
  'starts what was never started, in the sandbox that is there': {
    pod: two,
    seen: observed([container()]),
    lines: ['start d 0 in s0'],
  },
  'makes an instance again that was created and never started': {
    seen: observed([container({ state: 'created' })]),
    lines: ['remove c-0', 'start c 0 in s0'],
  },
  'waits for an init container that runs': {
    pod: inits,
    seen: observed([container({ name: 'i' })]),
    lines: [],
  },
  'goes on to the next init container': {
    pod: inits,
    seen: observed([exited(0, { name: 'i' })]),
    lines: ['start init j 0 in s0'],
  },
  'starts the containers when the last init container has succeeded': {
    pod: inits,
    seen: observed([exited(0, { name: 'i' }), exited(0, { name: 'j' })]),
    lines: ['start c 0 in s0'],
  },
  'knows from the last init container that the first has succeeded': {
    pod: inits,
    seen: observed([exited(0, { name: 'j' })]),
    lines: ['start c 0 in s0'],
  },
  'knows from a container that the init containers have succeeded': {
    pod: inits,
    seen: observed([container()]),
    lines: [],
  },
  'repeats a failed init container': {
    pod: inits,
    seen: observed([exited(1, { name: 'i' })]),
    lines: ['start init i 1 in s0'],
  },
  'gives a pod up whose init container failed, if it never restarts': {
    pod: { ...inits, ...never },
    seen: observed([exited(1, { name: 'i' })]),
    lines: ['stop pod: s0'],
  },
  'stops an init container in unknown state before it repeats it': {
    pod: inits,
    seen: observed([container({ name: 'i', state: 'unknown' })]),
    lines: ['stop: i-0', 'start init i 1 in s0'],
  },
  'restarts what ended well under Always': { seen: observed([exited(0)]), lines: ['start c 1 in s0'] },
  'restarts what failed under OnFailure': {
    pod: onFailure,
    seen: observed([exited(1)]),
    lines: ['start c 1 in s0'],
  },
  'lets rest what ended well under OnFailure, beside others': {
    pod: { ...onFailure, ...two },
    seen: observed([exited(0), container({ name: 'd' })]),
    lines: [],
  },
  'lets rest what failed under Never, beside others': {
    pod: { ...never, ...two },
    seen: observed([exited(1), container({ name: 'd' })]),
    lines: [],
  },
  'takes the sandbox of a finished pod down': {
    pod: never,
    seen: observed([exited(1)]),
    lines: ['stop pod: s0'],
  },
  'does nothing for a finished pod without its sandbox: Never': {
    pod: never,
    seen: observed([exited(1)], lost),
    lines: [],
  },
  'does nothing for a finished pod without its sandbox: OnFailure': {
    pod: onFailure,
    seen: observed([exited(0)], lost),
    lines: [],
  },
  'begins anew when the sandbox was lost, init containers first': {
    pod: inits,
    seen: observed([exited(0, { name: 'i' }), exited(0, { name: 'j' }), exited(137)], lost),
    lines: ['sandbox 1', 'start init i 1 in new'],
  },
  'takes no notice of init containers in a lost sandbox': {
    pod: inits,
    seen: observed(
      [
        exited(0, { name: 'i' }),
        exited(0, { name: 'j' }),
        container({ name: 'i', attempt: 1, podSandboxId: 's1' }),
      ],
      lost,
      sandbox({ id: 's1', attempt: 1 }),
    ),
    lines: [],
  },
  'restarts after a lost sandbox only what has not succeeded, under OnFailure': {
    pod: { ...onFailure, ...two },
    seen: observed([exited(0), exited(137, { name: 'd' })], lost),
    lines: ['sandbox 1', 'start d 1 in new'],
  },
  'replaces a sandbox that was lost before any container was made, even under Never': {
    pod: never,
    seen: observed([], lost),
    lines: ['sandbox 1', 'start c 0 in new'],
  },
  'stops what is left of a pod before it begins anew': {
    seen: observed([container()], lost),
    lines: ['stop pod: c-0', 'sandbox 1', 'start c 1 in new'],
  },
  'replaces a sandbox without an address': {
    seen: observed([container()], sandbox({ hasAddress: false })),
    lines: ['stop pod: c-0 s0', 'sandbox 1', 'start c 1 in new'],
  },
  "needs no address on the node's network": {
    pod: { usesHostNetwork: true },
    seen: observed([container()], sandbox({ hasAddress: false, usesHostNetwork: true })),
    lines: [],
  },
  'replaces a sandbox on the wrong network': {
    pod: { usesHostNetwork: true },
    seen: observed([container()]),
    lines: ['stop pod: c-0 s0', 'sandbox 1', 'start c 1 in new'],
  },
  'makes one sandbox of two that are ready': {
    seen: observed([container()], sandbox(), sandbox({ id: 's1', attempt: 1 })),
    lines: ['stop pod: c-0 s0 s1', 'sandbox 2', 'start c 1 in new'],
  },
  'replaces a container whose definition changed, even under Never': {
    pod: never,
    seen: observed([container({ specHash: 'old' })]),
    lines: ['stop: c-0', 'start c 1 in s0'],
  },
  'restarts a container that failed its liveness probe': {
    seen: observed([container({ health: 'liveness-failed' })]),
    lines: ['stop: c-0', 'start c 1 in s0'],
  },
  'only stops it under Never': {
    pod: { ...never, ...two },
    seen: observed([container({ health: 'startup-failed' }), container({ name: 'd' })]),
    lines: ['stop: c-0'],
  },
  'ends the pod when that was its last container': {
    pod: never,
    seen: observed([container({ health: 'startup-failed' })]),
    lines: ['stop pod: c-0 s0'],
  },
  'stops a container in unknown state before it starts another': {
    seen: observed([container({ state: 'unknown' })]),
    lines: ['stop: c-0', 'start c 1 in s0'],
  },
  'stops an older instance beside the one that counts': {
    seen: observed([container(), container({ attempt: 1 })]),
    lines: ['stop: c-0'],
  },
  'stops what the pod does not have any more': {
    seen: observed([container(), container({ name: 'gone' })]),
    lines: ['stop: gone-0'],
  },
};

describe('planPod', () => {
  for (const [name, { pod, seen, lines }] of Object.entries(cases)) {
    it(name, () => {
      const plan = planPod({ desired: desired(pod), observed: seen, backOffs: noBackOffs, nowMs });
      expect(plan.actions.map(lineOf)).to.deep.equal(lines);
      expect(plan.waiting).to.deep.equal([]);
    });
  }

  it('says why it stops, and with which grace', () => {
    const stopsOf = (pod: Partial<DesiredPod>, seen: ObservedPod) =>
      planPod({ desired: desired(pod), observed: seen, backOffs: noBackOffs, nowMs }).actions.flatMap(
        (action) => ('stops' in action ? action.stops : []),
      );
    expect(stopsOf({}, observed([container({ specHash: 'old' })]))).to.deep.equal([
      {
        containerId: 'c-0',
        name: 'c',
        graceMs: 30_000,
        message: 'Container c definition changed, will be restarted',
      },
    ]);
    const unhealthy = observed([container({ health: 'liveness-failed' }), container({ name: 'd' })]);
    expect(stopsOf({ ...never, ...two }, unhealthy)[0]?.message).to.equal(
      'Container c failed liveness probe',
    );
  });

  describe('back-off', () => {
    const key = 'c_h';
    /** Ends and restarts a container as soon as it may, each run so long; gives the waits. */
    const waitsOf = (runMs: number, count: number): readonly number[] => {
      let backOffs = noBackOffs;
      let timeMs = nowMs;
      return Array.from({ length: count }, (_, attempt) => {
        const finishedAtMs = timeMs + runMs;
        const seen = observed([exited(1, { attempt, finishedAtMs })]);
        const plan = planPod({ desired: desired(), observed: seen, backOffs, nowMs: finishedAtMs });
        timeMs = plan.waiting[0]?.untilMs ?? finishedAtMs;
        const next = planPod({ desired: desired(), observed: seen, backOffs: plan.backOffs, nowMs: timeMs });
        backOffs = plan.waiting.length === 0 ? plan.backOffs : next.backOffs;
        return timeMs - finishedAtMs;
      });
    };

    it('begins with the second restart and doubles up to five minutes', () => {
      const seconds = waitsOf(100, 8).map((ms) => ms / 1000);
      expect(seconds).to.deep.equal([0, 10, 20, 40, 80, 160, 300, 300]);
    });

    it('begins anew when a container ran for more than ten minutes', () => {
      expect(waitsOf(600_001, 4)).to.deep.equal([0, 0, 0, 0]);
      expect(waitsOf(600_000, 3)).to.deep.equal([0, 10_000, 20_000]);
    });

    it('tells who waits, how long, and until when', () => {
      const backOffs = new Map([[key, { delayMs: 40_000, setAtMs: nowMs - 5000 }]]);
      const plan = planPod({ desired: desired(), observed: observed([exited(1)]), backOffs, nowMs });
      expect(plan.actions).to.deep.equal([]);
      expect(plan.waiting).to.deep.equal([{ name: 'c', delayMs: 40_000, untilMs: nowMs + 39_000 }]);
      expect(plan.backOffs).to.deep.equal(backOffs);
    });

    it('of one container holds no other one back', () => {
      const backOffs = new Map([[key, { delayMs: 40_000, setAtMs: nowMs - 5000 }]]);
      const seen = observed([exited(1), exited(1, { name: 'd' })]);
      const plan = planPod({ desired: desired(two), observed: seen, backOffs, nowMs });
      expect(plan.actions.map(lineOf)).to.deep.equal(['start d 1 in s0']);
      expect(plan.waiting.map(({ name }) => name)).to.deep.equal(['c']);
    });

    it('ends with a new definition, and is forgotten', () => {
      const backOffs = new Map([[key, { delayMs: 40_000, setAtMs: nowMs - 5000 }]]);
      const changed = desired({ containers: [{ name: 'c', specHash: 'new' }] });
      const plan = planPod({ desired: changed, observed: observed([exited(1)]), backOffs, nowMs });
      expect(plan.actions.map(lineOf)).to.deep.equal(['start c 1 in s0']);
      expect([...plan.backOffs.keys()]).to.deep.equal(['c_new']);
    });

    it('holds back init containers too', () => {
      const backOffs = new Map([['i_h', { delayMs: 10_000, setAtMs: nowMs - 2000 }]]);
      const seen = observed([exited(1, { name: 'i' })]);
      const plan = planPod({ desired: desired(inits), observed: seen, backOffs, nowMs });
      expect([plan.actions.length, plan.waiting[0]?.untilMs]).to.deep.equal([0, nowMs + 9000]);
    });
  });
});
