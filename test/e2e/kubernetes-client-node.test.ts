import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { eventually } from '../support/eventually.ts';
import { configMap, deployment, pod } from '../support/objects.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';

const namespace = 'default';

describe('the client library of that ecosystem', () => {
  let server: ServeProcess;
  let config: KubeConfig;
  let core: CoreV1Api;
  before(async function () {
    this.timeout(60_000);
    server = await startServe([
      '--dialect=kubernetes',
      '--ephemeral',
      '--controllers=none',
      '--disable-admission-plugins=ServiceAccount',
    ]);
    config = new KubeConfig();
    config.loadFromFile(server.configPath);
    core = config.makeApiClient(CoreV1Api);
  });
  after(async () => {
    await server?.stop();
  });

  const codeOf = async (work: Promise<unknown>): Promise<number> =>
    work.then(
      () => 200,
      (error: unknown) => (error instanceof ApiException ? error.code : -1),
    );

  it('lists what a fresh server has', async () => {
    const { items } = await core.listNamespace();
    const names = items.map(({ metadata }) => metadata?.name);
    expect(names).to.include.members(['default', 'kube-system', 'kube-public', 'kube-node-lease']);
    const services = await core.listNamespacedService({ namespace });
    expect(services.items.map(({ metadata }) => metadata?.name)).to.deep.equal(['kubernetes']);
  });

  it('creates, reads, replaces and deletes', async () => {
    const created = await core.createNamespacedConfigMap({ namespace, body: configMap('whole', { a: '1' }) });
    expect(created.metadata?.creationTimestamp).to.be.instanceOf(Date);
    expect((await core.readNamespacedConfigMap({ namespace, name: 'whole' })).data).to.deep.equal({ a: '1' });
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: 'whole',
      body: { ...created, data: { a: '2' } },
    });
    expect(replaced.data).to.deep.equal({ a: '2' });
    const stale = core.replaceNamespacedConfigMap({
      namespace,
      name: 'whole',
      body: { ...created, data: {} },
    });
    expect(await codeOf(stale)).to.equal(409);
    const status = await core.deleteNamespacedConfigMap({ namespace, name: 'whole' });
    expect(status.status).to.equal('Success');
    expect(await codeOf(core.readNamespacedConfigMap({ namespace, name: 'whole' }))).to.equal(404);
  });

  it('patches with JSON patches, merge patches and strategic merge patches', async () => {
    const apps = config.makeApiClient(AppsV1Api);
    await apps.createNamespacedDeployment({
      namespace,
      body: deployment('patched', { replicas: 1 }) as never,
    });
    const patch = (body: unknown, strategy: string) =>
      apps.patchNamespacedDeployment(
        { namespace, name: 'patched', body },
        setHeaderOptions('Content-Type', strategy),
      );
    const json = await patch([{ op: 'replace', path: '/spec/replicas', value: 2 }], PatchStrategy.JsonPatch);
    expect(json.spec?.replicas).to.equal(2);
    const merged = await patch({ metadata: { labels: { colour: 'red' } } }, PatchStrategy.MergePatch);
    expect(merged.metadata?.labels).to.deep.equal({ colour: 'red' });
    const sidecar = {
      spec: { template: { spec: { containers: [{ name: 'side', image: 'example/side:1' }] } } },
    };
    const strategic = await patch(sidecar, PatchStrategy.StrategicMergePatch);
    expect(strategic.spec?.template.spec?.containers.map(({ name }) => name) ?? []).to.have.members([
      'main',
      'side',
    ]);
  });

  it('watches changes', async () => {
    const seen: string[] = [];
    let last: V1ConfigMap | undefined;
    const { metadata } = await core.listNamespacedConfigMap({ namespace });
    const controller = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { resourceVersion: metadata?.resourceVersion },
      (phase, object: V1ConfigMap) => {
        seen.push(`${phase} ${object.metadata?.name}`);
        last = object;
      },
      () => {},
    );
    await core.createNamespacedConfigMap({ namespace, body: configMap('watched') });
    await core.patchNamespacedConfigMap(
      { namespace, name: 'watched', body: { data: { a: '1' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    await eventually(async () => (seen.length >= 2 ? true : undefined));
    expect(last?.data).to.deep.equal({ a: '1' });
    await core.deleteNamespacedConfigMap({ namespace, name: 'watched' });
    await eventually(async () => (seen.length >= 3 ? true : undefined));
    controller.abort();
    expect(seen).to.deep.equal(['ADDED watched', 'MODIFIED watched', 'DELETED watched']);
  });

  it('follows a collection with an informer', async () => {
    const list = () => core.listNamespacedPod({ namespace });
    const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/pods`, list);
    const seen: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) => void seen.push(`${verb} ${metadata?.name}`));
    }
    await core.createNamespacedPod({ namespace, body: pod('before') as never });
    await informer.start();
    await core.createNamespacedPod({ namespace, body: pod('after') as never });
    await core.deleteNamespacedPod({ namespace, name: 'before', gracePeriodSeconds: 0 });
    await eventually(async () => (seen.includes('delete before') ? true : undefined));
    await informer.stop();
    // Pods are marked as deleted before they go, even when they go at once.
    expect(seen).to.deep.equal(['add before', 'add after', 'update before', 'delete before']);
  });

  it('finds kinds by discovery', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'found' },
      rules: [],
    };
    const created = await objects.create<KubernetesObject>(role);
    expect(created.metadata?.name).to.equal('found');
    const read = await objects.read<KubernetesObject>({ ...role, metadata: { name: 'found' } });
    expect(read.metadata?.uid).to.equal(created.metadata?.uid);
  });

  it('reports errors as the server states them', async () => {
    try {
      await core.createNamespacedConfigMap({ namespace, body: configMap('Bad_Name') });
      expect.fail('it was created');
    } catch (error) {
      expect(error).to.be.instanceOf(ApiException);
      const { code, body } = error as ApiException<string>;
      expect(code).to.equal(422);
      expect(typeof body === 'string' ? body : JSON.stringify(body)).to.include('Bad_Name');
    }
  });
});
