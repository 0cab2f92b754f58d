import { expect } from 'chai';
import type { Event, Node, NodeCondition, Taint } from '../../../src/apis/types/core-v1.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const nodes = '/api/v1/nodes';
const pods = inNamespace('default', 'pods');
const leases = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases';
const contentType = 'application/merge-patch+json';

describe('the controllers of nodes', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      flags: [
        '--controllers=nodelifecycle,ttl',
        '--disable-admission-plugins=ServiceAccount',
        '--node-monitor-period=50ms',
        '--node-monitor-grace-period=2s',
        '--node-eviction-rate=100',
      ],
    });
    for (const name of ['silent', 'lives']) {
      await server.admin.create(nodes, {
        ...{ apiVersion: 'v1', kind: 'Node' },
        metadata: { name, labels: { 'orch.io/os': 'linux' } },
      });
      await server.admin.create(leases, {
        ...{ apiVersion: 'coordination.orch.io/v1', kind: 'Lease', metadata: { name } },
        spec: { holderIdentity: name },
      });
      await server.admin.expect('PATCH', `${nodes}/${name}/status`, {
        body: { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
        contentType,
      });
    }
  });
  after(() => server.stop());

  let renewals = 0;
  /** What is found while one of the nodes goes on to renew its lease. */
  const find = <T>(look: () => Promise<T | undefined>): Promise<T> =>
    eventually(async () => {
      const renewTime = new Date(Date.UTC(2030, 0, 1) + renewals++ * 1000).toISOString().replace('Z', '000Z');
      await server.admin.expect('PATCH', `${leases}/lives`, { body: { spec: { renewTime } }, contentType });
      // A machine that is too busy for that is forgiven: a node that reports is alive whatever was thought of it.
      const lastHeartbeatTime = renewTime.replace(/\.0+/, '');
      const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime }];
      await server.admin.expect('PATCH', `${nodes}/lives/status`, {
        body: { status: { conditions } },
        contentType,
      });
      return look();
    });
  const read = (name: string) => server.admin.expect('GET', `${nodes}/${name}`);
  const eventsOf = async (name: string): Promise<string[]> => {
    const selector = `fieldSelector=involvedObject.name=${name}`;
    const { items } = await server.admin.expect('GET', `${inNamespace('default', 'events')}?${selector}`);
    return items.map(({ reason, message }: Event) => `${reason}: ${message}`);
  };

  it('take the taint of a new node away when it is ready, label it and say how long it may cache', async () => {
    const node = await find(async () => {
      const found = await read('lives');
      const isDone =
        found.spec.taints === undefined &&
        found.metadata.annotations !== undefined &&
        found.metadata.labels?.['beta.orch.io/os'] !== undefined;
      return isDone ? found : undefined;
    });
    expect(node.metadata.annotations).to.deep.equal({ 'node.alpha.orch.io/ttl': '0' });
    expect(node.metadata.labels).to.include({ 'beta.orch.io/os': 'linux' });
  });

  it('mark a silent node and its pods, and evict those that do not tolerate it', async () => {
    for (const name of ['goes', 'stays']) {
      await server.admin.create(pods, {
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
        spec: {
          nodeName: 'silent',
          containers: [{ name: 'c', image: 'i' }],
          tolerations: [
            {
              ...{ key: 'node.orch.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
              ...(name === 'goes' && { tolerationSeconds: 0 }),
            },
          ],
        },
      });
      await server.admin.expect('PATCH', `${pods}/${name}/status`, {
        body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
        contentType,
      });
    }
    const pod = (name: string) => server.admin.expect('GET', `${pods}/${name}`);
    await find(async () => (await pod('goes')).metadata.deletionTimestamp ?? undefined);
    const stays = await find(async () => {
      const found = await pod('stays');
      return found.status.conditions?.some(
        ({ type, status }: NodeCondition) => type === 'Ready' && status === 'False',
      )
        ? found
        : undefined;
    });
    expect(stays.metadata.deletionTimestamp).to.equal(undefined);
    const node = await read('silent');
    const ready = node.status.conditions?.find(({ type }: NodeCondition) => type === 'Ready');
    expect(ready).to.include({ status: 'Unknown', reason: 'NodeStatusUnknown' });
    expect(node.spec.taints?.map(({ key, effect }: Taint) => `${key} ${effect}`)).to.have.members([
      'node.orch.io/unreachable NoExecute',
      'node.orch.io/unreachable NoSchedule',
    ]);
    for (const [name, text] of [
      ['silent', 'RegisteredNode: Node silent event: Registered Node silent in Controller'],
      ['silent', 'NodeNotReady: Node silent status is now: NodeNotReady'],
      ['stays', 'NodeNotReady: Node is not ready'],
      ['goes', 'TaintManagerEviction: Marking for deletion Pod default/goes'],
    ] as const) {
      await find(async () => ((await eventsOf(name)).includes(text) ? true : undefined));
    }
    const { body } = await server.admin.get(
      '/api/v1/namespaces/default/events?fieldSelector=reason=TaintManagerEviction',
    );
    expect(body.items[0].involvedObject, 'as release 1.20 names it').to.deep.equal({
      ...{ kind: 'Pod', namespace: 'default', name: 'goes' },
    });
  });
});

describe('how long agents may cache', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ flags: ['--controllers=ttl'] });
  });
  after(() => server.stop());

  it('is told to all nodes at once when the size of the cluster changes it', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `n${index}`);
    const times = async (): Promise<Set<unknown>> => {
      const { items } = await server.admin.expect('GET', nodes);
      return new Set(items.map(({ metadata }: Node) => metadata.annotations?.['node.alpha.orch.io/ttl']));
    };
    const untilAll = (seconds: string): Promise<boolean> =>
      eventually(async () => {
        const found = await times();
        return (found.size === 1 && found.has(seconds)) || undefined;
      });
    await Promise.all(
      names.map((name) => server.admin.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } })),
    );
    await untilAll('15');
    await Promise.all(names.slice(89).map((name) => server.admin.expect('DELETE', `${nodes}/${name}`)));
    await untilAll('0');
  });
});
