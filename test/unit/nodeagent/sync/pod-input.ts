import type { Container, Pod, PodSpec } from '../../../../src/apis/types/core-v1.ts';
import type { ContainerStatus, PodSandboxStatus } from '../../../../src/nodeagent/runtime/index.ts';
import { hashContainer } from '../../../../src/nodeagent/sync/desired-pod.ts';
import type { RuntimeView } from '../../../../src/nodeagent/sync/observe-pod.ts';
import {
  emptyMemory,
  type PodInput,
  type PodMemory,
  type StartFailure,
} from '../../../../src/nodeagent/sync/pod-input.ts';

/** When the inputs are made, 2026-01-01T00:00:00Z. */
export const nowMs = Date.UTC(2026, 0, 1);
export const nowText = '2026-01-01T00:00:00Z';
export const hashAnnotation = 'test.spec-hash';

/** A container with the fields that decisions read. */
export const containerOf = (name: string, more: Partial<Container> = {}): Container => {
  return { name, image: 'a:1', resources: {}, ...more };
};

export const podOf = (spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u1', creationTimestamp: null, ...metadata },
  spec: { containers: [containerOf('c')], ...spec },
  status: {},
});

export const sandboxOf = (more: Partial<PodSandboxStatus> = {}): PodSandboxStatus => ({
  id: 's0',
  metadata: { name: 'web', namespace: 'default', uid: 'u1', attempt: 0 },
  state: 'ready',
  createdAtMs: nowMs,
  labels: {},
  annotations: {},
  runtimeHandler: '',
  ips: ['10.1.0.5'],
  namespaces: { network: 'pod', pid: 'container', ipc: 'pod' },
  ...more,
});

/** An instance of a container, made from the specification that `containerOf(name)` gives. */
export const instanceOf = (
  name: string,
  attempt = 0,
  more: Partial<ContainerStatus> = {},
): RuntimeView['containers'][number] => ({
  podSandboxId: 's0',
  status: {
    id: `${name}-${attempt}`,
    metadata: { name, attempt },
    image: 'a:1',
    imageRef: 'sha256:a',
    state: 'running',
    createdAtMs: nowMs,
    startedAtMs: nowMs,
    finishedAtMs: more.state === 'exited' ? nowMs : undefined,
    exitCode: 0,
    reason: '',
    message: '',
    labels: {},
    annotations: { [hashAnnotation]: hashContainer(containerOf(name)) },
    mounts: [],
    logPath: '',
    ...more,
  },
});

export const endedOf = (name: string, attempt: number, exitCode: number, finishedAtMs = nowMs) =>
  instanceOf(name, attempt, {
    state: 'exited',
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    createdAtMs: finishedAtMs - 1000,
    finishedAtMs,
  });

export const failureOf = (more: Partial<StartFailure> = {}): StartFailure => ({
  reason: 'ErrImagePull',
  message: 'no such host',
  specHash: hashContainer(containerOf('c')),
  atMs: nowMs,
  retryAtMs: nowMs + 10_000,
  ...more,
});

export const memoryOf = (more: Partial<PodMemory> = {}): PodMemory => ({ ...emptyMemory, ...more });

/** What a pod is decided from: one that runs well, but for what is given. */
export const inputOf = (more: Partial<PodInput> = {}): PodInput => ({
  pod: podOf(),
  view: { sandboxes: [sandboxOf()], containers: [instanceOf('c')] },
  memory: emptyMemory,
  nowMs,
  hashAnnotation,
  probesOf: () => ({ health: 'fine', isStarted: true, isReady: true }),
  starting: new Map(),
  runtimeName: 'containerd',
  ...more,
});
