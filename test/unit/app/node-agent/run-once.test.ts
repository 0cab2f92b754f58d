import { expect } from 'chai';
import type { ContainerState, Pod, PodStatus } from '../../../../src/apis/types/core-v1.ts';
import { judgeStart, podName, runOnce, type StartVerdict } from '../../../../src/app/node-agent/run-once.ts';
import { systemClock } from '../../../../src/base/index.ts';

const running: ContainerState = { running: { startedAt: null } };
const ended = (exitCode: number, reason: string): ContainerState => ({
  terminated: { exitCode, reason, startedAt: null, finishedAt: null },
});
const waiting = (reason: string, message?: string): ContainerState => ({ waiting: { reason, message } });

function pod(name: string, states: Readonly<Record<string, ContainerState>>, more: PodStatus = {}): Pod {
  const containers = Object.keys(states).map((each) => ({ name: each, image: 'i', resources: {} }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name },
    spec: { containers },
    status: {
      phase: 'Pending',
      containerStatuses: Object.entries(states).map(([each, state]) => ({
        name: each,
        state,
        lastState: {},
        ready: false,
        restartCount: 0,
        image: 'i',
        imageID: '',
      })),
      ...more,
    },
  };
}

describe('judgeStart', () => {
  const cases: readonly (readonly [
    what: string,
    pod: Pod,
    verdict: StartVerdict['kind'],
    message?: string,
  ])[] = [
    ['nothing has begun', pod('p', { a: waiting('ContainerCreating') }), 'pending'],
    ['waits for init containers', pod('p', { a: waiting('PodInitializing') }), 'pending'],
    ['every container runs', pod('p', { a: running, b: running }), 'started'],
    ['one runs and one is done', pod('p', { a: running, b: ended(0, 'Completed') }), 'started'],
    ['one is missing', pod('p', { a: running, b: waiting('ContainerCreating') }), 'pending'],
    ['all is done', pod('p', { a: ended(0, 'Completed') }, { phase: 'Succeeded' }), 'started'],
    ['failed once, and will be tried again', pod('p', { a: ended(1, 'Error') }), 'pending'],
    [
      'no image',
      pod('p', { a: waiting('ErrImageNeverPull', 'no image "i"') }),
      'failed',
      'container "a": ErrImageNeverPull: no image "i"',
    ],
    [
      'crashes',
      pod('p', { a: running, b: waiting('CrashLoopBackOff') }),
      'failed',
      'container "b": CrashLoopBackOff',
    ],
    [
      'refused',
      pod('p', {}, { phase: 'Failed', reason: 'OutOfcpu', message: 'too little' }),
      'failed',
      'OutOfcpu: too little',
    ],
    [
      'ended badly',
      pod('p', { a: ended(3, 'Error') }, { phase: 'Failed' }),
      'failed',
      'container "a" ended with exit code 3: Error',
    ],
  ];
  for (const [what, each, kind, message] of cases) {
    it(`says ${kind}: ${what}`, () => {
      const verdict = judgeStart(each);
      expect(verdict.kind).to.equal(kind);
      if (message !== undefined) expect(verdict).to.have.property('message', message);
    });
  }
});

describe('runOnce', () => {
  const common = { whenRead: Promise.resolve(), brokenManifests: () => 2, clock: systemClock };

  it('waits until it is known of each pod, and tells of each once', async () => {
    const rounds = [
      [pod('a', { c: running }), pod('b', { c: waiting('ContainerCreating') })],
      [pod('a', { c: running }), pod('b', { c: waiting('ErrImagePull') })],
    ];
    const told: string[] = [];
    const result = await runOnce({
      ...common,
      pods: () => rounds.shift() ?? [],
      onVerdict: (each, verdict) => told.push(`${podName(each)} ${verdict.kind}`),
      signal: new AbortController().signal,
    });
    expect(told).to.deep.equal(['default/a started', 'default/b failed']);
    expect(result).to.deep.equal({ started: ['default/a'], failed: ['default/b'], brokenManifests: 2 });
  });

  it('counts what has not started as failed when it is told to end', async () => {
    const abort = new AbortController();
    abort.abort();
    const result = await runOnce({
      ...common,
      pods: () => [pod('a', { c: waiting('ContainerCreating') })],
      onVerdict: () => {},
      signal: abort.signal,
    });
    expect(result.failed).to.deep.equal(['default/a']);
  });

  it('is over at once without pods', async () => {
    const { signal } = new AbortController();
    const result = await runOnce({ ...common, pods: () => [], onVerdict: () => {}, signal });
    expect(result).to.deep.include({ started: [], failed: [] });
  });
});
