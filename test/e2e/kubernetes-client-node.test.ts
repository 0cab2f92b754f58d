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
import { assert } from 'chai';
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
    this.timeout(30_000);
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
    assert.includeMembers(names, ['default', 'kube-system', 'kube-public', 'kube-node-lease']);
    const services = await core.listNamespacedService({ namespace });
    assert.deepEqual(
      services.items.map(({ metadata }) => metadata?.name),
      ['kubernetes'],
    );
  });

  it('creates, reads, replaces and deletes', async () => {
    const created = await core.createNamespacedConfigMap({ namespace, body: configMap('whole', { a: '1' }) });
    assert.instanceOf(created.metadata?.creationTimestamp, Date);
    assert.deepEqual((await core.readNamespacedConfigMap({ namespace, name: 'whole' })).data, { a: '1' });
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: 'whole',
      body: { ...created, data: { a: '2' } },
    });
    assert.deepEqual(replaced.data, { a: '2' });
    const stale = core.replaceNamespacedConfigMap({
      namespace,
      name: 'whole',
      body: { ...created, data: {} },
    });
    assert.equal(await codeOf(stale), 409);
    const status = await core.deleteNamespacedConfigMap({ namespace, name: 'whole' });
    assert.equal(status.status, 'Success');
    assert.equal(await codeOf(core.readNamespacedConfigMap({ namespace, name: 'whole' })), 404);
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
    assert.equal(json.spec?.replicas, 2);
    const merged = await patch({ metadata: { labels: { colour: 'red' } } }, PatchStrategy.MergePatch);
    assert.deepEqual(merged.metadata?.labels, { colour: 'red' });
    const sidecar = {
      spec: { template: { spec: { containers: [{ name: 'side', image: 'example/side:1' }] } } },
    };
    const strategic = await patch(sidecar, PatchStrategy.StrategicMergePatch);
    assert.sameMembers(strategic.spec?.template.spec?.containers.map(({ name }) => name) ?? [], [
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
    assert.deepEqual(last?.data, { a: '1' });
    await core.deleteNamespacedConfigMap({ namespace, name: 'watched' });
    await eventually(async () => (seen.length >= 3 ? true : undefined));
    controller.abort();
    assert.deepEqual(seen, ['ADDED watched', 'MODIFIED watched', 'DELETED watched']);
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
    assert.deepEqual(seen, ['add before', 'add after', 'update before', 'delete before']);
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
    assert.equal(created.metadata?.name, 'found');
    const read = await objects.read<KubernetesObject>({ ...role, metadata: { name: 'found' } });
    assert.equal(read.metadata?.uid, created.metadata?.uid);
  });

  it('reports errors as the server states them', async () => {
    try {
      await core.createNamespacedConfigMap({ namespace, body: configMap('Bad_Name') });
      assert.fail('it was created');
    } catch (error) {
      assert.instanceOf(error, ApiException);
      const { code, body } = error as ApiException<string>;
      assert.equal(code, 422);
      assert.include(typeof body === 'string' ? body : JSON.stringify(body), 'Bad_Name');
    }
  });
});
