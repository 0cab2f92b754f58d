import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { podManifest, shellContainer } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { removeLogs } from '../support/agent-traces.ts';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually } from '../support/eventually.ts';
import { FakeLogind } from '../support/fake-logind.ts';
import { type MessageBus, requireMessageBus, startMessageBus } from '../support/message-bus.ts';
import { inNamespace } from '../support/objects.ts';
import { requireContainerd } from '../support/require-containerd.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';

const patience = { patienceMs: 60_000 };
const node = '/api/v1/nodes/node1';

/** In place of `systemd-inhibit`: what it runs, the last word, is what holds the lock. */
const inhibitor = '#!/bin/sh\necho held >>"$LOCKS"\ncat\necho released >>"$LOCKS"\n';

const readiness = (object: JsonObject): JsonObject =>
  object.status.conditions.find(({ type }: JsonObject) => type === 'Ready') ?? {};

describe('nodeagent on a node that shuts down', () => {
  requireContainerd();
  requireMessageBus();
  const namespace = `down-${randomBytes(4).toString('hex')}`;
  const opened = new AsyncDisposableStack();
  let containerd: Containerd;
  let bus: MessageBus;
  let logind: FakeLogind;
  let server: ServeProcess;
  let client: ApiClient;
  let folder: string;

  before(async function () {
    this.timeout(90_000);
    opened.defer(() => removeLogs(namespace));
    containerd = opened.use(await startContainerd());
    folder = containerd.folder;
    bus = opened.use(await startMessageBus());
    logind = opened.use(await FakeLogind.start(bus.path));
    logind.maxDelayMs = 30_000;
    const data = `--data-dir=${join(folder, 'data')}`;
    server = opened.use(
      await startServe([data, '--secure-port=0', '--service-cluster-ip-range=10.0.0.0/24']),
    );
    client = opened.adopt(new ApiClient(server.access), (each) => each.close());
    await client.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    const account = inNamespace(namespace, 'serviceaccounts/default');
    await eventually(async () => ((await client.get(account)).code === 200 ? true : undefined), patience);
    opened.use(await startAgent());
  });
  after(async function () {
    this.timeout(60_000);
    await opened.disposeAsync();
  });

  async function startAgent(): Promise<AgentProgram> {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'systemd-inhibit'), inhibitor);
    await chmod(join(bin, 'systemd-inhibit'), 0o755);
    await writeFile(join(folder, 'locks'), '');
    const config = {
      kind: 'NodeAgentConfiguration',
      apiVersion: 'nodeagent.config.orch.io/v1beta1',
      featureGates: { GracefulNodeShutdown: true },
      shutdownGracePeriod: '20s',
      shutdownGracePeriodCriticalPods: '10s',
      authorization: { mode: 'AlwaysAllow' },
    };
    await writeFile(join(folder, 'agent.yaml'), JSON.stringify(config));
    const started = new AgentProgram({
      containerd,
      folder: join(folder, 'agent'),
      flags: [
        `--orchconfig=${server.configPath}`,
        `--config=${join(folder, 'agent.yaml')}`,
        '--orch-api-qps=100',
        '--orch-api-burst=200',
      ],
      environment: {
        PATH: `${bin}:${process.env.PATH}`,
        LOCKS: join(folder, 'locks'),
        DBUS_SYSTEM_BUS_ADDRESS: bus.address,
      },
    });
    await started.start();
    return started;
  }

  const until = (path: string, fits: (object: JsonObject) => boolean): Promise<JsonObject> =>
    eventually(async () => {
      const { code, body } = await client.get(path);
      return code === 200 && fits(body) ? body : undefined;
    }, patience);
  const podPath = (name: string): string => inNamespace(namespace, `pods/${name}`);
  const locks = async (): Promise<string[]> =>
    (await readFile(join(folder, 'locks'), 'utf8')).split('\n').slice(0, -1);
  const untilLocks = (count: number): Promise<true> =>
    eventually(async () => ((await locks()).length >= count ? true : undefined), patience);

  /** A pod that writes its name into a file when it is asked to end. */
  const create = (name: string, spec: object = {}): Promise<JsonObject> => {
    const script = `trap 'echo ${name} >>/host/ends; exit 0' TERM; while :; do sleep 1000 & wait $!; done`;
    const container = shellContainer(name, script, {
      volumeMounts: [{ name: 'host', mountPath: '/host' }],
    });
    const volumes = [{ name: 'host', hostPath: { path: folder } }];
    return client.create(
      inNamespace(namespace, 'pods'),
      podManifest({ name, namespace, spec: { nodeName: 'node1', volumes, ...spec } }, [container]),
    );
  };

  it('ends its pods, critical ones last, takes no new ones and is not ready, until that is called off', async function () {
    this.timeout(120_000);
    await until(node, (object) => readiness(object).status === 'True');
    await untilLocks(1);
    await create('system', { priorityClassName: 'system-node-critical' });
    await create('web');
    for (const name of ['system', 'web'])
      await until(podPath(name), ({ status }) => status.phase === 'Running');

    logind.announce(true);
    const { status } = await until(node, (object) => readiness(object).status === 'False');
    const { reason, message } = readiness({ status });
    expect([reason, message]).to.deep.equal(['NodeAgentNotReady', 'node is shutting down']);
    await untilLocks(2);
    expect(await locks()).to.deep.equal(['held', 'released']);
    expect(await readFile(join(folder, 'ends'), 'utf8')).to.equal('web\nsystem\n');
    for (const name of ['system', 'web']) {
      const ended = await until(podPath(name), (pod) => pod.status.phase === 'Failed');
      expect([ended.status.reason, ended.status.message]).to.deep.equal([
        'Shutdown',
        'Node is shutting, evicting pods',
      ]);
    }

    await create('late');
    const late = await until(podPath('late'), (pod) => pod.status.phase === 'Failed');
    expect([late.status.reason, late.status.message]).to.deep.equal([
      'Shutdown',
      'Pod Node is in progress of shutting down, not admitting any new pods',
    ]);

    logind.announce(false);
    await until(node, (object) => readiness(object).status === 'True');
    await untilLocks(3);
    await create('next');
    await until(podPath('next'), (pod) => pod.status.phase === 'Running');
    await client.expect('DELETE', inNamespace(namespace, 'pods'));
    await eventually(async () => {
      const { items } = (await client.get(inNamespace(namespace, 'pods'))).body;
      return items.length === 0 ? true : undefined;
    }, patience);
  });
});
