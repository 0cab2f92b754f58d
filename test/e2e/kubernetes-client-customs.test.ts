import {
  ApiException,
  ApiextensionsV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1CustomResourceDefinition,
  Watch,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { eventually } from '../support/eventually.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';

/** What the definition defines. */
interface CronTab extends KubernetesObject {
  spec: { image: string; replicas?: number };
  status?: { replicas?: number };
}

const at = {
  group: 'stable.example.com',
  version: 'v1',
  namespace: 'default',
  plural: 'crontabs',
} as const;
const apiVersion = `${at.group}/${at.version}`;
const path = `/apis/${apiVersion}/namespaces/${at.namespace}/${at.plural}`;
const name = `${at.plural}.${at.group}`;

const definition: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: {
    group: at.group,
    scope: 'Namespaced',
    names: { plural: at.plural, singular: 'crontab', kind: 'CronTab' },
    versions: [
      {
        name: at.version,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['image'],
                properties: { image: { type: 'string' }, replicas: { type: 'integer', _default: 1 } },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
};

const cronTab = (objectName: string, image: string): CronTab => ({
  apiVersion,
  kind: 'CronTab',
  metadata: { name: objectName, namespace: at.namespace },
  spec: { image },
});

describe('the client library of that ecosystem, with custom resources', function () {
  this.timeout(60_000);
  let server: ServeProcess;
  let config: KubeConfig;
  let customs: CustomObjectsApi;
  let definitions: ApiextensionsV1Api;
  before(async () => {
    server = await startServe([
      '--dialect=kubernetes',
      '--ephemeral',
      '--controllers=none',
      '--disable-admission-plugins=ServiceAccount',
    ]);
    config = new KubeConfig();
    config.loadFromFile(server.configPath);
    customs = config.makeApiClient(CustomObjectsApi);
    definitions = config.makeApiClient(ApiextensionsV1Api);
  });
  after(async () => {
    await server?.stop();
  });

  /** The library does not know what custom objects are. */
  const typed = (object: unknown): CronTab => object as CronTab;
  const codeOf = async (work: Promise<unknown>): Promise<number> =>
    work.then(
      () => 200,
      (error: unknown) => (error instanceof ApiException ? error.code : -1),
    );

  it('defines a kind and sees it established over a watch', async () => {
    const conditions: string[] = [];
    const watch = await new Watch(config).watch(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      { fieldSelector: `metadata.name=${name}` },
      (_phase, { status }: V1CustomResourceDefinition) => {
        for (const { type, status: value } of status?.conditions ?? []) conditions.push(`${type} ${value}`);
      },
      () => {},
    );
    const created = await definitions.createCustomResourceDefinition({ body: definition });
    expect(created.metadata?.creationTimestamp).to.be.instanceOf(Date);
    await eventually(async () => (conditions.includes('Established True') ? true : undefined));
    watch.abort();
    expect(conditions).to.include('NamesAccepted True');
  });

  it('creates, reads, replaces, patches, scales and deletes its objects', async () => {
    const created = typed(
      await customs.createNamespacedCustomObject({ ...at, body: cronTab('whole', 'one') }),
    );
    expect(created.spec).to.deep.equal({ image: 'one', replicas: 1 });
    const one = { ...at, name: 'whole' };
    expect(typed(await customs.getNamespacedCustomObject(one))).to.deep.equal(created);
    const body = { ...created, spec: { image: 'two', replicas: 2 } };
    const replaced = typed(await customs.replaceNamespacedCustomObject({ ...one, body }));
    expect(replaced.spec).to.deep.equal({ image: 'two', replicas: 2 });
    expect(await codeOf(customs.replaceNamespacedCustomObject({ ...one, body }))).to.equal(409);

    const merged = typed(
      await customs.patchNamespacedCustomObject(
        { ...one, body: { spec: { image: 'three' } } },
        setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
      ),
    );
    expect(merged.spec).to.deep.equal({ image: 'three', replicas: 2 });
    const json = typed(
      await customs.patchNamespacedCustomObject(
        { ...one, body: [{ op: 'replace', path: '/spec/replicas', value: 3 }] },
        setHeaderOptions('Content-Type', PatchStrategy.JsonPatch),
      ),
    );
    expect(json.spec.replicas).to.equal(3);
    const applied = typed(
      await customs.patchNamespacedCustomObject(
        { ...one, body: cronTab('whole', 'four'), fieldManager: 'applier', force: true },
        setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
      ),
    );
    expect(applied.spec).to.deep.equal({ image: 'four', replicas: 3 });

    await customs.patchNamespacedCustomObjectStatus(
      { ...one, body: { status: { replicas: 3 } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    const scale: unknown = await customs.patchNamespacedCustomObjectScale(
      { ...one, body: { spec: { replicas: 5 } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    expect(scale).to.have.nested.property('spec.replicas', 5);
    expect(scale).to.have.nested.property('status.replicas', 3);
    const { spec, status } = typed(await customs.getNamespacedCustomObject(one));
    expect([spec.replicas, status?.replicas]).to.deep.equal([5, 3]);

    const invalid = { ...cronTab('invalid', 'x'), spec: {} };
    expect(await codeOf(customs.createNamespacedCustomObject({ ...at, body: invalid }))).to.equal(422);
    await customs.deleteNamespacedCustomObject(one);
    expect(await codeOf(customs.getNamespacedCustomObject(one))).to.equal(404);
  });

  it('follows its objects with an informer that knows their type', async () => {
    const list = async (): Promise<KubernetesListObject<CronTab>> =>
      (await customs.listNamespacedCustomObject(at)) as KubernetesListObject<CronTab>;
    const informer = makeInformer<CronTab>(config, path, list);
    const seen: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata, spec }) => void seen.push(`${verb} ${metadata?.name} ${spec.image}`));
    }
    await customs.createNamespacedCustomObject({ ...at, body: cronTab('before', 'one') });
    await informer.start();
    await customs.createNamespacedCustomObject({ ...at, body: cronTab('after', 'one') });
    await customs.patchNamespacedCustomObject(
      { ...at, name: 'before', body: { spec: { image: 'two' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    await customs.deleteNamespacedCustomObject({ ...at, name: 'after' });
    await eventually(async () => (seen.length >= 4 ? true : undefined));
    expect(seen).to.deep.equal(['add before one', 'add after one', 'update before two', 'delete after one']);
    expect(informer.get('before', at.namespace)?.spec.image).to.equal('two');
    expect(informer.list(at.namespace)).to.have.length(1);
    await informer.stop();
  });

  it('finds the kind by discovery', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const created = typed(await objects.create(cronTab('found', 'one')));
    expect(typed(await objects.read({ ...created, metadata: { name: 'found' } })).metadata?.uid).to.equal(
      created.metadata?.uid,
    );
    await objects.delete(created);
  });

  it('takes the definition away, and its objects with it', async () => {
    await definitions.deleteCustomResourceDefinition({ name });
    await eventually(async () =>
      (await codeOf(definitions.readCustomResourceDefinition({ name }))) === 404 ? true : undefined,
    );
    expect(await codeOf(customs.listNamespacedCustomObject(at))).to.equal(404);
  });
});
