import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PodSpec } from '../../../../src/apis/types/core-v1.ts';
import { decidePod } from '../../../../src/nodeagent/sync/decide-pod.ts';
import { hashContainer } from '../../../../src/nodeagent/sync/desired-pod.ts';
import type { RuntimeView } from '../../../../src/nodeagent/sync/observe-pod.ts';
import type { PodInput } from '../../../../src/nodeagent/sync/pod-input.ts';
import {
  containerOf,
  endedOf,
  failureOf,
  inputOf,
  instanceOf,
  memoryOf,
  podOf,
  sandboxOf,
} from './pod-input.ts';

const ephemeralContainers = [containerOf('e')];
const viewOf = (...containers: RuntimeView['containers']): RuntimeView => ({
  sandboxes: [sandboxOf()],
  containers,
});
const decide = (more: Partial<PodInput>, spec: Partial<PodSpec> = {}) =>
  decidePod(inputOf({ pod: podOf({ ephemeralContainers, ...spec }), runsEphemeral: true, ...more }));
const startsOf = (...args: Parameters<typeof decide>): readonly string[] =>
  decide(...args).actions.map((action) => (action.kind === 'start-container' ? action.name : action.kind));
const shown = (name: string, state: object) => ({
  name,
  state,
  lastState: {},
  ready: false,
  restartCount: 0,
  image: 'a:1',
  imageID: '',
});
const rememberedAs = (state: object) =>
  memoryOf({ status: { ephemeralContainerStatuses: [shown('e', state)] } });
const running = viewOf(instanceOf('c'));
const never = { restartPolicy: 'Never' };

describe('decidePod with ephemeral containers', () => {
  it('starts one that nothing is there of', () => {
    expect(startsOf({ view: running })).to.deep.equal(['e']);
  });

  it('starts it while init containers run, and before others', () => {
    const init = { initContainers: [containerOf('i')] };
    expect(startsOf({ view: viewOf(instanceOf('i')) }, init)).to.deep.equal(['e']);
    expect(startsOf({ view: viewOf() }, init)).to.deep.equal(['e', 'i']);
  });

  it('waits for the sandbox', () => {
    expect(startsOf({ view: { sandboxes: [], containers: [] } })).to.deep.equal(['create-sandbox', 'c']);
  });

  it('leaves it alone when it may not run any', () => {
    expect(startsOf({ view: running, runsEphemeral: false })).to.deep.equal([]);
    const both = viewOf(instanceOf('c'), instanceOf('e'));
    const { actions, memory } = decide({ view: both, runsEphemeral: false });
    expect(actions).to.deep.equal([]);
    expect(memory.status).not.to.have.property('ephemeralContainerStatuses');
  });

  for (const [name, more] of Object.entries<Partial<PodInput>>({
    'that runs': { view: viewOf(instanceOf('c'), instanceOf('e')) },
    'that has ended well': { view: viewOf(instanceOf('c'), endedOf('e', 0, 0)) },
    'that has failed': { view: viewOf(instanceOf('c'), endedOf('e', 0, 1)) },
    'of which nobody knows': { view: viewOf(instanceOf('c'), instanceOf('e', 0, { state: 'unknown' })) },
    'that has ended and was forgotten': {
      view: running,
      memory: rememberedAs({ terminated: { exitCode: 1 } }),
    },
    'that ran and was forgotten': { view: running, memory: rememberedAs({ running: { startedAt: null } }) },
    'whose start is under way': { view: running, starting: new Map([['e', 0]]) },
  })) {
    it(`never starts one again ${name}`, () => {
      expect(startsOf(more)).to.deep.equal([]);
    });
  }

  it('makes one anew that was created and never started', () => {
    const view = viewOf(instanceOf('c'), instanceOf('e', 0, { state: 'created', createdAtMs: 0 }));
    expect(startsOf({ view })).to.deep.equal(['remove-container', 'e']);
  });

  it('shows it, and lets it count for nothing', () => {
    const { status } = decide({ view: viewOf(instanceOf('c'), endedOf('e', 0, 1)) }).memory;
    expect(status?.phase).to.equal('Running');
    expect(status?.conditions?.map((each) => each.status)).to.deep.equal(['True', 'True', 'True', 'True']);
    expect(status?.containerStatuses?.map(({ name }) => name)).to.deep.equal(['c']);
    const [ephemeral, ...more] = status?.ephemeralContainerStatuses ?? [];
    expect(more).to.deep.equal([]);
    expect(ephemeral).to.deep.include({
      name: 'e',
      ready: false,
      restartCount: 0,
      containerID: 'containerd://e-0',
    });
    expect(ephemeral).not.to.have.property('started');
    expect(ephemeral?.state.terminated).to.include({ exitCode: 1 });
  });

  it('shows one that a runtime has lost as ended', () => {
    const { status } = decide({
      view: running,
      memory: rememberedAs({ running: { startedAt: null } }),
    }).memory;
    expect(status?.ephemeralContainerStatuses?.[0]?.state.terminated).to.include({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
    });
  });

  it('ends it with the pod, which it does not hold up', () => {
    const view = viewOf(endedOf('c', 0, 0), instanceOf('e'));
    const { actions, memory } = decide({ view }, never);
    expect(memory.status?.phase).to.equal('Succeeded');
    expect(actions.map(({ kind }) => kind)).to.deep.equal(['stop-pod']);
  });

  it('starts none in a pod that is over', () => {
    expect(startsOf({ view: viewOf(endedOf('c', 0, 0)) }, never)).to.deep.equal(['stop-pod']);
  });

  it('shows why it waits, and tries again when it is time', () => {
    const failure = failureOf({ specHash: hashContainer(containerOf('e')) });
    const memory = memoryOf({ failures: new Map([['e', failure]]) });
    const held = decide({ view: running, memory });
    expect(held.actions).to.deep.equal([]);
    expect(held.memory.status?.ephemeralContainerStatuses?.[0]?.state).to.deep.equal({
      waiting: { reason: 'ErrImagePull', message: 'no such host' },
    });
    expect(startsOf({ view: running, memory, nowMs: failure.retryAtMs })).to.deep.equal(['e']);
  });
});
