import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createFieldLabels } from '../../../src/apis/fields/index.ts';
import { localCollections } from '../../../src/app/local-collections.ts';
import { type Informer, startInformer } from '../../../src/client/informer/index.ts';
import type { CollectionMediaTypes } from '../../../src/client/list-watch/index.ts';
import type {
  CollectionRequest,
  LocalCollection,
  LocalCollections,
  RestClient,
} from '../../../src/client/rest/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../src/machinery/meta/index.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, pod } from '../../support/objects.ts';
import { TestRegistry } from '../../support/registry.ts';

const maps = { group: '', version: 'v1', resource: 'configmaps' };

describe('the collections of a server itself', () => {
  let registry: TestRegistry;
  let collections: LocalCollections;
  let ending: AbortController;
  /** Watches of any resource that are open. */
  let watchers: number;
  let informers: Informer[];
  beforeEach(async () => {
    registry = await TestRegistry.open({ recordsOwners: true });
    ending = new AbortController();
    watchers = 0;
    informers = [];
    collections = collectionsOf(registry);
  });
  afterEach(async () => {
    ending.abort();
    await Promise.all(informers.map(({ done }) => done));
    await registry[Symbol.asyncDispose]();
  });

  const collectionsOf = ({ stores }: TestRegistry): LocalCollections =>
    localCollections({
      stores,
      fieldsOf: createFieldLabels(orchDialect),
      metrics: { watchersOf: () => ({ add: (change) => (watchers += change) }) },
    });
  const find = (request: CollectionRequest): LocalCollection => {
    const found = collections.find(request);
    if (found === undefined) throw new Error('nothing is served there');
    return found;
  };
  const listed = async (request: CollectionRequest): Promise<{ names: string[]; version: string }> => {
    const names: string[] = [];
    let version = '';
    for await (const { items, resourceVersion } of find(request).list(ending.signal)) {
      names.push(...items.map(({ metadata }) => metadata.name ?? ''));
      version = resourceVersion;
    }
    return { names, version };
  };
  /** An informer that cannot send a request. */
  const follow = (
    request: CollectionRequest,
    log: string[] = [],
    accept?: CollectionMediaTypes,
  ): Informer => {
    const client = { local: collections } as unknown as RestClient; // it has nothing to send with
    const { group, version, resource, ...selection } = request;
    const tell =
      (what: string) =>
      ({ metadata }: ApiObject): void =>
        void log.push(`${what} ${metadata.name}`);
    const informer = startInformer({
      client,
      resource: { group, version, resource },
      ...selection,
      accept,
      signal: ending.signal,
      onError: (error) => log.push(String(error)),
      onAdd: tell('add'),
      onUpdate: tell('update'),
      onDelete: tell('delete'),
    });
    informers.push(informer);
    return informer;
  };

  it('give what requests give, without the record of owners', async () => {
    const made = await registry.create('v1/configmaps', configMap('a', { k: '"\\é😀' }));
    await registry.create('v1/configmaps', configMap('b', {}));
    const informer = follow(maps);
    await informer.whenSynced;
    const { managedFields, ...metadata } = made.metadata;
    expect(managedFields).to.have.lengthOf(1);
    expect(informer.get('default', 'a')).to.deep.equal({ ...made, metadata });
  });

  it('tell each change in order, and of deletions the last state', async () => {
    const log: string[] = [];
    const informer = follow(maps, log);
    await informer.whenSynced;
    await registry.create('v1/configmaps', configMap('a', {}));
    await registry.change('v1/configmaps', 'a', (object) => Object.assign(object, { data: { k: '1' } }));
    await registry.create('v1/configmaps', configMap('b', {}));
    await registry.remove('v1/configmaps', 'a');
    await eventually(async () => log[3]);
    expect(log).to.deep.equal(['add a', 'update a', 'add b', 'delete a']);
    expect(informer.list().map(({ metadata }) => metadata.name)).to.deep.equal(['b']);
  });

  it('give all who follow one version of an object the same', async () => {
    await registry.create('v1/configmaps', configMap('old', {}));
    const [one, other] = [follow(maps), follow({ ...maps, namespace: 'default' })];
    await Promise.all([one.whenSynced, other.whenSynced]);
    expect(one.get('default', 'old')).to.equal(other.get('default', 'old')).and.not.equal(undefined);
    await registry.create('v1/configmaps', configMap('new', {}));
    await eventually(async () => one.get('default', 'new') && other.get('default', 'new'));
    expect(one.get('default', 'new')).to.equal(other.get('default', 'new'));
  });

  it('select by namespace, labels and fields, and show objects come and go as they begin and cease to match', async () => {
    const labelled = (name: string, labels: JsonObject): JsonObject => configMap(name, {}, { labels });
    await registry.create('v1/configmaps', labelled('in', { tier: 'front' }));
    await registry.create('v1/configmaps', labelled('out', { tier: 'back' }));
    await registry.create('v1/configmaps', labelled('in', { tier: 'front' }), { namespace: 'other' });
    const front = { ...maps, namespace: 'default', labelSelector: 'tier=front' };
    expect((await listed(front)).names).to.deep.equal(['in']);
    expect((await listed({ ...maps, fieldSelector: 'metadata.name=out' })).names).to.deep.equal(['out']);
    await registry.create('v1/pods', pod('free'));
    await registry.create('v1/pods', { ...pod('bound'), spec: { ...pod('bound').spec, nodeName: 'n' } });
    const pods = { group: '', version: 'v1', resource: 'pods', fieldSelector: 'spec.nodeName=n' };
    expect((await listed(pods)).names).to.deep.equal(['bound']);
    const log: string[] = [];
    await follow(front, log).whenSynced;
    const relabel = (name: string, tier: string) =>
      registry.change('v1/configmaps', name, ({ metadata }) => Object.assign(metadata, { labels: { tier } }));
    await relabel('out', 'front');
    await relabel('in', 'back');
    await eventually(async () => log[2]);
    expect(log).to.deep.equal(['add in', 'add out', 'delete in']);
  });

  it('refuse selectors that say nothing, as requests do', () => {
    for (const wrong of [{ labelSelector: 'a in' }, { fieldSelector: 'spec.color=red' }]) {
      const error = thrownBy(() => collections.find({ ...maps, ...wrong }));
      expect(error).to.be.instanceOf(StatusError).with.property('code', 400);
    }
  });

  it('show objects in the version that is asked for', async () => {
    const scaler = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
      },
    };
    await registry.create('autoscaling/v1/horizontalpodautoscalers', scaler);
    const at = (version: string) => ({ group: 'autoscaling', version, resource: 'horizontalpodautoscalers' });
    const [first, second] = [follow(at('v1')), follow(at('v2beta2'))];
    await Promise.all([first.whenSynced, second.whenSynced]);
    expect(first.list()).to.have.nested.property('[0].spec.targetCPUUtilizationPercentage', 50);
    expect(second.list()).to.have.nested.property('[0].apiVersion', 'autoscaling/v2beta2');
    expect(second.list()).to.have.nested.property('[0].spec.metrics[0].resource.name', 'cpu');
  });

  it('begin a watch after a version, and refuse one that is no longer known', async () => {
    const { version } = await listed(maps);
    await registry.create('v1/configmaps', configMap('a', {}));
    await registry.create('v1/configmaps', configMap('b', {}));
    for await (const { type, object } of find(maps).watch(version, ending.signal)) {
      expect([type, object.metadata.name]).to.deep.equal(['ADDED', 'a']);
      break;
    }
    await using later = await TestRegistry.open({ storage: registry.storage });
    await registry.storage.compact(registry.watchCache.revision);
    const watch = collectionsOf(later).find(maps)?.watch('1', ending.signal)[Symbol.asyncIterator]();
    const error = await watch?.next().then(undefined, (reason: unknown) => reason);
    expect(error).to.be.instanceOf(StatusError).with.property('code', 410);
  });

  it('hand over large lists in pages of one version', async () => {
    for (let index = 0; index < 501; index++)
      await registry.create('v1/configmaps', configMap(`m-${index}`, {}));
    const sizes: number[] = [];
    for await (const { items } of find(maps).list(ending.signal)) sizes.push(items.length);
    expect(sizes).to.deep.equal([500, 1]);
    expect(new Set((await listed(maps)).names).size).to.equal(501);
  });

  it('are counted while they are watched, and not after the end', async () => {
    const informer = follow(maps);
    await informer.whenSynced;
    await eventually(async () => (watchers === 1 ? true : undefined));
    ending.abort();
    await informer.done;
    expect(watchers).to.equal(0);
  });

  it('give metadata alone to those who ask for no more', async () => {
    const made = await registry.create('v1/configmaps', configMap('a', { large: 'x'.repeat(1000) }));
    const accept = { list: 'metadata', watch: 'metadata' };
    const informer = follow(maps, [], accept);
    await informer.whenSynced;
    await registry.create('v1/configmaps', configMap('b', { k: '1' }));
    const changed = await eventually(async () => informer.get('default', 'b'));
    const { managedFields: _, ...metadata } = made.metadata;
    expect(informer.get('default', 'a')).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    expect(changed).to.have.all.keys('apiVersion', 'kind', 'metadata');
    expect(changed.metadata).to.not.have.property('managedFields');
  });

  it('end a list with the signal', async () => {
    await registry.create('v1/configmaps', configMap('a', {}));
    ending.abort();
    const error = await listed(maps).then(undefined, (reason: unknown) => reason);
    expect(error).to.equal(ending.signal.reason);
  });

  it('end a watch that begins after the abort', async () => {
    ending.abort();
    const seen: string[] = [];
    for await (const { type } of find(maps).watch('0', ending.signal)) seen.push(type);
    expect([seen, watchers]).to.deep.equal([[], 0]);
  });

  it('are not there for what is not stored here', () => {
    const resources = [
      { group: '', version: 'v1', resource: 'componentstatuses' },
      { group: 'example.com', version: 'v1', resource: 'widgets' },
      { ...maps, version: 'v2' },
    ];
    for (const request of resources) expect(collections.find(request), request.resource).to.equal(undefined);
    expect(collections.find(maps)).to.not.equal(undefined);
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
