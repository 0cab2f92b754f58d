import { expect } from 'chai';
import { AbsentOwners } from '../../../src/controllers/garbage-collector/absent-owners.ts';
import { createCollector } from '../../../src/controllers/garbage-collector/collector.ts';
import { DependencyGraph, type GraphWork } from '../../../src/controllers/garbage-collector/graph.ts';
import {
  type LiveObjects,
  OwnerOutOfReach,
} from '../../../src/controllers/garbage-collector/live-objects.ts';
import { GraphNode, type Identity } from '../../../src/controllers/garbage-collector/node.ts';
import { conflict } from '../../../src/machinery/errors/index.ts';
import type { ObjectMeta, OwnerReference } from '../../../src/machinery/meta/index.ts';

const owner = (name: string, parts: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'K',
  name,
  uid: `uid-${name}`,
  ...parts,
});

/** A collector over objects in memory, by name; it keeps a log of what it was told to do. */
function setUp(objects: Record<string, ObjectMeta>) {
  const log: string[] = [];
  let conflicts = 0;
  const absent = new AbsentOwners();
  const work: GraphWork = {
    checkDeletion: (node) => void log.push(`check ${node.identity.name}`),
    checkDeletionLater: (node) => void log.push(`later ${node.identity.name}`),
    orphanDependents() {},
    reportForeignOwner() {},
  };
  const graph = new DependencyGraph(work, absent);
  const write = (text: string): void => {
    if (conflicts-- > 0) throw conflict({ group: '', resource: 'ks' }, 'x', 'lost');
    log.push(text);
  };
  const live: LiveObjects = {
    async read({ name }) {
      if (name === 'far') throw new OwnerOutOfReach('far');
      log.push(`read ${name}`);
      return objects[name];
    },
    async remove({ name }, policy) {
      write(`delete ${name} ${policy}`);
    },
    async setOwners({ name }, _metadata, owners) {
      write(`owners of ${name}: ${owners.map((o) => `${o.name}${o.blockOwnerDeletion ? '!' : ''}`).join()}`);
    },
    async setFinalizers({ name }, _metadata, finalizers) {
      write(`finalizers of ${name}: ${finalizers.join()}`);
    },
  };
  const onBadReference = (node: GraphNode) => void log.push(`bad reference of ${node.identity.name}`);
  const collector = createCollector({ graph, work, absent, live, onBadReference });
  const identity = (name: string): Identity => ({
    apiVersion: 'v1',
    kind: 'K',
    namespace: 'n',
    name,
    uid: `uid-${name}`,
  });
  for (const [name, metadata] of Object.entries(objects)) {
    const isBeingDeleted = Boolean(metadata.deletionTimestamp);
    graph.observe({
      identity: identity(name),
      owners: metadata.ownerReferences ?? [],
      isBeingDeleted,
      waitsForOrphaning: isBeingDeleted && metadata.finalizers?.includes('orphan') === true,
      waitsForDependents: isBeingDeleted && metadata.finalizers?.includes('foregroundDeletion') === true,
    });
  }
  const node = (name: string): GraphNode =>
    graph.find(`uid-${name}`) ?? new GraphNode(identity(name), { isVirtual: true });
  const failNext = (count: number): void => {
    conflicts = count;
  };
  log.length = 0;
  return { collector, graph, log, node, failNext };
}

const meta = (name: string, parts: ObjectMeta = {}): ObjectMeta => ({ name, uid: `uid-${name}`, ...parts });
const deletionTimestamp = '2020-01-01T00:00:00Z';

describe('createCollector', () => {
  it('deletes an object whose owner is gone, and asks for that owner once only', async () => {
    const ownerReferences = [owner('gone')];
    const { collector, log, node } = setUp({
      a: meta('a', { ownerReferences }),
      b: meta('b', { ownerReferences }),
    });
    await collector.checkDeletion(node('a'));
    await collector.checkDeletion(node('b'));
    expect(log).to.deep.equal([
      'read a',
      'read gone',
      'delete a Background',
      'read b',
      'delete b Background',
    ]);
  });

  it('treats an owner with another uid as gone', async () => {
    const { collector, log, node } = setUp({
      new: meta('new'),
      a: meta('a', { ownerReferences: [owner('new', { uid: 'old' })] }),
    });
    await collector.checkDeletion(node('a'));
    expect(log).to.include('delete a Background');
  });

  it('believes the server, not the graph', async () => {
    const objects = { a: meta('a', { ownerReferences: [owner('gone')] }) };
    const { collector, log, node } = setUp(objects);
    objects.a = meta('a');
    await collector.checkDeletion(node('a'));
    expect(log).to.deep.equal(['read a']);
  });

  it('removes a virtual owner that is not there', async () => {
    const { collector, graph, log, node } = setUp({ a: meta('a', { ownerReferences: [owner('gone')] }) });
    await collector.checkDeletion(node('gone'));
    expect(log).to.deep.equal(['read gone', 'check a']);
    expect(graph.find('uid-gone')).to.equal(undefined);
  });

  it('leaves an object alone whose deletion has begun, and one that left the graph', async () => {
    const { collector, graph, log, node } = setUp({
      a: meta('a', { deletionTimestamp, finalizers: ['example.com/f'], ownerReferences: [owner('gone')] }),
      b: meta('b', { ownerReferences: [owner('gone')] }),
    });
    await collector.checkDeletion(node('a'));
    const left = node('b');
    graph.remove('uid-b');
    log.length = 0;
    await collector.checkDeletion(left);
    expect(log).to.deep.equal([]);
  });

  it('lets a waiting owner go when nothing blocks it any more', async () => {
    const finalizers = ['example.com/f', 'foregroundDeletion'];
    const { collector, log, node, failNext } = setUp({
      a: meta('a', { deletionTimestamp, finalizers }),
      b: meta('b', { ownerReferences: [owner('a')] }),
    });
    failNext(2);
    await collector.checkDeletion(node('a'));
    expect(log.filter((line) => !line.startsWith('read'))).to.deep.equal(['finalizers of a: example.com/f']);
  });

  it('keeps a waiting owner while a dependent blocks it', async () => {
    const { collector, log, node } = setUp({
      a: meta('a', { deletionTimestamp, finalizers: ['foregroundDeletion'] }),
      b: meta('b', { ownerReferences: [owner('a', { blockOwnerDeletion: true })] }),
    });
    await collector.checkDeletion(node('a'));
    expect(log).to.deep.equal(['read a', 'check b']);
  });

  it('releases every dependent before it lets an orphaning owner go', async () => {
    const { collector, log, node } = setUp({
      a: meta('a', { deletionTimestamp, finalizers: ['orphan'] }),
      b: meta('b', { ownerReferences: [owner('a'), owner('c')] }),
      c: meta('c', { ownerReferences: [owner('a')] }),
    });
    await collector.orphanDependents(node('a'));
    const writes = log.filter((line) => !line.startsWith('read'));
    expect(writes.slice(0, 2).sort()).to.deep.equal(['owners of b: c', 'owners of c: ']);
    expect(writes.slice(2)).to.deep.equal(['finalizers of a: ']);
  });

  it('gives up on a reference that nobody can follow', async () => {
    const { collector, log, node } = setUp({ a: meta('a', { ownerReferences: [owner('far')] }) });
    await collector.checkDeletion(node('a'));
    expect(log).to.deep.equal(['read a', 'bad reference of a']);
  });
});
