import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Pod } from '../../src/apis/types/core-v1.ts';
import { AgentProcess } from '../replay/agent-process.ts';
import { ApiServer } from '../replay/api-server.ts';
import { shellContainer, untilAsked } from '../support/agent-pods.ts';
import { removeLogs } from '../support/agent-traces.ts';
import { ApiClient } from '../support/api-client.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually } from '../support/eventually.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const main = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url));
const program = (...words: readonly string[]): string[] => [process.execPath, main, ...words];
const gate = '--feature-gates=EphemeralContainers=true';

describe('ephemeral containers of a pod that a node runs', function () {
  this.timeout(120_000);
  requireContainerd();
  const namespace = `eph-${randomBytes(4).toString('hex')}`;
  const path = `/api/v1/namespaces/${namespace}/pods`;
  let containerd: Containerd;
  let server: ApiServer;
  let agent: AgentProcess;
  let api: ApiClient;

  before(async () => {
    containerd = await startContainerd();
    const [folder, agentFolder] = [join(containerd.folder, 'api'), join(containerd.folder, 'agent')];
    await mkdir(folder, { recursive: true });
    await mkdir(agentFolder, { recursive: true });
    server = await ApiServer.start(program('orch', 'serve'), folder, [gate]);
    const authority = join(folder, 'data/pki/ca.crt');
    const authorityPem = await readFile(authority, 'utf8');
    api = new ApiClient({ url: server.url, authorityPem, token: server.token });
    const flags = [
      `--orchconfig=${server.configPath}`,
      '--hostname-override=localhost', // a name that leads to loopback, where the agent listens
      `--client-ca-file=${authority}`,
      '--authorization-mode=Webhook',
      gate,
    ];
    agent = new AgentProcess({ containerd, folder: agentFolder, command: program('nodeagent'), flags });
    await agent.start();
  });
  after(async () => {
    api?.close();
    await agent?.stop();
    await server?.stop();
    await containerd?.[Symbol.asyncDispose]();
    await removeLogs(namespace);
  });

  /** Waits until the pod fits. */
  const until = (fits: (pod: Pod) => boolean): Promise<Pod> =>
    eventually(
      async () => {
        const pod = (await api.expect('GET', `${path}/web`)) as Pod; // the API says so
        return fits(pod) ? pod : undefined;
      },
      { patienceMs: 60_000 },
    );

  async function ctl(...args: readonly string[]): Promise<string> {
    const [file = '', ...leading] = program(
      'ctl',
      `--orchconfig=${server.configPath}`,
      `--namespace=${namespace}`,
    );
    const { stdout } = await promisify(execFile)(file, [...leading, ...args]);
    return stdout;
  }

  it('are started once, see the processes of their target, and have logs and streams', async () => {
    const owner = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await api.expect('POST', '/api/v1/namespaces', { body: owner });
    const metadata = { name: 'web', namespace };
    const spec = {
      nodeName: 'localhost',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: [shellContainer('main', untilAsked, { imagePullPolicy: 'Never' })],
    };
    await api.expect('POST', path, { body: { apiVersion: 'v1', kind: 'Pod', metadata, spec } });
    await until(({ status }) => status.containerStatuses?.[0]?.ready === true);

    const common = { imagePullPolicy: 'Never', terminationMessagePolicy: 'File' };
    const look = `tr '\\0' ' ' < /proc/1/cmdline; echo; ${untilAsked}`;
    const ephemeralContainers = [
      { ...shellContainer('dbg', look, common), targetContainerName: 'main' },
      shellContainer('once', 'exit 3', common),
    ];
    const body = { apiVersion: 'v1', kind: 'EphemeralContainers', metadata, ephemeralContainers };
    await api.expect('PUT', `${path}/web/ephemeralcontainers`, { body });
    const { status } = await until(({ status: { ephemeralContainerStatuses: [dbg, once] = [] } }) => {
      return dbg?.state.running !== undefined && once?.state.terminated !== undefined;
    });
    expect(status).to.include({ phase: 'Running' });
    const ended = status.ephemeralContainerStatuses?.[1];
    expect(ended).to.deep.include({ name: 'once', restartCount: 0, ready: false });
    expect(ended?.state.terminated?.exitCode).to.equal(3);
    expect(status.conditions?.every((condition) => condition.status === 'True')).to.equal(true);

    const said = async (): Promise<true | undefined> =>
      /^sh -c trap/.test(await ctl('logs', 'web', '-c', 'dbg')) || undefined;
    await eventually(said, { patienceMs: 60_000 });
    const target = await ctl('exec', 'web', '-c', 'main', '--', 'cat', '/proc/1/cmdline');
    expect(await ctl('exec', 'web', '-c', 'dbg', '--', 'cat', '/proc/1/cmdline')).to.equal(target);
  });
});
