import { expect } from 'chai';
import fc from 'fast-check';
import type { PolicyRule } from '../../../../src/apis/types/rbac-authorization-v1.ts';
import {
  describeRules,
  ruleAllows,
  uncoveredRules,
} from '../../../../src/server/authorization/policy-rules.ts';

const rule = (more: Partial<PolicyRule>): PolicyRule => ({ verbs: ['get'], ...more });
const pods = rule({ apiGroups: [''], resources: ['pods'] });
const requestOf = (more: object) => ({
  isResource: true,
  verb: 'get',
  group: '',
  version: 'v1',
  namespace: 'n',
  resource: 'pods',
  subresource: '',
  name: 'a',
  path: '',
  ...more,
});
const pathOf = (path: string) => requestOf({ isResource: false, path });

describe('a rule of a role', () => {
  const cases: readonly (readonly [what: string, rule: PolicyRule, request: object, isAllowed: boolean])[] = [
    ['the resource', pods, {}, true],
    ['another verb', pods, { verb: 'list' }, false],
    ['another group', pods, { group: 'apps' }, false],
    ['another resource', pods, { resource: 'nodes' }, false],
    ['a subresource', pods, { subresource: 'log' }, false],
    [
      'a subresource by name',
      rule({ apiGroups: [''], resources: ['pods/log'] }),
      { subresource: 'log' },
      true,
    ],
    ['the resource of a subresource', rule({ apiGroups: [''], resources: ['pods/log'] }), {}, false],
    ['a subresource of all', rule({ apiGroups: [''], resources: ['*/log'] }), { subresource: 'log' }, true],
    ['all resources', rule({ apiGroups: ['*'], resources: ['*'] }), { subresource: 'x', group: 'g' }, true],
    ['all verbs', { ...pods, verbs: ['*'] }, { verb: 'impersonate' }, true],
    ['a name', { ...pods, resourceNames: ['a'] }, {}, true],
    ['another name', { ...pods, resourceNames: ['b'] }, {}, false],
    ['no name, when there are names', { ...pods, resourceNames: ['b'] }, { name: '' }, false],
    ['no names, which are all', { ...pods, resourceNames: [] }, { name: '' }, true],
    ['a path', rule({ nonResourceURLs: ['/x'] }), pathOf('/x'), true],
    ['a path below', rule({ nonResourceURLs: ['/x'] }), pathOf('/x/y'), false],
    ['a path by its beginning', rule({ nonResourceURLs: ['/x/*'] }), pathOf('/x/y/z'), true],
    ['the beginning itself', rule({ nonResourceURLs: ['/x/*'] }), pathOf('/x'), false],
    [
      'a path by its beginning, whatever the number of stars',
      rule({ nonResourceURLs: ['/x**'] }),
      pathOf('/xy'),
      true,
    ],
    ['every path', rule({ nonResourceURLs: ['*'] }), pathOf('/'), true],
    ['a path, by a rule for resources', rule({ apiGroups: ['*'], resources: ['*'] }), pathOf('/x'), false],
  ];
  for (const [what, given, request, isAllowed] of cases) {
    it(`${isAllowed ? 'allows' : 'does not allow'} ${what}`, () => {
      expect(ruleAllows(given, requestOf(request))).to.equal(isAllowed);
    });
  }
});

describe('what somebody grants', () => {
  const some = (...words: string[]) =>
    fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 });
  const anyRule: fc.Arbitrary<PolicyRule> = fc.oneof(
    fc.record({
      verbs: some('get', 'list', '*'),
      apiGroups: some('', 'apps', '*'),
      resources: some('pods', 'pods/log', '*/log', 'nodes', '*'),
      resourceNames: fc.option(some('a', 'b'), { nil: undefined }),
    }),
    fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/x', '/x/*', '/x/y', '*') }),
  );
  const requests = ['get', 'list', 'delete'].flatMap((verb) => [
    ...['/x', '/x/y', '/z'].map((path) => ({ ...pathOf(path), verb })),
    ...['', 'apps', 'other'].flatMap((group) =>
      ['pods', 'nodes'].flatMap((resource) =>
        ['', 'log'].flatMap((subresource) =>
          ['', 'a', 'b', 'c'].map((name) => requestOf({ verb, group, resource, subresource, name })),
        ),
      ),
    ),
  ]);

  it('allows nothing that they may not do, when it is covered', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 3 }), anyRule, (held, wanted) => {
        if (uncoveredRules(held, [wanted]).length > 0) return;
        for (const request of requests) {
          if (!ruleAllows(wanted, request)) continue;
          expect(held.some((own) => ruleAllows(own, request))).to.equal(true);
        }
      }),
    );
  });

  it('is covered by itself, and not by nothing', () => {
    fc.assert(
      fc.property(anyRule, (wanted) => {
        expect(uncoveredRules([wanted], [wanted])).to.deep.equal([]);
        expect(uncoveredRules([], [wanted])).to.not.deep.equal([]);
      }),
    );
  });

  it('is told in the words of the release: joined by resource, each once, in order', () => {
    const missing = uncoveredRules(
      [pods],
      [
        rule({ apiGroups: [''], resources: ['secrets', 'pods'], verbs: ['get', 'list'] }),
        rule({ nonResourceURLs: ['/x'] }),
        rule({ apiGroups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['watch'] }),
      ],
    );
    expect(describeRules(missing).split('\n')).to.deep.equal([
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["watch"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
    ]);
  });
});
