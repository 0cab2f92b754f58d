import { expect } from 'chai';
import fc from 'fast-check';
import type { UserInfo } from '../../../../../src/apis/kind-rules.ts';
import { AccessIndex } from '../../../../../src/server/authorization/rbac/access-index.ts';

const user: UserInfo = { name: 'ann', uid: '', groups: ['devs', 'ops'], extra: {} };
const rules = (verb: string) => [{ apiGroups: [''], resources: ['pods'], verbs: [verb] }];
const group = 'rbac.authorization.orch.io';

type Step =
  | { readonly what: 'role'; readonly namespace: string; readonly name: string; readonly verb?: string }
  | {
      readonly what: 'binding';
      readonly namespace: string;
      readonly name: string;
      readonly to?: readonly (readonly [kind: 'User' | 'Group', name: string])[];
      readonly role: string;
    };

const namespaces = fc.constantFrom('', 'a', 'b');
const names = fc.constantFrom('x', 'y');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record(
    {
      what: fc.constant('role' as const),
      namespace: namespaces,
      name: names,
      verb: fc.constantFrom('get', 'list'),
    },
    { requiredKeys: ['what', 'namespace', 'name'] },
  ),
  fc.record(
    {
      what: fc.constant('binding' as const),
      namespace: namespaces,
      name: names,
      role: names,
      to: fc.array(
        fc.tuple(
          fc.constantFrom('User' as const, 'Group' as const),
          fc.constantFrom('ann', 'devs', 'ops', 'other'),
        ),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: ['what', 'namespace', 'name', 'role'] },
  ),
);

function take(index: AccessIndex, change: Step): void {
  const { namespace, name } = change;
  if (change.what === 'role') {
    index.setRole(namespace, name, change.verb === undefined ? undefined : rules(change.verb));
    return;
  }
  const { to, role } = change;
  const roleRef = { apiGroup: group, kind: namespace === '' ? 'ClusterRole' : 'Role', name: role };
  const subjects = (to ?? []).map(([kind, subject]) => ({ apiGroup: group, kind, name: subject }));
  index.setBinding(namespace, name, to === undefined ? undefined : { namespace, name, roleRef, subjects });
}

const grantsOf = (index: AccessIndex, who: UserInfo) =>
  ['', 'a', 'b'].map((namespace) =>
    index.grantsOf(who, namespace).map(({ allowance, rules: held }) => [allowance.reason, held?.rules]),
  );

describe('the index of roles and bindings', () => {
  it('grants after each change what an index grants that was never asked before', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const asked = new AccessIndex();
        const done: Step[] = [];
        for (const change of steps) {
          take(asked, change);
          done.push(change);
          const fresh = new AccessIndex();
          for (const earlier of done) take(fresh, earlier);
          expect(grantsOf(asked, user)).to.deep.equal(grantsOf(fresh, { ...user }));
        }
      }),
    ));

  it('says where a grant comes from', () => {
    const index = new AccessIndex();
    take(index, { what: 'role', namespace: 'a', name: 'x', verb: 'get' });
    take(index, { what: 'binding', namespace: 'a', name: 'y', role: 'x', to: [['Group', 'devs']] });
    const [grant] = index.grantsOf(user, 'a');
    expect(grant?.allowance).to.deep.equal({
      isAllowed: true,
      reason: 'RBAC: allowed by RoleBinding "y/a" of Role "x" to Group "devs"',
    });
    expect(index.grantsOf(user, 'b')).to.deep.equal([]);
  });
});
