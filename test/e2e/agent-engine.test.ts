import { randomBytes } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ContainerStatus, Pod } from '../../src/apis/types/core-v1.ts';
import type { ContainerRuntime } from '../../src/nodeagent/runtime/index.ts';
import { openChannels } from '../integration/nodeagent/api/channel-client.ts';
import { openEngine } from '../integration/nodeagent/legacyrt/engine-pod.ts';
import { fetchInsecurely } from '../replay/fetch-insecurely.ts';
import { type ManifestOptions, podManifest, shellContainer, untilAsked } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { linesOf, readTraces, removeLogs } from '../support/agent-traces.ts';
import { testImages } from '../support/containerd-images.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { eventually, untilNone } from '../support/eventually.ts';
import { requireEngine } from '../support/require-engine.ts';

const patience = { patienceMs: 60_000 };
/** Serves one file; the shell lives as long as the server does. */
const serve = (text: string): string =>
  `echo '${text}' > /www/index.html; httpd -f -h /www & echo $! > /tmp/pid; wait $!`;

describe('nodeagent runs static pods on an engine', () => {
  requireEngine();
  const namespace = `engine-${randomBytes(4).toString('hex')}`;
  const opened = new AsyncDisposableStack();
  let engine: TestEngine;
  let driver: ContainerRuntime;
  let agent: AgentProgram;
  before(async function () {
    this.timeout(60_000);
    opened.defer(() => removeLogs(namespace));
    engine = opened.use(await startEngine());
    driver = opened.use(openEngine(engine));
    const flags = [
      '--container-runtime=legacyrt',
      `--legacyrt-endpoint=${engine.endpoint}`,
      `--pod-infra-container-image=${testImages.pause}`,
      '--network-plugin=cni',
      `--cni-conf-dir=${engine.cniConfDir}`,
      `--cni-bin-dir=${engine.cniBinDir}`,
      `--cni-cache-dir=${engine.cniCacheDir}`,
    ];
    agent = opened.use(new AgentProgram({ containerd: engine, folder: join(engine.folder, 'agent'), flags }));
    await agent.start();
  });
  after(async function () {
    this.timeout(60_000);
    await opened.disposeAsync();
  });

  const put = (options: Omit<ManifestOptions, 'namespace'>, ...containers: readonly object[]) =>
    agent.putManifest(options.name, podManifest({ ...options, namespace }, containers));
  const until = (name: string, fits: (pod: Pod) => boolean): Promise<Pod> =>
    eventually(async () => {
      const pod = await agent.pod(name).catch(() => undefined);
      return pod !== undefined && fits(pod) ? pod : undefined;
    }, patience);
  const answer = (name: string, text: string): Promise<Pod> =>
    eventually(async () => {
      const pod = await agent.pod(name).catch(() => undefined);
      const { podIP } = pod?.status ?? {};
      if (pod === undefined || podIP === undefined || !isReady(pod)) return undefined;
      const got = await fetch(`http://${podIP}/`).then(
        (response) => response.text(),
        () => '',
      );
      return got === `${text}\n` ? pod : undefined;
    }, patience);
  const logOf = async (name: string, container: string, query = ''): Promise<string> => {
    const path = `/containerLogs/${namespace}/${name}-node1/${container}${query}`;
    return (await fetchInsecurely(`https://127.0.0.1:${agent.securePort}${path}`)).text;
  };
  const exec = async (name: string, container: string, script: string): Promise<string> => {
    const command = ['sh', '-c', script].map((each) => `&command=${encodeURIComponent(each)}`).join('');
    const path = `/exec/${namespace}/${name}-node1/${container}?output=1&error=1${command}`;
    const channels = await openChannels(agent.securePort, path);
    await channels.closed();
    return channels.text(1);
  };
  /** Takes manifests away and waits until nothing is left of any pod. */
  const clear = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await agent.removeManifest(name);
    const { runtime } = driver;
    const { rootFolder } = agent;
    await untilNone(
      async () => linesOf(await readTraces({ containerd: engine, runtime, rootFolder, namespace })),
      patience,
    );
  };

  it('a server answers, is restarted when killed, outlives its agent, and goes with its file', async function () {
    this.timeout(90_000);
    await put({ name: 'web' }, shellContainer('one', serve('first')));
    const first = await answer('web', 'first');
    expect(statusOf(first, 'one').restartCount).to.equal(0);
    expect(statusOf(first, 'one').containerID ?? '').to.match(/^legacyrt:\/\/[0-9a-f]{64}$/);

    await exec('web', 'one', 'kill -9 $(cat /tmp/pid)');
    const killed = await until('web', (pod) => statusOf(pod, 'one').restartCount === 1);
    expect(statusOf(killed, 'one').lastState.terminated?.exitCode).to.equal(137);
    const restarted = await answer('web', 'first');
    expect(restarted.status.podIP).to.equal(first.status.podIP);

    await agent.kill();
    await agent.start();
    const found = await until('web', isReady);
    expect(statusOf(found, 'one').containerID).to.deep.equal(statusOf(restarted, 'one').containerID);
    expect(found.status.podIP).to.equal(first.status.podIP);
    await clear('web');
  });

  it('logs go on over a restart of the agent, and show what the container before wrote', async function () {
    this.timeout(90_000);
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const script = `[ -e /v/x ] || { touch /v/x; echo before >&2; exit 3; }; echo one; until [ -e /v/go ]; do sleep 0.1; done; echo two; ${untilAsked}`;
    const spec = { volumes: [{ name: 'v', emptyDir: {} }] };
    await put({ name: 'logs', spec }, shellContainer('one', script, { volumeMounts }));
    await until('logs', isReady);
    await eventually(async () => (await logOf('logs', 'one')) === 'one\n' || undefined, patience);
    await agent.kill();
    await agent.start();
    await until('logs', isReady);
    await exec('logs', 'one', 'touch /v/go');
    await eventually(async () => (await logOf('logs', 'one')) === 'one\ntwo\n' || undefined, patience);
    expect(await logOf('logs', 'one', '?previous=true')).to.equal('before\n');
    await clear('logs');
  });

  it('limits are kept, and a container that takes more memory says so', async function () {
    this.timeout(90_000);
    const limits = { memory: '16Mi', cpu: '100m' };
    const resources = { limits, requests: limits };
    await put({ name: 'limits' }, shellContainer('one', 'exec tail /dev/zero', { resources }));
    const pod = await until('limits', (each) => statusOf(each, 'one').lastState.terminated !== undefined);
    expect(statusOf(pod, 'one').lastState.terminated).to.include({ reason: 'OOMKilled', exitCode: 137 });
    await clear('limits');
  });

  it("pods may share the node's network", async function () {
    this.timeout(90_000);
    await put({ name: 'host', spec: { hostNetwork: true } }, shellContainer('one', untilAsked));
    await until('host', isReady);
    const node = await readlink('/proc/self/ns/net');
    expect((await exec('host', 'one', 'ls -l /proc/self/ns/net')).trim().split(' -> ').at(-1)).to.equal(node);
    await clear('host');
  });
});

const noStatus = { name: '', restartCount: 0, state: {}, lastState: {} } as ContainerStatus;

function statusOf({ status }: Pod, name: string): ContainerStatus {
  return status.containerStatuses?.find((each) => each.name === name) ?? noStatus;
}

function isReady({ status }: Pod): boolean {
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
