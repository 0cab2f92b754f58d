import { expect } from 'chai';
import {
  type BootstrapAction,
  type BootstrapPolicy,
  reconcileBootstrap,
} from '../../../../src/apis/bootstrap/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const resource = { group: '', version: 'v1', resource: 'things' };
const base = { kind: 'Thing', apiVersion: 'v1', metadata: { name: 'a' } };
const meta = {
  name: 'a',
  labels: { 'orch.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.orch.io/autoupdate': 'true' },
};
const stored = { ...meta, uid: 'u', resourceVersion: '7' };

function reconcile(
  policy: BootstrapPolicy,
  existing: object | undefined,
  wanted: object,
): BootstrapAction | undefined {
  const complete = (fields: object) => ({ ...base, ...fields });
  return reconcileBootstrap(
    existing === undefined ? undefined : complete(existing),
    { resource, object: complete(wanted), policy },
    { dialect: orchDialect, nowMs: 0 },
  );
}

describe('reconcileBootstrap', () => {
  for (const policy of ['createIfMissing', 'suggested', 'spec', 'role', 'binding'] as const) {
    it(`creates what is missing (${policy})`, () => {
      expect(reconcile(policy, undefined, { spec: 1 })).to.deep.equal({
        kind: 'create',
        object: { ...base, spec: 1 },
      });
    });
  }

  it('leaves namespaces, priority classes and suggested objects alone', () => {
    expect(reconcile('createIfMissing', { value: 1 }, { value: 2 })).to.equal(undefined);
    expect(reconcile('suggested', { spec: 1 }, { spec: 2 })).to.equal(undefined);
  });

  it('puts back a spec and keeps everything else', () => {
    const metadata = { name: 'a', uid: 'u' };
    expect(reconcile('spec', { metadata, spec: { x: 1 }, status: 's' }, { spec: { x: 2 } })).to.deep.equal({
      kind: 'update',
      object: { ...base, metadata, spec: { x: 2 }, status: 's' },
    });
    expect(reconcile('spec', { spec: { a: 1, b: [2] } }, { spec: { b: [2], a: 1 } })).to.equal(undefined);
  });

  it('puts back ports and type of the service, not its address', () => {
    const existing = { spec: { ports: [], type: 'NodePort', clusterIP: '10.0.0.9' } };
    const wanted = { spec: { ports: [{ port: 443 }], type: 'ClusterIP', clusterIP: '10.0.0.1' } };
    expect(reconcile('service', existing, wanted)?.object).to.deep.include({
      spec: { ports: [{ port: 443 }], type: 'ClusterIP', clusterIP: '10.0.0.9' },
    });
    expect(reconcile('service', wanted, wanted)).to.equal(undefined);
  });

  it('puts back addresses', () => {
    expect(reconcile('subsets', { subsets: [] }, { subsets: [{ addresses: [] }] })?.kind).to.equal('update');
    expect(reconcile('slice', { endpoints: [1], ports: [2] }, { endpoints: [1], ports: [2] })).to.equal(
      undefined,
    );
  });

  for (const policy of ['subsets', 'slice'] as const) {
    it(`puts back the labels of addresses, and keeps others (${policy})`, () => {
      const wanted = { metadata: { name: 'a', labels: { own: 'true' } } };
      const existing = { metadata: { name: 'a', uid: 'u', labels: { own: 'false', other: 'o' } } };
      expect(reconcile(policy, existing, wanted)).to.deep.equal({
        kind: 'update',
        object: { ...base, metadata: { name: 'a', uid: 'u', labels: { own: 'true', other: 'o' } } },
      });
      expect(reconcile(policy, wanted, { metadata: { name: 'a' } })).to.equal(undefined);
    });
  }

  it('replaces a slice of addresses of the other family', () => {
    const wanted = { addressType: 'IPv6', endpoints: [] };
    expect(reconcile('slice', { addressType: 'IPv4', endpoints: [] }, wanted)?.kind).to.equal('replace');
  });

  describe('of roles', () => {
    const allow = (verbs: string[], resources: string[]) => ({ verbs, apiGroups: [''], resources });

    it('adds only what no rule allows yet', () => {
      const existing = { metadata: stored, rules: [allow(['get', 'list'], ['pods', '*/status'])] };
      const wanted = { metadata: meta, rules: [allow(['get', 'watch'], ['pods', 'nodes/status'])] };
      expect(reconcile('role', existing, wanted)?.object).to.deep.equal({
        ...base,
        metadata: stored,
        rules: [
          allow(['get', 'list'], ['pods', '*/status']),
          allow(['watch'], ['pods']),
          allow(['watch'], ['nodes/status']),
        ],
      });
    });

    it('does nothing when more is allowed than wanted', () => {
      const existing = {
        metadata: stored,
        rules: [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
          { verbs: ['get'], nonResourceURLs: ['/healthz*'] },
        ],
      };
      const wanted = {
        metadata: meta,
        rules: [
          { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['s'] },
          { verbs: ['get'], nonResourceURLs: ['/healthz/etcd'] },
        ],
      };
      expect(reconcile('role', existing, wanted)).to.equal(undefined);
    });

    it('does not take a rule on one name for a rule on all', () => {
      const existing = {
        metadata: stored,
        rules: [{ ...allow(['get'], ['secrets']), resourceNames: ['s'] }],
      };
      const action = reconcile('role', existing, { metadata: meta, rules: [allow(['get'], ['secrets'])] });
      expect(action?.object).to.deep.include({
        rules: [{ ...allow(['get'], ['secrets']), resourceNames: ['s'] }, allow(['get'], ['secrets'])],
      });
    });

    it('leaves a role alone that must not be updated', () => {
      const metadata = { ...stored, annotations: { 'rbac.authorization.orch.io/autoupdate': 'false' } };
      expect(reconcile('role', { metadata }, { metadata: meta, rules: [allow(['get'], ['pods'])] })).to.equal(
        undefined,
      );
    });

    it('restores labels and annotations, and keeps changed ones', () => {
      const metadata = { name: 'a', labels: { 'orch.io/bootstrapping': 'mine' } };
      expect(
        reconcile('role', { metadata, rules: null }, { metadata: meta, rules: [] })?.object.metadata,
      ).to.deep.equal({
        name: 'a',
        labels: { 'orch.io/bootstrapping': 'mine' },
        annotations: meta.annotations,
      });
    });

    it('adds missing selectors of an aggregated role and leaves its rules to their controller', () => {
      const select = (name: string) => ({ matchLabels: { [name]: 'true' } });
      const action = reconcile(
        'role',
        {
          metadata: stored,
          aggregationRule: { clusterRoleSelectors: [select('x')] },
          rules: [allow(['get'], ['a'])],
        },
        { metadata: meta, aggregationRule: { clusterRoleSelectors: [select('y')] }, rules: null },
      );
      expect(action?.object).to.deep.include({
        aggregationRule: { clusterRoleSelectors: [select('x'), select('y')] },
        rules: [allow(['get'], ['a'])],
      });
    });
  });

  describe('of bindings', () => {
    const roleRef = { apiGroup: 'g', kind: 'ClusterRole', name: 'r' };
    const group = (name: string) => ({ kind: 'Group', apiGroup: 'g', name });

    it('adds missing subjects', () => {
      const action = reconcile(
        'binding',
        { metadata: stored, roleRef, subjects: [group('a')] },
        { metadata: meta, roleRef, subjects: [group('b'), group('a')] },
      );
      expect(action).to.deep.equal({
        kind: 'update',
        object: { ...base, metadata: stored, roleRef, subjects: [group('a'), group('b')] },
      });
    });

    it('replaces a binding to another role', () => {
      const wanted = { metadata: meta, roleRef, subjects: [group('a')] };
      const action = reconcile('binding', { ...wanted, roleRef: { ...roleRef, name: 'other' } }, wanted);
      expect(action).to.deep.equal({ kind: 'replace', object: { ...base, ...wanted } });
    });

    it('does nothing when all subjects are there', () => {
      const subjects = [group('a')];
      expect(
        reconcile('binding', { metadata: stored, roleRef, subjects }, { metadata: meta, roleRef, subjects }),
      ).to.equal(undefined);
    });
  });
});
