import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import type { ContainerStatus, Pod } from '../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../src/machinery/dialect.ts';
import { runtimeLabelNames } from '../../src/nodeagent/container-config/index.ts';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../src/nodeagent/runtime/index.ts';
import { openChannels } from '../integration/nodeagent/api/channel-client.ts';
import { fetchInsecurely } from '../replay/fetch-insecurely.ts';
import { type ManifestOptions, podManifest, shellContainer, untilAsked } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { linesOf, readTraces, removeLogs } from '../support/agent-traces.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually, untilNone } from '../support/eventually.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const patience = { patienceMs: 60_000 };
const podCount = 30;
const labels = runtimeLabelNames(orchDialect);
/** Serves one file; the shell lives as long as the server does. */
const serve = (text: string): string =>
  `echo '${text}' > /www/index.html; httpd -f -h /www & echo $! > /tmp/pid; wait $!`;

describe('nodeagent runs static pods on a container runtime', () => {
  requireContainerd();
  const namespace = `pods-${randomBytes(4).toString('hex')}`;
  const opened = new AsyncDisposableStack();
  let containerd: Containerd;
  let driver: ContainerRuntime;
  let agent: AgentProgram;
  before(async function () {
    this.timeout(60_000);
    opened.defer(() => removeLogs(namespace));
    containerd = opened.use(await startContainerd());
    driver = opened.use(createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 }));
    const flags = ['--orch-reserved=pid=100,memory=1Mi', '--system-reserved=pid=11'];
    agent = opened.use(new AgentProgram({ containerd, folder: join(containerd.folder, 'agent'), flags }));
    await agent.start();
  });
  after(async function () {
    this.timeout(60_000);
    await opened.disposeAsync();
  });

  const put = (options: Omit<ManifestOptions, 'namespace'>, ...containers: readonly object[]) =>
    agent.putManifest(options.name, podManifest({ ...options, namespace }, containers));
  /** Waits until a pod fits. */
  const until = (name: string, fits: (pod: Pod) => boolean): Promise<Pod> =>
    eventually(async () => {
      const pod = await agent.pod(name);
      return pod !== undefined && fits(pod) ? pod : undefined;
    }, patience);
  /** The pod once it serves the text and its status says so: that may come later. */
  const answer = (name: string, text: string): Promise<Pod> =>
    eventually(async () => {
      const pod = await agent.pod(name);
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
  /** A container is ready when it runs, before it has said anything. */
  const saysSoon = async (name: string, container: string, text: string): Promise<void> => {
    let said = '';
    await eventually(async () => {
      said = await logOf(name, container);
      return said.length >= text.length || undefined;
    }, patience);
    expect(said).to.equal(text);
  };
  const exec = async (name: string, container: string, script: string): Promise<string> => {
    const command = ['sh', '-c', script].map((each) => `&command=${encodeURIComponent(each)}`).join('');
    const path = `/exec/${namespace}/${name}-node1/${container}?output=1&error=1${command}`;
    const channels = await openChannels(agent.securePort, path);
    await channels.closed();
    return channels.text(1);
  };
  const traces = async (): Promise<readonly string[]> =>
    linesOf(
      await readTraces({ containerd, runtime: driver.runtime, rootFolder: agent.rootFolder, namespace }),
    );
  /** Takes all manifests away and waits until nothing is left of any pod. */
  const clear = async (): Promise<void> => {
    await agent.removeManifests();
    await untilNone(traces, patience);
  };
  afterEach(async function () {
    this.timeout(90_000);
    await clear();
  });

  it('keeps processes and memory that are reserved from all pods together', async () => {
    const boundOf = async (controller: string, file: string): Promise<number> => {
      const folder = ['/sys/fs/cgroup', controller, containerd.cgroupParent, 'orchpods'];
      return Number(await readFile(join(...folder, file), 'utf8'));
    };
    const isSplit = await boundOf('pids', 'pids.max').then(
      () => true,
      () => false,
    );
    const pids = await boundOf(isSplit ? 'pids' : '', 'pids.max');
    expect(pids).to.equal(Number(await readFile('/proc/sys/kernel/pid_max', 'utf8')) - 111);
    const memory = await (isSplit ? boundOf('memory', 'memory.limit_in_bytes') : boundOf('', 'memory.max'));
    expect(memory).to.equal(totalmem() - 1024 * 1024);
  });

  it('a server answers on the address of its pod, is restarted when killed, follows its file, and goes with it', async function () {
    this.timeout(90_000);
    await put({ name: 'web' }, shellContainer('one', serve('first')));
    const first = await answer('web', 'first');
    expect(statusOf(first, 'one').restartCount).to.equal(0);

    await exec('web', 'one', 'kill -9 $(cat /tmp/pid)');
    const killed = await until('web', (pod) => statusOf(pod, 'one').restartCount === 1);
    expect(statusOf(killed, 'one').lastState.terminated?.exitCode).to.equal(137);
    const restarted = await answer('web', 'first');
    expect(restarted.status.podIP).to.equal(first.status.podIP);

    await put({ name: 'web' }, shellContainer('one', serve('second')));
    const changed = await answer('web', 'second');
    expect(changed.metadata.uid).to.not.equal(first.metadata.uid);
    await clear();
    expect(await agent.pods()).to.deep.equal([]);
  });

  it('init containers run one after the other, before the others', async function () {
    this.timeout(90_000);
    const volumeMounts = [{ name: 'shared', mountPath: '/shared' }];
    const say = (name: string, script = ''): object =>
      shellContainer(name, `echo ${name} >> /shared/log; ${script}`, { volumeMounts });
    const initContainers = ['a', 'b', 'c'].map((name) => say(name, `sleep 0.1; echo ${name} >> /shared/log`));
    const spec = { initContainers: initContainers as never, volumes: [{ name: 'shared', emptyDir: {} }] };
    await put({ name: 'init', spec }, say('main', `cat /shared/log; ${untilAsked}`));
    await until('init', isReady);
    await saysSoon('init', 'main', 'a\na\nb\nb\nc\nc\nmain\n');
  });

  it('liveness and readiness probes are heeded', async function () {
    this.timeout(90_000);
    const probe = (file: string) => ({
      exec: { command: ['test', '-e', file] },
      periodSeconds: 1,
      failureThreshold: 1,
    });
    const healthy = { livenessProbe: probe('/tmp/alive'), readinessProbe: probe('/tmp/ready') };
    await put({ name: 'probed' }, shellContainer('one', `touch /tmp/alive; ${untilAsked}`, healthy));
    const running = await until('probed', ({ status }) => status.phase === 'Running');
    expect(isReady(running)).to.equal(false);
    await exec('probed', 'one', 'touch /tmp/ready');
    await until('probed', isReady);
    await exec('probed', 'one', 'rm /tmp/ready');
    await until('probed', (pod) => !isReady(pod));
    await exec('probed', 'one', 'rm /tmp/alive');
    await until('probed', (pod) => statusOf(pod, 'one').restartCount === 1);
    await until('probed', (pod) => statusOf(pod, 'one').state.running !== undefined);
  });

  it('hooks run after the start and before the end', async function () {
    this.timeout(90_000);
    const folder = join(containerd.folder, 'hooks');
    await mkdir(folder);
    const hook = (text: string) => ({ exec: { command: ['sh', '-c', `echo ${text} >> /host/log`] } });
    const container = shellContainer('one', untilAsked, {
      lifecycle: { postStart: hook('started'), preStop: hook('stopping') },
      volumeMounts: [{ name: 'host', mountPath: '/host' }],
    });
    const spec = { volumes: [{ name: 'host', hostPath: { path: folder } }] };
    await put({ name: 'hooked', spec }, container);
    await until('hooked', isReady);
    expect(await readFile(join(folder, 'log'), 'utf8')).to.equal('started\n');
    await clear();
    expect(await readFile(join(folder, 'log'), 'utf8')).to.equal('started\nstopping\n');
    await rm(folder, { recursive: true });
  });

  it('volumes in memory are there, and what the node lends is kept', async function () {
    this.timeout(90_000);
    const folder = join(containerd.folder, 'lent');
    await mkdir(folder);
    await writeFile(join(folder, 'file'), 'kept\n');
    const volumeMounts = [
      { name: 'memory', mountPath: '/memory' },
      { name: 'lent', mountPath: '/lent' },
    ];
    const volumes = [
      { name: 'memory', emptyDir: { medium: 'Memory' } },
      { name: 'lent', hostPath: { path: folder, type: 'Directory' } },
    ];
    const script = "grep ' /memory ' /proc/mounts | grep -c tmpfs; cat /lent/file";
    await put(
      { name: 'volumes', spec: { volumes } },
      shellContainer('one', `${script}; ${untilAsked}`, { volumeMounts }),
    );
    await until('volumes', isReady);
    await saysSoon('volumes', 'one', '1\nkept\n');
    await clear();
    expect(await readFile(join(folder, 'file'), 'utf8')).to.equal('kept\n');
  });

  it('a container that takes more memory than its limit is killed, and reported so', async function () {
    this.timeout(90_000);
    const limits = { memory: '12Mi' };
    const script = 'head -c 100000000 /dev/zero | tail -c 90000000 | wc -c';
    await put(
      { name: 'greedy', spec: { restartPolicy: 'Never' } },
      // Neither before its start is done nor while it ends: the runtime would miss what the kernel tells then.
      shellContainer('one', `until [ -e /begin ]; do sleep 0.1; done; ${script}; sleep 1; exit 137`, {
        resources: { limits },
      }),
    );
    await until('greedy', isReady);
    await exec('greedy', 'one', 'touch /begin');
    const ended = await until('greedy', (pod) => statusOf(pod, 'one').state.terminated !== undefined);
    expect(statusOf(ended, 'one').state.terminated?.reason).to.equal('OOMKilled');
  });

  it('logs are told whole and in parts, with times, and of the instance before', async function () {
    this.timeout(90_000);
    const count = 'for i in 1 2 3 4 5; do echo line $i; done; echo problem >&2';
    await put({ name: 'logged' }, shellContainer('one', `${count}; [ -e /tmp/x ] || sleep 0.3; exit 1`));
    await until('logged', (pod) => statusOf(pod, 'one').restartCount >= 1);
    const whole = 'line 1\nline 2\nline 3\nline 4\nline 5\nproblem\n';
    expect((await logOf('logged', 'one', '?previous=true')).split('\n')).to.have.members(whole.split('\n'));
    expect((await logOf('logged', 'one', '?previous=true&tailLines=2')).trim().split('\n')).to.have.lengthOf(
      2,
    );
    expect(await logOf('logged', 'one', '?previous=true&timestamps=true')).to.match(
      /^\d{4}-\d\d-\d\dT\S+ line 1$/m,
    );
    // Both streams are read side by side: either may come first.
    expect(['line 1', 'proble']).to.include(await logOf('logged', 'one', '?previous=true&limitBytes=6'));
  });

  it('lives through the absence of the runtime, whose pods run on', async function () {
    this.timeout(120_000);
    await put({ name: 'steady' }, shellContainer('one', serve('steady')));
    const before = await answer('steady', 'steady');
    await containerd.kill();
    await put({ name: 'late' }, shellContainer('one', serve('late')));
    expect(await (await fetch(`http://${before.status.podIP}/`)).text()).to.equal('steady\n');
    await containerd.start();
    await answer('late', 'late');
    const later = await answer('steady', 'steady');
    expect(statusOf(later, 'one').containerID).to.equal(statusOf(before, 'one').containerID);
  });

  it(`${podCount} pods come and go at once`, async function () {
    this.timeout(120_000);
    const names = Array.from({ length: podCount }, (_, index) => `many${index}`);
    for (const name of names) await put({ name }, shellContainer('one', untilAsked));
    await untilNone(async () => {
      const ready = new Set((await agent.pods()).filter(isReady).map(({ metadata }) => metadata.name));
      return names.filter((name) => !ready.has(`${name}-node1`));
    }, patience);
    const pods = await agent.pods();
    expect(new Set(pods.map(({ status }) => status.podIP))).to.have.lengthOf(podCount);
    const containers = await driver.runtime.listContainers();
    expect(containers).to.have.lengthOf(podCount);
    expect(new Set(containers.map((each) => each.labels[labels.podUid]))).to.have.lengthOf(podCount);
  });
});

const isReady = ({ status }: Pod): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');

/** @throws Error when the pod's status does not tell of the container */
function statusOf({ status }: Pod, name: string): ContainerStatus {
  const found = status.containerStatuses?.find((each) => each.name === name);
  // Before the first look at the runtime a pod has no such statuses.
  return found ?? { name, state: {}, lastState: {}, ready: false, restartCount: 0, image: '', imageID: '' };
}
