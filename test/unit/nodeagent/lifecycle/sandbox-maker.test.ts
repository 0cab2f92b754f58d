import { expect } from 'chai';
import type { RuntimeClass } from '../../../../src/apis/types/node-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { AgentEvent } from '../../../../src/nodeagent/events/index.ts';
import { SandboxMaker, type SandboxMakerOptions } from '../../../../src/nodeagent/lifecycle/sandbox-maker.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { nodeOf } from '../container-config/pods.ts';
import { noFiles } from './simulation/simulated-parts.ts';
import { podOf } from './subject.ts';

const classes: Readonly<Record<string, RuntimeClass>> = {
  sealed: {
    apiVersion: 'v1',
    kind: 'RuntimeClass',
    metadata: { name: 'sealed', creationTimestamp: null },
    handler: 'runsc',
  },
};
const known: SandboxMakerOptions['objects'] = { runtimeClass: async (name) => classes[name] };
const away: SandboxMakerOptions['objects'] = {
  runtimeClass: () => Promise.reject(new Error('connection refused')),
};

interface MakeOptions {
  readonly objects?: SandboxMakerOptions['objects'];
  readonly hasObjects?: boolean;
  readonly attempt?: number;
  readonly status?: SandboxMakerOptions['runtime']['podSandboxStatus'];
}

/** Makes one sandbox; tells the handlers that the runtime was asked for, and the events. */
async function make(
  runtimeClassName: string | undefined,
  { objects = known, hasObjects = true, attempt = 0, status = async () => undefined }: MakeOptions = {},
) {
  const handlers: (string | undefined)[] = [];
  const events: AgentEvent[] = [];
  const maker = new SandboxMaker({
    runtime: {
      async runPodSandbox({ runtimeHandler }) {
        handlers.push(runtimeHandler);
        return 'made';
      },
      podSandboxStatus: status,
    },
    files: noFiles,
    settings: () => nodeOf(),
    nodeInfo: () => ({ hostIps: ['192.0.2.2'], allocatable: {}, networkProblem: undefined }),
    hasApiServer: true,
    objects: hasObjects ? objects : undefined,
    dialect: orchDialect,
    events: { record: (event) => void events.push(event) },
  });
  const pod = podOf('u', { spec: { runtimeClassName } });
  const { signal } = new AbortController();
  await maker.make({ pod, attempt, volumes: new Map() }, signal).catch(() => undefined);
  const texts = events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  return { handlers, texts };
}

describe('SandboxMaker', () => {
  it('asks the runtime for the handler that the class of the pod names', async () => {
    expect(await make('sealed')).to.deep.equal({ handlers: ['runsc'], texts: [] });
  });

  for (const name of [undefined, '']) {
    it(`asks for the usual one of the runtime with the class ${JSON.stringify(name)}`, async () => {
      expect((await make(name)).handlers).to.deep.equal([undefined]);
    });
  }

  it('makes none, and says why, when there is no such class or nobody can tell', async () => {
    const start = 'Warning FailedCreatePodSandBox: Failed to create pod sandbox: ';
    expect(await make('open')).to.deep.equal({
      handlers: [],
      texts: [`${start}runtimeclass.node.orch.io "open" not found`],
    });
    expect(await make('sealed', { objects: away })).to.deep.equal({
      handlers: [],
      texts: [`${start}Failed to lookup RuntimeClass sealed: connection refused`],
    });
  });

  it('says that a sandbox was made, of which the runtime tells nothing', async () => {
    const status = () => Promise.reject(new RuntimeError('failed', 'PodSandboxStatus: no'));
    expect((await make(undefined, { status })).texts).to.deep.equal([
      'Warning FailedPodSandBoxStatus: Unable to get pod sandbox status: rpc error: code = Unknown desc = no',
    ]);
  });

  it('says that a class has no effect without an API server', async () => {
    expect(await make('sealed', { hasObjects: false })).to.deep.equal({
      handlers: [undefined],
      texts: ['Warning RuntimeClassIgnored: no API server tells the handler of RuntimeClass sealed'],
    });
  });

  it('says when a sandbox takes the place of another one', async () => {
    const changed = 'Normal SandboxChanged: Pod sandbox changed, it will be killed and re-created.';
    expect((await make(undefined, { attempt: 1 })).texts).to.deep.equal([changed]);
  });
});
