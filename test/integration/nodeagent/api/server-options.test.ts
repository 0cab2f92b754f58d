import { expect } from 'chai';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  type AgentServers,
  type AgentServersOptions,
  createAgentMetrics,
  startAgentServers,
} from '../../../../src/nodeagent/api/index.ts';
import type { AgentConfig } from '../../../../src/nodeagent/options/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { agentConfig, send } from './agent-requests.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'shop', uid: 'u' },
  spec: { containers: [{ name: 'c' }] },
  status: { phase: 'Running' },
};
const view = {
  pods: () => [pod],
  findPod: () => pod,
  findContainer: async () => ({ id: 'c1', state: 'running' }),
  findSandboxId: async () => 's1',
  runningPods: async () => [],
  lastSyncAtMs: () => Date.now(),
};
const streamUrl = 'http://127.0.0.1:9/exec/token';
const runtime = {
  listPodSandboxes: async () => [],
  listContainers: async () => [],
  listContainerStats: async () => [],
  listPodSandboxStats: async () => [],
  execUrl: async () => streamUrl,
};

describe('options of the agent servers', () => {
  let directory: TemporaryDirectory;
  let servers: AgentServers | undefined;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    await servers?.[Symbol.asyncDispose]();
    servers = undefined;
    await directory.remove();
  });

  async function start(flags: readonly string[], more: Partial<AgentConfig> = {}): Promise<AgentServers> {
    const config = { ...(await agentConfig(directory.path, flags)), ...more };
    servers = await startAgentServers({
      config,
      nodeName: 'node1',
      dialect: orchDialect,
      view,
      runtime,
      images: { imageFsInfo: async () => [] },
      metrics: createAgentMetrics({ nodeName: 'node1', dialect: orchDialect, startedAtMs: 0 }),
      configz: () => ({}),
      checkLog() {},
      setVerbosity() {},
      commandLine: [],
      clock: systemClock,
      logger: silentLogger,
    } as unknown as AgentServersOptions); // no request here asks for more
    return servers;
  }

  it('show the metrics of the machine as JSON with --enable-metrics-json-endpoints', async () => {
    const off = await start([]);
    expect((await send(off, 'GET /spec/')).status).to.equal(404);
    await off[Symbol.asyncDispose]();
    const on = await start(['--enable-metrics-json-endpoints']);
    const { status, body } = await send(on, 'GET /spec/');
    expect(status).to.equal(200);
    expect(JSON.parse(body)).to.have.property('num_cores').that.is.greaterThan(0);
  });

  it('show any control group as JSON with --enable-metrics-json-endpoints', async () => {
    const on = await start(['--enable-metrics-json-endpoints']);
    const ask = async (request: string, body?: object) => {
      const answer = await send(on, request, body === undefined ? {} : { body: JSON.stringify(body) });
      return { status: answer.status, body: answer.body };
    };
    const root = await ask('GET /stats/');
    expect(root.status).to.equal(200);
    expect(JSON.parse(root.body)).to.have.nested.property('stats[0].cpu.usage.total').that.is.greaterThan(0);
    const named = await ask('POST /stats/container', { containerName: '/', num_stats: 1 });
    expect(JSON.parse(named.body)).to.have.nested.property('/.spec.has_cpu', true);
    expect(await ask('POST /stats/container', { containerName: 'no/such' })).to.deep.equal({
      status: 500,
      body: 'Internal Error: unknown container "/no/such"',
    });
    expect((await ask('POST /stats/container', { num_stats: 'x' })).body).to.include(
      'num_stats is no number',
    );
    expect((await ask('GET /stats/p/c')).body).to.match(
      /^Internal Error: unable to find LegacyRT container "/,
    );
    expect((await ask('POST /stats/summary')).status).to.equal(200);
  });

  it('refuse log files of the node with enableSystemLogHandler: false', async () => {
    const started = await start([], { enableSystemLogHandler: false });
    expect(await send(started, 'GET /logs/')).to.deep.include({
      status: 405,
      body: 'logs endpoint is disabled.\n',
    });
  });

  it('bind the health port to --healthz-bind-address, and the others to --address', async () => {
    const started = await start(['--address=127.0.0.2', '--healthz-bind-address=127.0.0.3']);
    const ask = (host: string, port: number | undefined): Promise<number> =>
      fetch(`http://${host}:${port}/healthz`).then(
        ({ status }) => status,
        () => 0,
      );
    expect(await ask('127.0.0.3', started.healthzPort)).to.equal(200);
    expect(await ask('127.0.0.1', started.healthzPort)).to.equal(0);
    expect(await ask('127.0.0.2', started.readOnlyPort)).to.equal(200);
    expect(await ask('127.0.0.1', started.readOnlyPort)).to.equal(0);
  });

  it('send clients of streams to the runtime with --redirect-container-streaming', async () => {
    const started = await start(['--redirect-container-streaming']);
    const headers = {
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.orch.io',
    };
    const answer = await send(started, 'POST /exec/shop/p/c?command=ls&output=1', { headers });
    expect([answer.status, answer.headers.location]).to.deep.equal([302, streamUrl]);
  });
});
