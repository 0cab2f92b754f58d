import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../src/nodeagent/runtime/index.ts';
import { podManifest, shellContainer, untilAsked } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { linesOf, readTraces, removeLogs } from '../support/agent-traces.ts';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually, untilNone } from '../support/eventually.ts';
import { freePort } from '../support/free-ports.ts';
import { inNamespace } from '../support/objects.ts';
import { requireContainerd } from '../support/require-containerd.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';

const patience = { patienceMs: 60_000 };
const node = '/api/v1/nodes/node1';

describe('nodeagent with an API server', () => {
  requireContainerd();
  const namespace = `api-${randomBytes(4).toString('hex')}`;
  const opened = new AsyncDisposableStack();
  let containerd: Containerd;
  let driver: ContainerRuntime;
  let server: ServeProcess;
  let client: ApiClient;
  let agent: AgentProgram;

  const startServer = async (port: string): Promise<void> => {
    server = await startServe([
      `--data-dir=${join(containerd.folder, 'data')}`,
      `--secure-port=${port}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      '--nodeagent-preferred-address-types=InternalIP',
    ]);
    client = new ApiClient(server.access);
  };
  before(async function () {
    this.timeout(90_000);
    opened.defer(() => removeLogs(namespace));
    containerd = opened.use(await startContainerd());
    driver = opened.use(createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 }));
    await startServer(`${await freePort()}`);
    opened.defer(async () => server[Symbol.asyncDispose]());
    opened.defer(() => client.close());
    await client.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    // Pods take the account of their namespace, which a loop of the server makes.
    await eventually(async () => found(inNamespace(namespace, 'serviceaccounts/default')), patience);
    const flags = [
      `--orchconfig=${server.configPath}`,
      '--node-status-update-frequency=2s',
      '--event-qps=0',
      '--orch-api-qps=100',
      '--orch-api-burst=200',
    ];
    const folder = join(containerd.folder, 'agent');
    agent = opened.use(new AgentProgram({ containerd, folder, flags, address: ownAddress() }));
    await agent.start();
  });
  after(async function () {
    this.timeout(60_000);
    await opened.disposeAsync();
  });

  const found = async (path: string): Promise<JsonObject | undefined> => {
    const { code, body } = await client.get(path);
    return code === 200 ? body : undefined;
  };
  const podPath = (name: string): string => inNamespace(namespace, `pods/${name}`);
  const create = (name: string, spec: object, ...containers: readonly object[]): Promise<JsonObject> =>
    client.create(
      inNamespace(namespace, 'pods'),
      podManifest({ name, namespace, spec: { nodeName: 'node1', ...spec } }, containers),
    );
  const until = (path: string, fits: (object: JsonObject) => boolean): Promise<JsonObject> =>
    eventually(async () => {
      // A server that is away answers nothing.
      const object = await found(path).catch(() => undefined);
      return object !== undefined && fits(object) ? object : undefined;
    }, patience);
  const untilGone = (name: string): Promise<true> =>
    eventually(async () => ((await client.get(podPath(name))).code === 404 ? true : undefined), patience);
  const traces = async (): Promise<readonly string[]> =>
    linesOf(
      await readTraces({ containerd, runtime: driver.runtime, rootFolder: agent.rootFolder, namespace }),
    );

  afterEach(async function () {
    this.timeout(90_000);
    await agent.removeManifests();
    await client.expect('DELETE', inNamespace(namespace, 'pods'));
    await untilNone(async () => {
      const { items } = (await client.get(inNamespace(namespace, 'pods'))).body;
      return [...items.map(({ metadata }: JsonObject) => `pod: ${metadata.name}`), ...(await traces())];
    }, patience);
  });

  it('registers its node, which gets ready and stays so', async function () {
    this.timeout(60_000);
    const { status } = await until(node, (object) => readiness(object)?.status === 'True');
    const addresses = status.addresses.map(({ type, address }: JsonObject) => `${type} ${address}`);
    expect(addresses).to.deep.equal([`InternalIP ${ownAddress()}`, 'Hostname node1']);
    const lease = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases/node1';
    const { spec } = await until(lease, () => true);
    expect(spec.holderIdentity).to.equal('node1');
  });

  it('runs a pod that is bound to it, shows its status and logs, and ends it with grace', async function () {
    this.timeout(90_000);
    const folder = join(containerd.folder, 'grace');
    await mkdir(folder);
    const stop = 'echo asked >> /host/log; exit 0';
    const script = `echo hello; httpd -h /www; echo served > /www/index.html; trap '${stop}' TERM; while :; do sleep 1000 & wait $!; done`;
    const container = shellContainer('one', script, {
      lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo hook >> /host/log'] } } },
      volumeMounts: [{ name: 'host', mountPath: '/host' }],
    });
    const volumes = [{ name: 'host', hostPath: { path: folder } }];
    await create('bound', { volumes, terminationGracePeriodSeconds: 20 }, container);
    const { status } = await until(podPath('bound'), isReady);
    expect(status.phase).to.equal('Running');
    expect(status.hostIP).to.equal(ownAddress());
    // A container runs before its program listens.
    await eventually(async () => {
      const text = await fetch(`http://${status.podIP}/`).then(
        (answer) => answer.text(),
        () => '',
      );
      return text === 'served\n' ? true : undefined;
    }, patience);
    expect((await client.get(`${podPath('bound')}/log`)).text).to.equal('hello\n');
    const { items } = (await client.get(`${node}/proxy/pods`)).body;
    expect(items.map(({ metadata }: JsonObject) => metadata.name)).to.deep.equal(['bound']);
    const events = await client.get(inNamespace(namespace, 'events'));
    const reasons = events.body.items.map(({ reason }: JsonObject) => reason);
    expect(reasons).to.include.members(['Pulled', 'Created', 'Started']);

    await client.expect('DELETE', podPath('bound'));
    await untilGone('bound');
    expect(await driver.runtime.listContainers({ state: 'running' })).to.deep.equal([]);
    expect(await readFile(join(folder, 'log'), 'utf8')).to.equal('hook\nasked\n');
  });

  it('brings changes of config maps and secrets into running containers', async function () {
    this.timeout(90_000);
    const maps = inNamespace(namespace, 'configmaps');
    const secrets = inNamespace(namespace, 'secrets');
    const object = (kind: string, data: object): object => {
      return { apiVersion: 'v1', kind, metadata: { name: 'changing' }, ...data };
    };
    await client.create(maps, object('ConfigMap', { data: { key: 'old' } }));
    await client.create(secrets, object('Secret', { stringData: { key: 'old' } }));
    const volumes = [
      { name: 'map', configMap: { name: 'changing' } },
      { name: 'secret', secret: { secretName: 'changing' } },
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
    const script = `while :; do echo $(cat /map/key) $(cat /secret/key); sleep 0.1; done`;
    await create('reader', { volumes }, shellContainer('one', script, { volumeMounts }));
    const before = await until(podPath('reader'), isReady);
    const patch = { contentType: 'application/merge-patch+json' };
    await client.expect('PATCH', `${maps}/changing`, { body: { data: { key: 'new' } }, ...patch });
    await client.expect('PATCH', `${secrets}/changing`, { body: { stringData: { key: 'new' } }, ...patch });
    await eventually(async () => {
      const { text } = await client.get(`${podPath('reader')}/log?tailLines=1`);
      return text === 'new new\n' ? true : undefined;
    }, patience);
    expect(containerId(await found(podPath('reader')))).to.equal(containerId(before));
  });

  it('shows static pods through mirror pods', async function () {
    this.timeout(90_000);
    await agent.putManifest(
      'static',
      podManifest({ name: 'static', namespace }, [shellContainer('one', untilAsked)]),
    );
    const first = await until(podPath('static-node1'), isReady);
    expect(first.metadata.annotations['orch.io/config.source']).to.equal('file');
    await client.expect('DELETE', `${podPath('static-node1')}?gracePeriodSeconds=0`);
    const second = await until(
      podPath('static-node1'),
      (pod) => pod.metadata.uid !== first.metadata.uid && isReady(pod),
    );
    expect(containerId(second)).to.equal(containerId(first));
    await agent.removeManifests();
    await untilGone('static-node1');
  });

  it('adopts its pods after a crash, and ends those that were deleted meanwhile', async function () {
    this.timeout(90_000);
    for (const name of ['kept', 'dropped']) await create(name, {}, shellContainer('one', untilAsked));
    const kept = await until(podPath('kept'), isReady);
    await until(podPath('dropped'), isReady);
    await agent.kill();
    await client.expect('DELETE', podPath('dropped'));
    await agent.start();
    await untilGone('dropped');
    expect(containerId(await until(podPath('kept'), isReady))).to.equal(containerId(kept));
    expect(await driver.runtime.listContainers({ state: 'running' })).to.have.lengthOf(1);
  });

  it('goes on while the server is away', async function () {
    this.timeout(90_000);
    await create('running', {}, shellContainer('one', untilAsked));
    const before = await until(podPath('running'), isReady);
    const { port } = new URL(server.url);
    client.close();
    await server.kill();
    await agent.putManifest(
      'alone',
      podManifest({ name: 'alone', namespace }, [shellContainer('one', untilAsked)]),
    );
    await eventually(async () => {
      const pod = await agent.pod('alone');
      return pod?.status.phase === 'Running' ? true : undefined;
    }, patience);
    await startServer(port);
    await until(podPath('alone-node1'), isReady);
    expect(containerId(await found(podPath('running')))).to.equal(containerId(before));
    await create('after', {}, shellContainer('one', untilAsked));
    await until(podPath('after'), isReady);
  });

  it('says that it is not ready while the runtime is away, whose pods run on', async function () {
    this.timeout(120_000);
    await create('steady', {}, shellContainer('one', untilAsked));
    const before = await until(podPath('steady'), isReady);
    await containerd.kill();
    const down = await until(node, (object) => readiness(object)?.status === 'False');
    expect(readiness(down)?.message).to.equal('container runtime is down');
    expect(readiness(down)?.reason).to.equal('NodeAgentNotReady');
    await containerd.start();
    const up = await until(node, (object) => readiness(object)?.status === 'True');
    expect(readiness(up)?.message).to.equal('nodeagent is posting ready status');
    expect(containerId(await until(podPath('steady'), isReady))).to.equal(containerId(before));
  });
});

const readiness = ({ status }: JsonObject): JsonObject | undefined =>
  (status?.conditions ?? []).find(({ type }: JsonObject) => type === 'Ready');

const isReady = (pod: JsonObject): boolean => readiness(pod)?.status === 'True';

const containerId = (pod: JsonObject | undefined): unknown => pod?.status.containerStatuses?.[0]?.containerID;

/** The address that the agent finds as well: servers reach agents through it. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
