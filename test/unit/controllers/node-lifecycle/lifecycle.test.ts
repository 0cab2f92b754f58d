import { expect } from 'chai';
import type { Toleration } from '../../../../src/apis/types/core-v1.ts';
import { SimulatedNodes } from './simulated-nodes.ts';

/** As pods have them that say nothing themselves. */
const fiveMinutes: Toleration[] = ['not-ready', 'unreachable'].map((name) => ({
  ...{ key: `node.orch.io/${name}`, operator: 'Exists', effect: 'NoExecute' },
  tolerationSeconds: 300,
}));
const tolerations = fiveMinutes;
const unreachable = ['NoExecute unreachable', 'NoSchedule unreachable'];

/** Names with numbers below `count`. */
const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('nodes that fall silent', () => {
  let cluster: SimulatedNodes;
  afterEach(() => cluster.stop());
  const start = (nodes: string[], settings = {}): SimulatedNodes => {
    cluster = new SimulatedNodes(settings);
    for (const name of nodes) cluster.addNode(name);
    return cluster;
  };
  /** The seconds at which something happened, and its beginning. */
  const seen = (text: string): string[] => cluster.log.filter((line) => line.includes(text));

  it('are unknown after 40 seconds, tainted, and lose their pods after what these tolerate', async () => {
    const { log } = start(['a', 'b', 'c']);
    cluster.addPod('p', 'a', { tolerations });
    await cluster.pass(20);
    cluster.silence('a');
    await cluster.pass(30);
    expect(cluster.readyOf(cluster.node('a'))).to.equal('True');
    await cluster.pass(20);
    expect(cluster.readyOf(cluster.node('a'))).to.equal('Unknown');
    expect(cluster.readyOf(cluster.pod('p'))).to.equal('False');
    expect(cluster.taintsOf('a')).to.deep.equal(unreachable);
    await cluster.pass(280);
    expect(cluster.pod('p')).not.to.equal(undefined);
    await cluster.pass(30);
    expect(cluster.pod('p')).to.equal(undefined);
    // The last lease was seen at 15, and looked at again when its time was over.
    expect(log.filter((line) => !line.includes('Registered'))).to.have.members([
      '60 a NodeNotReady: Node a status is now: NodeNotReady',
      '60 p NodeNotReady: Node is not ready',
      '365 p TaintManagerEviction: Marking for deletion Pod n/p',
      '365 p deleted',
    ]);
    expect(cluster.taintsOf('b')).to.deep.equal([]);
  });

  it('keep their pods when they are back in time', async () => {
    start(['a', 'b']);
    cluster.addPod('p', 'a', { tolerations });
    cluster.silence('a');
    await cluster.pass(200);
    expect(cluster.taintsOf('a')).to.deep.equal(unreachable);
    cluster.resume('a');
    await cluster.pass(3600);
    expect(cluster.taintsOf('a')).to.deep.equal([]);
    expect(cluster.pod('p')).not.to.equal(undefined);
    expect(seen('Cancelling deletion of Pod n/p')).to.have.lengthOf(1);
  });

  it('change the reason why they evict at once', async () => {
    start(['a', 'b']);
    cluster.report('a', 'False');
    await cluster.pass(10);
    expect(cluster.taintsOf('a')).to.deep.equal(['NoExecute not-ready', 'NoSchedule not-ready']);
    cluster.silence('a');
    await cluster.pass(50);
    expect(cluster.taintsOf('a')).to.deep.equal(unreachable);
  });

  it('keep their pods as long as none is left, and begin anew when one is back', async () => {
    start(['a', 'b', 'c']);
    for (const name of ['a', 'b', 'c']) cluster.addPod(`p${name}`, name, { tolerations });
    await cluster.pass(10);
    cluster.silence('a', 'b', 'c');
    await cluster.pass(7200);
    expect(cluster.readyOf(cluster.node('b'))).to.equal('Unknown');
    expect(cluster.taintsOf('b')).to.deep.equal(['NoSchedule unreachable']);
    expect(seen('deleted')).to.deep.equal([]);
    cluster.resume('a');
    await cluster.pass(60);
    expect(cluster.taintsOf('b')).to.deep.equal(unreachable);
    await cluster.pass(400);
    expect(seen('deleted')).to.have.lengthOf(2);
    expect(cluster.pod('pa')).not.to.equal(undefined);
  });

  for (const [what, silent, apartSeconds] of [
    ['one after the other, ten seconds apart', 5, 10],
    ['slower where too many of a large zone are silent', 40, 100],
  ] as const) {
    it(`lose their pods ${what}`, async () => {
      const all = names('n', 60);
      start(all);
      for (const name of all) cluster.addPod(`p-${name}`, name);
      await cluster.pass(10);
      cluster.silence(...all.slice(0, silent));
      await cluster.pass(60 + 4 * apartSeconds);
      const seconds = seen('deleted').map((line) => Number.parseInt(line, 10));
      expect(seconds).to.have.lengthOf.within(4, 6);
      for (const [at, second] of seconds.slice(1).entries()) {
        // The first may have had its turn before the others fell silent, at the usual rate.
        if (at > 0) expect(second - (seconds[at] ?? 0)).to.be.within(apartSeconds - 1, apartSeconds + 1);
      }
    });
  }

  it('keep their pods where too many of a small zone are silent', async () => {
    start(names('n', 5));
    for (const name of names('n', 5)) cluster.addPod(`p-${name}`, name);
    await cluster.pass(10);
    cluster.silence(...names('n', 4));
    await cluster.pass(3600);
    expect(seen('deleted').length).to.be.most(1);
  });

  it('lose their pods by deletion without taints, but those of daemon sets', async () => {
    start(['a', 'b'], { enableTaintManager: false });
    cluster.addPod('p', 'a');
    cluster.addPod('d', 'a', { kind: 'DaemonSet' });
    cluster.silence('a');
    await cluster.pass(290);
    expect(cluster.taintsOf('a')).to.deep.equal(['NoSchedule unreachable']);
    expect(cluster.pod('p')).not.to.equal(undefined);
    await cluster.pass(40);
    expect(cluster.pod('p')).to.equal(undefined);
    expect(cluster.pod('d').status).to.include({
      reason: 'NodeLost',
      message: 'Node a which was running pod d is unresponsive',
    });
    expect(seen('DeletingAllPods: Node a event: Deleting all Pods from Node a.')).to.have.lengthOf(1);
    expect(seen('NodeControllerEviction: Marking for deletion Pod p from Node a')).to.have.lengthOf(1);
  });

  it('are told when they come and go', async () => {
    start(['a']);
    await cluster.pass(10);
    cluster.removeNode('a');
    await cluster.pass(10);
    expect(cluster.log).to.deep.equal([
      '0 a RegisteredNode: Node a event: Registered Node a in Controller',
      '15 a RemovingNode: Node a event: Removing Node a from Controller',
    ]);
  });
});

describe('pods and taints that evict', () => {
  it('go at once, later or never, as they tolerate', async () => {
    const cluster = new SimulatedNodes();
    cluster.addNode('a');
    cluster.addNode('b');
    cluster.report('b', 'False');
    await cluster.pass(10);
    const exists = { operator: 'Exists', effect: 'NoExecute' };
    cluster.addPod('now', 'b');
    cluster.addPod('later', 'b', { tolerations: [{ ...exists, tolerationSeconds: 60 }] });
    cluster.addPod('much-later', 'b', { tolerations: [{ ...exists, tolerationSeconds: 2 * 86_400 }] });
    cluster.addPod('never', 'b', { tolerations: [exists] });
    await cluster.pass(100);
    const deleted = cluster.log.filter((line) => line.endsWith('deleted'));
    expect(deleted).to.deep.equal(['10 now deleted', '70 later deleted']);
    expect(cluster.readyOf(cluster.pod('never'))).to.equal('False');
    await cluster.pass(2 * 86_400);
    expect(cluster.pod('much-later')).to.equal(undefined);
    expect(cluster.pod('never')).not.to.equal(undefined);
    await cluster.stop();
  });
});
