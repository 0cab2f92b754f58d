import { expect } from 'chai';
import { AbsentOwners } from '../../../src/controllers/garbage-collector/absent-owners.ts';
import { DependencyGraph } from '../../../src/controllers/garbage-collector/graph.ts';
import type { Identity, ObservedObject } from '../../../src/controllers/garbage-collector/node.ts';
import type { OwnerReference } from '../../../src/machinery/meta/index.ts';

const identity = (name: string, parts: Partial<Identity> = {}): Identity => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'n',
  name,
  uid: `uid-${name}`,
  ...parts,
});

const owner = (name: string, parts: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `uid-${name}`,
  ...parts,
});

const object = (
  name: string,
  owners: OwnerReference[] = [],
  parts: Partial<ObservedObject> = {},
): ObservedObject => ({
  identity: identity(name),
  owners,
  isBeingDeleted: false,
  waitsForOrphaning: false,
  waitsForDependents: false,
  ...parts,
});

/** A graph, and what it asked for since the last look. */
function setUp() {
  const asked: string[] = [];
  const absent = new AbsentOwners();
  const graph = new DependencyGraph(
    {
      checkDeletion: (node) => void asked.push(node.identity.name),
      checkDeletionLater: (node) => void asked.push(`later ${node.identity.namespace}/${node.identity.name}`),
      orphanDependents: (node) => void asked.push(`orphan ${node.identity.name}`),
      reportForeignOwner: (node, { name }) => void asked.push(`${node.identity.name} cannot reach ${name}`),
    },
    absent,
  );
  return { graph, absent, take: () => asked.splice(0).sort() };
}

describe('DependencyGraph', () => {
  it('asks nothing about objects without owners', () => {
    const { graph, take } = setUp();
    graph.observe(object('a'));
    graph.observe(object('a'));
    graph.remove('uid-a');
    expect(take()).to.deep.equal([]);
    expect(graph.size).to.equal(0);
  });

  it('makes a virtual node for an owner that nobody saw, and asks about it', () => {
    const { graph, take } = setUp();
    graph.observe(object('b', [owner('a')]));
    expect(take()).to.deep.equal(['a']);
    expect(graph.find('uid-a')?.isVirtual).to.equal(true);
    graph.observe(object('a'));
    expect(take()).to.deep.equal([]);
    expect(graph.find('uid-a')?.isVirtual).to.equal(false);
    expect(graph.find('uid-a')?.dependentCount).to.equal(1);
  });

  it('asks about the dependents of an object that is gone, and remembers that it is', () => {
    const { graph, absent, take } = setUp();
    graph.observe(object('a'));
    graph.observe(object('b', [owner('a')]));
    graph.observe(object('c', [owner('a')]));
    graph.remove('uid-a');
    expect(take()).to.deep.equal(['b', 'c']);
    expect(absent.has(identity('a'))).to.equal(true);
  });

  it('follows owners that are added and removed', () => {
    const { graph, take } = setUp();
    graph.observe(object('a'));
    graph.observe(object('b', [owner('a'), owner('ghost')]));
    take();
    graph.observe(object('b', [owner('a')]));
    expect(graph.find('uid-ghost')).to.equal(undefined);
    graph.observe(object('b'));
    graph.remove('uid-a');
    expect(take()).to.deep.equal([]);
  });

  it('starts a foreground deletion once', () => {
    const { graph, take } = setUp();
    graph.observe(object('a'));
    graph.observe(object('b', [owner('a', { blockOwnerDeletion: true })]));
    const waiting = object('a', [], { isBeingDeleted: true, waitsForDependents: true });
    graph.observe(waiting);
    expect(take()).to.deep.equal(['a', 'b']);
    graph.observe(waiting);
    expect(take()).to.deep.equal([]);
    expect(
      graph
        .find('uid-a')
        ?.blockingDependents()
        .map((node) => node.identity.name),
    ).to.deep.equal(['b']);
  });

  it('looks at a waiting owner again when a dependent goes or stops blocking', () => {
    const { graph, take } = setUp();
    graph.observe(object('a', [], { isBeingDeleted: true, waitsForDependents: true }));
    const blocking = [owner('a', { blockOwnerDeletion: true })];
    graph.observe(object('b', blocking));
    graph.observe(object('c', blocking));
    take();
    graph.remove('uid-b');
    expect(take()).to.deep.equal(['a']);
    graph.observe(object('c', [owner('a')]));
    expect(take()).to.deep.equal(['a']);
  });

  it('starts an orphaning deletion once', () => {
    const { graph, take } = setUp();
    const orphaning = object('a', [], { isBeingDeleted: true, waitsForOrphaning: true });
    graph.observe(orphaning);
    graph.observe(orphaning);
    expect(take()).to.deep.equal(['orphan a']);
  });

  it('checks dependents that mean another object by the uid of their owner', () => {
    const { graph, take } = setUp();
    graph.observe(object('b', [owner('a', { name: 'other' })]));
    graph.observe(object('c', [owner('a')]));
    take();
    graph.observe(object('a'));
    expect(take()).to.deep.equal(['b']);
    graph.observe(object('d', [owner('a', { kind: 'Secret' })]));
    expect(take()).to.deep.equal(['d']);
  });

  it('checks a dependent in another namespace than its owner, and tells of it', () => {
    const { graph, take } = setUp();
    graph.observe(object('a'));
    graph.observe(object('b', [owner('a')], { identity: identity('b', { namespace: 'elsewhere' }) }));
    expect(take()).to.deep.equal(['b', 'b cannot reach a']);
  });

  it('tells of a dependent in another namespace also when its owner is seen later', () => {
    const { graph, take } = setUp();
    graph.observe(object('b', [owner('a')], { identity: identity('b', { namespace: 'elsewhere' }) }));
    expect(take()).to.deep.equal(['a']);
    graph.observe(object('a'));
    expect(take()).to.deep.equal(['b', 'b cannot reach a']);
  });

  it('lets dependents in any namespace have an owner outside namespaces', () => {
    const { graph, take } = setUp();
    graph.observe(object('b', [owner('a')]));
    take();
    graph.observe(object('a', [], { identity: identity('a', { namespace: '' }) }));
    graph.observe(object('c', [owner('a')], { identity: identity('c', { namespace: 'elsewhere' }) }));
    expect(take()).to.deep.equal([]);
  });

  it('removes a virtual owner that the server does not have', () => {
    const { graph, absent, take } = setUp();
    graph.observe(object('b', [owner('a')]));
    take();
    graph.removeAbsent(identity('a'));
    expect(take()).to.deep.equal(['b']);
    expect(absent.has(identity('a'))).to.equal(true);
    expect(graph.find('uid-a')).to.equal(undefined);
  });

  it('tries what other dependents say of an owner before it gives it up', () => {
    const { graph, take } = setUp();
    graph.observe(object('b', [owner('a')]));
    graph.observe(object('c', [owner('a')], { identity: identity('c', { namespace: 'm' }) }));
    take();
    graph.removeAbsent(identity('a'));
    expect(take()).to.deep.equal(['b', 'later m/a']);
    expect(graph.find('uid-a')?.isVirtual).to.equal(true);
  });

  it('keeps an object that was seen when somebody asked for it by a wrong name', () => {
    const { graph, take } = setUp();
    graph.observe(object('a'));
    graph.observe(object('b', [owner('a', { name: 'other' })]));
    take();
    graph.removeAbsent(identity('other', { uid: 'uid-a' }));
    expect(take()).to.deep.equal(['b']);
    expect(graph.find('uid-a')?.isVirtual).to.equal(false);
  });

  it('keeps the dependents of an object that is not followed any more', () => {
    const { graph, take } = setUp();
    graph.observe(object('a'));
    graph.observe(object('b', [owner('a')]));
    graph.observe(object('lone'));
    graph.forget('uid-a');
    graph.forget('uid-lone');
    expect(take()).to.deep.equal(['later n/a']);
    expect(graph.find('uid-lone')).to.equal(undefined);
    graph.observe(object('a'));
    graph.remove('uid-a');
    expect(take()).to.deep.equal(['b']);
  });
});

describe('AbsentOwners', () => {
  it('forgets the oldest beyond its bound', () => {
    const absent = new AbsentOwners(2);
    absent.add(identity('a'));
    absent.add(identity('b'));
    absent.add(identity('a'));
    absent.add(identity('c'));
    expect(['a', 'b', 'c'].map((name) => absent.has(identity(name)))).to.deep.equal([true, false, true]);
  });

  it('tells owners of one uid apart by the rest', () => {
    const absent = new AbsentOwners();
    absent.add(identity('a'));
    expect(absent.has(identity('a', { namespace: 'm' }))).to.equal(false);
  });
});
