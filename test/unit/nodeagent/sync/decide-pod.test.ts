import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PodSpec } from '../../../../src/apis/types/core-v1.ts';
import type { PodAction } from '../../../../src/nodeagent/sync/actions.ts';
import { decidePod } from '../../../../src/nodeagent/sync/decide-pod.ts';
import type { PodInput, ProbeResults } from '../../../../src/nodeagent/sync/pod-input.ts';
import { recordStart } from '../../../../src/nodeagent/sync/start-failures.ts';
import {
  containerOf,
  endedOf,
  failureOf,
  inputOf,
  instanceOf,
  memoryOf,
  nowMs,
  nowText,
  podOf,
  sandboxOf,
} from './pod-input.ts';

/** An action in one line. */
function lineOf(action: PodAction): string {
  const stopsOf = (stops: readonly { readonly containerId: string; readonly graceMs: number }[]) =>
    stops.map(({ containerId, graceMs }) => `${containerId} in ${graceMs / 1000}s`).join(', ');
  switch (action.kind) {
    case 'stop-pod':
      return `end ${[stopsOf(action.stops), ...action.podSandboxIds].filter((text) => text !== '').join(', ')}`;
    case 'stop-containers':
      return `stop ${stopsOf(action.stops)}`;
    case 'create-sandbox':
      return `sandbox ${action.attempt}`;
    case 'start-container':
      return `start ${action.name} ${action.attempt}`;
    case 'remove-container':
      return `remove ${action.containerId}`;
    case 'remove-sandbox':
      return `remove ${action.podSandboxId}`;
  }
}

const viewOf = (...containers: PodInput['view']['containers']): PodInput['view'] => ({
  sandboxes: [sandboxOf()],
  containers,
});
const empty: PodInput['view'] = { sandboxes: [], containers: [] };
const probes = (more: Partial<ProbeResults>) => () =>
  ({ health: 'fine', isStarted: true, isReady: true, ...more }) as const;
const spec = (more: Partial<PodSpec>) => ({ pod: podOf(more) });
const deleted = (more: Partial<PodSpec> = {}, deletionGracePeriodSeconds?: number) => ({
  pod: podOf(more, { deletionTimestamp: nowText, deletionGracePeriodSeconds }),
});
const failing = (more: Parameters<typeof failureOf>[0]) =>
  memoryOf({ failures: new Map([['c', failureOf(more)]]) });
const since = (seconds: number) =>
  memoryOf({ status: { startTime: new Date(nowMs - seconds * 1000).toISOString() } });
const init = { initContainers: [containerOf('i')] };

interface Case {
  readonly input: Partial<PodInput>;
  readonly lines: readonly string[];
  /** In seconds from now. */
  readonly wakesUpIn?: number;
  readonly hasEnded?: boolean;
}

const cases: Readonly<Record<string, Case>> = {
  'starts a new pod': { input: { view: empty }, lines: ['sandbox 0', 'start c 0'] },
  'leaves alone what runs well': { input: {}, lines: [] },
  'restarts what failed its liveness probe': {
    input: { probesOf: probes({ health: 'liveness-failed' }) },
    lines: ['stop c-0 in 30s', 'start c 1'],
  },
  'restarts what failed its startup probe': {
    input: { probesOf: probes({ health: 'startup-failed' }), ...spec({ terminationGracePeriodSeconds: 5 }) },
    lines: ['stop c-0 in 5s', 'start c 1'],
  },
  'replaces a container whose specification has changed': {
    input: spec({ containers: [containerOf('c', { image: 'a:2' })] }),
    lines: ['stop c-0 in 30s', 'start c 1'],
  },
  'does not start a second time what is being started': {
    input: { view: viewOf(), starting: new Map([['c', 0]]) },
    lines: [],
  },
  'starts other containers beside one whose image is being pulled': {
    input: {
      ...spec({ containers: [containerOf('c'), containerOf('d')] }),
      view: viewOf(),
      starting: new Map([['c', 0]]),
    },
    lines: ['start d 0'],
  },
  'waits before it pulls an image again, and shows the wait after five seconds': {
    input: { view: viewOf(), memory: failing({}) },
    lines: [],
    wakesUpIn: 5,
  },
  'waits for the end of the back-off of an image': {
    input: { view: viewOf(), memory: failing({ atMs: nowMs - 6000, retryAtMs: nowMs + 4000 }) },
    lines: [],
    wakesUpIn: 4,
  },
  'tries again when the wait is over': {
    input: { view: viewOf(), memory: failing({ atMs: nowMs - 10_000, retryAtMs: nowMs }) },
    lines: ['start c 0'],
  },
  'tries a changed specification at once': {
    input: { view: viewOf(), memory: failing({ specHash: 'another' }) },
    lines: ['start c 0'],
  },
  'waits before it creates again what could not be created': {
    input: { view: viewOf(), memory: failing({ reason: 'CreateContainerConfigError' }) },
    lines: [],
    wakesUpIn: 10,
  },
  'leaves it to the crash-loop back-off when an instance was there and has ended': {
    input: { view: viewOf(endedOf('c', 0, 128)), memory: failing({ reason: 'RunContainerError' }) },
    lines: ['start c 1'],
    wakesUpIn: 10,
  },
  'leaves it to the crash-loop back-off also when the reason says what exactly failed': {
    input: {
      view: viewOf(endedOf('c', 0, 137)),
      memory: failing({ reason: "PostStartHookError: command 'false' exited with 1: " }),
    },
    lines: ['start c 1'],
    wakesUpIn: 10,
  },
  'takes the back-off from the runtime when the agent has forgotten it': {
    input: { view: viewOf(endedOf('c', 1, 1, nowMs - 4000)) },
    lines: [],
    wakesUpIn: 6,
  },
  'sees from the gap between two instances how long the last wait was': {
    input: { view: viewOf(endedOf('c', 7, 1, nowMs - 1000), endedOf('c', 6, 1, nowMs - 13_000)) },
    lines: [],
    wakesUpIn: 19,
  },
  'takes no back-off from instances that the agent ended itself, but from their count': {
    input: { view: viewOf(endedOf('c', 2, 1, nowMs - 1000), endedOf('c', 1, 1, nowMs - 2000)) },
    lines: [],
    wakesUpIn: 19,
  },
  'recalls nothing of the instances of another specification': {
    input: {
      ...spec({ containers: [containerOf('c', { image: 'a:2' })] }),
      view: viewOf(endedOf('c', 5, 1)),
    },
    lines: ['start c 6'],
  },
  'trusts its memory once it has one': {
    input: { view: viewOf(endedOf('c', 5, 1)), memory: memoryOf({ status: {} }) },
    lines: ['start c 6'],
  },
  'keeps the newest instance of an init container only': {
    input: { ...spec(init), view: viewOf(endedOf('i', 1, 0), endedOf('i', 0, 1)) },
    lines: ['start c 0', 'remove i-0'],
  },
  'ends a deleted pod with the grace of its deletion': {
    input: deleted({}, 7),
    lines: ['end c-0 in 7s, s0'],
  },
  'ends a deleted pod with its own grace when the deletion has none': {
    input: deleted({ terminationGracePeriodSeconds: 60 }),
    lines: ['end c-0 in 60s, s0'],
  },
  'gives a deleted pod two seconds at least': { input: deleted({}, 0), lines: ['end c-0 in 2s, s0'] },
  'does not restart containers of a deleted pod': {
    input: { ...deleted(), view: viewOf(endedOf('c', 0, 1)) },
    lines: ['end s0'],
  },
  'says when a deleted pod has ended': {
    input: {
      ...deleted(),
      view: { sandboxes: [sandboxOf({ state: 'not-ready' })], containers: [endedOf('c', 0, 0)] },
    },
    lines: [],
    hasEnded: true,
  },
  'waits for starts that are under way before it says that a pod has ended': {
    input: { ...deleted(), view: empty, starting: new Map([['c', 0]]) },
    lines: [],
  },
  'wakes up at the deadline of a pod': {
    input: { ...spec({ activeDeadlineSeconds: 8 }), memory: since(3) },
    lines: [],
    wakesUpIn: 5,
  },
  'ends a pod at its deadline': {
    input: { ...spec({ activeDeadlineSeconds: 8 }), memory: since(8) },
    lines: ['end c-0 in 30s, s0'],
  },
  'counts a deadline from the oldest sandbox when the agent has forgotten the start': {
    input: {
      ...spec({ activeDeadlineSeconds: 8 }),
      view: { sandboxes: [sandboxOf({ createdAtMs: nowMs - 9000 })], containers: [instanceOf('c')] },
    },
    lines: ['end c-0 in 30s, s0'],
  },
  'ends an evicted pod with the grace of its eviction': {
    input: { verdict: { reason: 'Evicted', message: 'm', graceMs: 0 } },
    lines: ['end c-0 in 0s, s0'],
  },
  'never starts a pod that was refused': {
    input: { view: empty, verdict: { reason: 'OutOfcpu', message: 'm' } },
    lines: [],
    hasEnded: true,
  },
  'never starts a pod again that the API server has as finished': {
    input: { pod: { ...podOf(), status: { phase: 'Succeeded' } }, view: empty },
    lines: [],
    hasEnded: true,
  },
  'ends a pod that somebody else has marked as failed': {
    input: { pod: { ...podOf(), status: { phase: 'Failed' } }, memory: since(3) },
    lines: ['end c-0 in 30s, s0'],
  },
  'ends the sandbox of a pod whose containers have ended for good': {
    input: { ...spec({ restartPolicy: 'Never' }), view: viewOf(endedOf('c', 0, 3)) },
    lines: ['end s0'],
  },
  'goes on with a pod whose container was created and not started before the agent died': {
    input: {
      ...spec({ restartPolicy: 'Never' }),
      view: viewOf(instanceOf('c', 0, { state: 'created', createdAtMs: nowMs - 3000 })),
    },
    lines: ['remove c-0', 'start c 0'],
  },
  'waits a moment for a container whose start a dead agent may have asked for': {
    input: {
      ...spec({ restartPolicy: 'Never' }),
      view: viewOf(instanceOf('c', 0, { state: 'created', createdAtMs: nowMs - 1000 })),
    },
    lines: [],
    wakesUpIn: 2,
  },
};

describe('decidePod', () => {
  for (const [name, { input, lines, wakesUpIn, hasEnded = false }] of Object.entries(cases)) {
    it(name, () => {
      const decision = decidePod(inputOf(input));
      expect(decision.actions.map(lineOf)).to.deep.equal(lines);
      expect(decision.syncAtMs).to.equal(wakesUpIn === undefined ? undefined : nowMs + wakesUpIn * 1000);
      expect(decision.hasEnded).to.equal(hasEnded);
    });
  }

  it('decides the same when it is asked again about the same', () => {
    for (const { input } of Object.values(cases)) {
      expect(decidePod(inputOf(input))).to.deep.equal(decidePod(inputOf(input)));
    }
  });

  it('says the crash-loop back-off in the status, doubled with each end up to five minutes', () => {
    const expected = ['10s', '20s', '40s', '1m20s', '2m40s', '5m0s', '5m0s'];
    let memory = decidePod(inputOf({ view: viewOf(endedOf('c', 0, 1)) })).memory;
    let atMs = nowMs;
    for (const [index, delay] of expected.entries()) {
      const view = viewOf(endedOf('c', index + 1, 1, atMs));
      const waiting = decidePod(inputOf({ view, memory, nowMs: atMs + 1 }));
      const state = waiting.memory.status?.containerStatuses?.[0]?.state.waiting;
      expect(state).to.deep.equal({
        reason: 'CrashLoopBackOff',
        message: `back-off ${delay} restarting failed container=c pod=web_default(u1)`,
      });
      atMs = waiting.syncAtMs ?? 0;
      const next = decidePod(inputOf({ view, memory: waiting.memory, nowMs: atMs }));
      expect(next.actions.map(lineOf)).to.deep.equal([`start c ${index + 2}`]);
      memory = next.memory;
    }
  });

  it('forgets a failure once the container runs', () => {
    expect(decidePod(inputOf({ memory: failing({}) })).memory.failures.size).to.equal(0);
  });
});

describe('recordStart', () => {
  const start = { name: 'c', specHash: 'h', image: 'a:1' };
  const failure = { reason: 'ErrImagePull', message: 'm' };
  const retriesOf = (reason: string, count: number) => {
    let memory = memoryOf();
    let atMs = nowMs;
    return Array.from({ length: count }, () => {
      memory = recordStart(memory, { ...start, failure: { reason, message: 'm' }, nowMs: atMs });
      const waitMs = (memory.failures.get('c')?.retryAtMs ?? 0) - atMs;
      atMs += waitMs;
      return waitMs / 1000;
    });
  };

  it('doubles the wait for an image up to five minutes', () => {
    expect(retriesOf('ErrImagePull', 7)).to.deep.equal([10, 20, 40, 80, 160, 300, 300]);
  });

  it('waits ten seconds after any other failure', () => {
    expect(retriesOf('CreateContainerConfigError', 3)).to.deep.equal([10, 10, 10]);
  });

  it('forgets failure and wait with a start that succeeds', () => {
    const failed = recordStart(memoryOf(), { ...start, failure, nowMs });
    const { failures, imageBackOffs } = recordStart(failed, { ...start, nowMs });
    expect([failures.size, imageBackOffs.size]).to.deep.equal([0, 0]);
  });

  it('leaves the memory that it is given as it was', () => {
    const memory = memoryOf();
    recordStart(memory, { ...start, failure, nowMs });
    expect(memory).to.deep.equal(memoryOf());
  });
});
