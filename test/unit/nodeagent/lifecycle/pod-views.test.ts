import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { PodViews } from '../../../../src/nodeagent/lifecycle/index.ts';
import type {
  ContainerStatus,
  PodSandboxStatus,
  RuntimeService,
} from '../../../../src/nodeagent/runtime/index.ts';

const labels = { 'io.orch.pod.uid': 'u' };
const sandbox: PodSandboxStatus = {
  id: 's',
  metadata: { name: 'web', namespace: 'shop', uid: 'u', attempt: 0 },
  state: 'ready',
  createdAtMs: 1,
  labels,
  annotations: {},
  runtimeHandler: '',
  ips: ['10.0.0.2'],
  namespaces: { network: 'pod', pid: 'container', ipc: 'pod' },
};
const container: ContainerStatus = {
  id: 'c',
  metadata: { name: 'app', attempt: 0 },
  image: 'i',
  imageRef: 'i',
  state: 'running',
  createdAtMs: 1,
  labels,
  annotations: {},
  startedAtMs: 2,
  finishedAtMs: undefined,
  exitCode: 0,
  reason: '',
  message: '',
  mounts: [],
  logPath: '',
};

/** Views on a runtime that has what `has` says, with the statuses that were asked for. */
function open(has: { sandbox: PodSandboxStatus | undefined; container: ContainerStatus | undefined }) {
  const asked: string[] = [];
  const listed = <T>(one: T | undefined): readonly T[] => (one === undefined ? [] : [one]);
  const runtime: Partial<RuntimeService> = {
    listPodSandboxes: async () => listed(has.sandbox),
    listContainers: async () => listed(has.container && { ...has.container, podSandboxId: 's' }),
    async podSandboxStatus(id) {
      asked.push(id);
      return has.sandbox;
    },
    async containerStatus(id) {
      asked.push(id);
      return has.container;
    },
  };
  const views = new PodViews({
    runtime: runtime as RuntimeService, // Nothing else is asked.
    dialect: orchDialect,
    readMessage: async ({ exitCode }) => `said at ${exitCode}`,
  });
  return { views, asked };
}

describe('PodViews', () => {
  it('asks for a status once while the state stays', async () => {
    const has = { sandbox, container };
    const { views, asked } = open(has);
    await views.read('u');
    await views.list();
    await views.read('u');
    expect(asked).to.deep.equal(['s', 'c']);
    has.container = { ...container, state: 'exited', exitCode: 3 };
    const view = await views.read('u');
    await views.read('u');
    expect(asked).to.deep.equal(['s', 'c', 'c']);
    expect(view.containers[0]?.status.message).to.equal('said at 3');
  });

  it('asks again for what was gone meanwhile', async () => {
    const has: Parameters<typeof open>[0] = { sandbox, container };
    const { views, asked } = open(has);
    await views.read('u');
    has.container = undefined;
    await views.list();
    has.container = container;
    await views.read('u');
    expect(asked).to.deep.equal(['s', 'c', 'c']);
  });

  it('asks again for a sandbox that has no address yet, and not on the network of the node', async () => {
    const has = { sandbox: { ...sandbox, ips: [] }, container: undefined };
    const { views, asked } = open(has);
    await views.read('u');
    has.sandbox = { ...sandbox, ips: ['10.0.0.3'] } as typeof has.sandbox;
    const view = await views.read('u');
    expect(view.sandboxes[0]?.ips).to.deep.equal(['10.0.0.3']);
    const onNode = { ...sandbox, ips: [], namespaces: { ...sandbox.namespaces, network: 'node' as const } };
    const other = open({ sandbox: onNode, container: undefined });
    await other.views.read('u');
    await other.views.read('u');
    expect([asked, other.asked]).to.deep.equal([['s', 's'], ['s']]);
  });

  it('leaves out what vanishes between the list and the question, and what no agent made', async () => {
    const { views } = open({ sandbox: { ...sandbox, labels: {} }, container });
    expect((await views.list()).sandboxes).to.deep.equal([]);
    const runtime = {
      listPodSandboxes: async () => [],
      listContainers: async () => [{ ...container, podSandboxId: 's' }],
    };
    const vanishing = new PodViews({
      // Nothing else is asked.
      runtime: {
        ...runtime,
        containerStatus: async () => undefined,
      } as Partial<RuntimeService> as RuntimeService,
      dialect: orchDialect,
      readMessage: async () => '',
    });
    expect(await vanishing.read('u')).to.deep.equal({ sandboxes: [], containers: [] });
  });
});
