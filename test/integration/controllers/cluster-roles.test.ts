import { expect } from 'chai';
import type { ClusterRole, PolicyRule } from '../../../src/apis/types/rbac-authorization-v1.ts';
import { decideAggregatedRules } from '../../../src/controllers/cluster-role-aggregation.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import type { WatchReader } from '../../support/watch-reader.ts';

const group = 'rbac.authorization.orch.io';
const clusterRoles = `/apis/${group}/v1/clusterroles`;
const reads = (resource: string): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (name: string, rules: PolicyRule[], labels: Record<string, string> = {}): ClusterRole => ({
  kind: 'ClusterRole',
  apiVersion: `${group}/v1`,
  metadata: { name, labels },
  rules,
});
const sumOf = (name: string, ...labels: readonly Record<string, string>[]): ClusterRole => ({
  ...role(name, []),
  aggregationRule: { clusterRoleSelectors: labels.map((matchLabels) => ({ matchLabels })) },
});

describe('the rules of an aggregated cluster role', () => {
  const parts = [
    role('b', [reads('pods'), reads('nodes')], { to: 'x' }),
    role('a', [reads('pods')], { to: 'x', also: 'y' }),
    role('c', [reads('secrets')], { also: 'y' }),
  ];

  it('are those of the roles that it selects, in the order of names, each once', () => {
    expect(decideAggregatedRules(sumOf('s', { to: 'x' }), parts)).to.deep.equal([
      reads('pods'),
      reads('nodes'),
    ]);
  });

  it('come selector by selector', () => {
    expect(decideAggregatedRules(sumOf('s', { also: 'y' }, { to: 'x' }), parts)).to.deep.equal([
      reads('pods'),
      reads('secrets'),
      reads('nodes'),
    ]);
  });

  it('are not its own', () => {
    const own = {
      ...sumOf('s', { to: 'x' }),
      metadata: { name: 's', labels: { to: 'x' } },
      rules: [reads('all')],
    };
    expect(decideAggregatedRules(own, [own])).to.deep.equal([]);
  });

  it('stay when they are right', () => {
    const right = { ...sumOf('s', { to: 'x' }), rules: [reads('pods'), reads('nodes')] };
    expect(decideAggregatedRules(right, parts)).to.equal(undefined);
  });

  it('stay, in whatever order, when roles select one another', () => {
    const [pods, nodes, secrets] = [reads('pods'), reads('nodes'), reads('secrets')];
    const s = { ...sumOf('s', { to: 't' }), metadata: { name: 's', labels: { to: 's' } } };
    const t = { ...sumOf('t', { to: 's' }), metadata: { name: 't', labels: { to: 't' } } };
    const decide = (ofS: PolicyRule[], ofT: PolicyRule[]) => {
      const role = { ...s, rules: ofS };
      return decideAggregatedRules(role, [role, { ...t, rules: ofT }]);
    };
    expect(decide([pods, nodes], [nodes, pods])).to.equal(undefined);
    expect(decide([pods, nodes], [pods])).to.equal(undefined);
    expect(decide([pods, nodes], [secrets, pods])).to.deep.equal([secrets, pods, nodes]);
  });
});

describe('the controller of aggregated cluster roles', () => {
  let server: TestServer;
  let admin: ApiClient;
  let watch: WatchReader;
  before(async () => {
    server = await startTestServer({ flags: ['--controllers=clusterrole-aggregation'] });
    admin = server.admin;
    watch = await admin.watch(clusterRoles);
  });
  after(async () => {
    watch.close();
    await server.stop();
  });

  /** Waits for a role with this rule. */
  async function untilIt(name: string, has: (rules: readonly PolicyRule[]) => boolean): Promise<void> {
    let rules: readonly PolicyRule[] = [];
    for (;;) {
      const seen = watch.lines.length;
      ({ rules } = await admin.expect('GET', `${clusterRoles}/${name}`));
      if (has(rules ?? [])) return;
      await watch.until(() => watch.lines.length > seen, `a change after ${JSON.stringify(rules)}`);
    }
  }

  it('fills the roles of users', async () => {
    for (const name of ['admin', 'edit', 'view'])
      await untilIt(name, (rules) => rules.some(({ resources }) => resources?.includes('pods')));
  });

  it('follows the roles that it sums up', async () => {
    await admin.create(clusterRoles, sumOf('sum', { 'to-sum': 'yes' }));
    await admin.create(clusterRoles, role('part', [reads('pods')], { 'to-sum': 'yes' }));
    await untilIt('sum', (rules) => rules.length === 1);
    await admin.expect('DELETE', `${clusterRoles}/part`);
    await untilIt('sum', (rules) => rules.length === 0);
  });
});
