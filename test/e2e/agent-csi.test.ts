import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { AgentProcess } from '../replay/agent-process.ts';
import { ApiServer } from '../replay/api-server.ts';
import { shellContainer, untilAsked } from '../support/agent-pods.ts';
import { removeLogs } from '../support/agent-traces.ts';
import { ApiClient } from '../support/api-client.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { type CsiDriverProcess, startCsiDriver } from '../support/csi-driver.ts';
import { eventually } from '../support/eventually.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const main = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url));
const program = (...words: readonly string[]): string[] => [process.execPath, main, ...words];
const patience = { patienceMs: 60_000 };

describe('volumes of CSI drivers in pods that a node runs', function () {
  this.timeout(120_000);
  requireContainerd();
  const namespace = `csi-${randomBytes(4).toString('hex')}`;
  const storage = '/apis/storage.orch.io/v1';
  let containerd: Containerd;
  let server: ApiServer;
  let agent: AgentProcess;
  let driver: CsiDriverProcess;
  let disks: CsiDriverProcess;
  let api: ApiClient;

  const create = (path: string, kind: string, name: string, more: object, apiVersion = 'v1') =>
    api.expect('POST', path, { body: { apiVersion, kind, metadata: { name }, ...more } });

  before(async () => {
    containerd = await startContainerd();
    const [folder, agentFolder] = [join(containerd.folder, 'api'), join(containerd.folder, 'agent')];
    await mkdir(folder, { recursive: true });
    await mkdir(agentFolder, { recursive: true });
    server = await ApiServer.start(program('orch', 'serve'), folder);
    const authorityPem = await readFile(join(folder, 'data/pki/ca.crt'), 'utf8');
    api = new ApiClient({ url: server.url, authorityPem, token: server.token });
    const gate = '--feature-gates=CSIMigrationProvider1=true';
    await create('/api/v1/namespaces', 'Namespace', namespace, {});
    const flags = [`--orchconfig=${server.configPath}`, '--hostname-override=node1', gate];
    agent = new AgentProcess({ containerd, folder: agentFolder, command: program('nodeagent'), flags });
    await agent.start();
    const registry = join(agentFolder, 'root/plugins_registry');
    driver = await startCsiDriver({ folder: join(containerd.folder, 'driver'), registry });
    disks = await startCsiDriver({
      name: 'ebs.csi.aws.com',
      folder: join(containerd.folder, 'disks'),
      registry,
    });
  });
  after(async () => {
    api?.close();
    await agent?.stop();
    await driver?.stop();
    await disks?.stop();
    await server?.stop();
    await containerd?.[Symbol.asyncDispose]();
    await removeLogs(namespace);
  });

  it('hold what containers write, and are gone from the node with their pods', async () => {
    const shown = await eventually(async () => {
      const { code, body } = await api.get(`${storage}/csinodes/node1`);
      const drivers = code === 200 ? (Object(body).spec.drivers ?? []) : [];
      return drivers.length === 2 ? drivers : undefined;
    }, patience);
    const common = { nodeID: 'node-1', topologyKeys: ['test/zone'], allocatable: { count: 8 } };
    expect(shown).to.have.deep.members([
      { name: 'folders.test', ...common },
      { name: 'ebs.csi.aws.com', ...common },
    ]);
    const node = Object(await api.expect('GET', '/api/v1/nodes/node1'));
    expect(node.metadata.labels).to.include({ 'test/zone': 'z1' });

    const modes = { attachRequired: false, volumeLifecycleModes: ['Persistent', 'Ephemeral'] };
    await create(`${storage}/csidrivers`, 'CSIDriver', 'folders.test', { spec: modes }, 'storage.orch.io/v1');
    const size = { storage: '1Gi' };
    const accessModes = ['ReadWriteOnce'];
    const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
    const resources = { requests: size };
    const claimSpec = { accessModes, resources, volumeName: namespace, storageClassName: '' };
    const claim = Object(await create(claims, 'PersistentVolumeClaim', 'c', { spec: claimSpec }));
    const { uid } = claim.metadata;
    await create('/api/v1/persistentvolumes', 'PersistentVolume', namespace, {
      spec: {
        accessModes,
        capacity: size,
        claimRef: { namespace, name: 'c', uid },
        csi: { driver: 'folders.test', volumeHandle: 'handle' },
      },
    });
    const bound = { ...claim, status: { phase: 'Bound', capacity: size, accessModes } };
    await api.expect('PUT', `${claims}/c/status`, { body: bound });

    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const script = `echo kept > /p/file; echo own > /e/file; ${untilAsked}`;
    const mounts = [
      { name: 'p', mountPath: '/p' },
      { name: 'e', mountPath: '/e' },
    ];
    const spec = {
      nodeName: 'node1',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      volumes: [
        { name: 'p', persistentVolumeClaim: { claimName: 'c' } },
        { name: 'e', csi: { driver: 'folders.test' } },
      ],
      containers: [shellContainer('main', script, { imagePullPolicy: 'Never', volumeMounts: mounts })],
    };
    await create(pods, 'Pod', 'web', { spec });
    const kept = join(driver.folder, 'volumes/handle/file');
    await eventually(async () => readFile(kept, 'utf8').catch(() => undefined), patience);

    await api.expect('DELETE', `${pods}/web`);
    const methods: string[] = [];
    const count = (name: string): number => methods.filter((method) => method === name).length;
    await eventually(async () => {
      methods.push(...(await driver.calls()).map(([method]) => method));
      return count('NodeUnpublishVolume') === 2 && count('NodeUnstageVolume') === 1 ? true : undefined;
    }, patience);
    const podsFolder = join(containerd.folder, 'agent/root/pods');
    await eventually(async () => ((await readdir(podsFolder)).length === 0 ? true : undefined), patience);
    expect(count('NodePublishVolume')).to.equal(2);
    expect(await readFile('/proc/self/mountinfo', 'utf8')).to.not.contain('orch.io/csi');
    expect(await readFile(kept, 'utf8')).to.equal('kept\n');
  });

  it('are those of a cloud’s disks where a gate leaves them to the driver', async () => {
    const node = await eventually(async () => {
      const { body } = await api.get('/api/v1/nodes/node1');
      const { conditions } = Object(body).status;
      const ready = conditions.find(({ type }: { type: string }) => type === 'Ready');
      return ready.status === 'True' ? Object(body) : undefined;
    }, patience);
    const { metadata } = Object(await api.expect('GET', `${storage}/csinodes/${node.metadata.name}`));
    expect(metadata.annotations).to.deep.equal({
      'storage.alpha.orch.io/migrated-plugins': 'orch.io/aws-ebs',
    });
    const spec = { attachRequired: false };
    await create(`${storage}/csidrivers`, 'CSIDriver', 'ebs.csi.aws.com', { spec }, 'storage.orch.io/v1');
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const volumeMounts = [{ name: 'd', mountPath: '/d' }];
    const script = `echo kept > /d/file; ${untilAsked}`;
    await create(pods, 'Pod', 'db', {
      spec: {
        nodeName: 'node1',
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        volumes: [{ name: 'd', awsElasticBlockStore: { volumeID: 'aws://z/vol-1', fsType: 'ext4' } }],
        containers: [shellContainer('main', script, { imagePullPolicy: 'Never', volumeMounts })],
      },
    });
    const kept = join(disks.folder, 'volumes/vol-1/file');
    await eventually(async () => readFile(kept, 'utf8').catch(() => undefined), patience);
    await api.expect('DELETE', `${pods}/db`);
    await eventually(async () => {
      const methods = (await disks.calls()).map(([method]) => method);
      return methods.includes('NodeUnstageVolume') ? true : undefined;
    }, patience);
  });
});
