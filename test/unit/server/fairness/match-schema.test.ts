import { expect } from 'chai';
import type { FlowSchemaSpec } from '../../../../src/apis/types/flowcontrol-apiserver-v1beta1.ts';
import { compareSchemas, isForRequest, rulesForUser } from '../../../../src/server/fairness/match-schema.ts';
import { makeExchange } from '../../../support/exchange.ts';

const user = { name: 'system:serviceaccount:a:b', groups: ['devs'] };
const anyResource = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};
const everybody = { kind: 'User', user: { name: '*' } };
const specOf = (rule: object): FlowSchemaSpec => ({
  priorityLevelConfiguration: { name: 'x' },
  matchingPrecedence: 1,
  rules: [{ subjects: [everybody], resourceRules: [anyResource], ...rule }],
});
const pods = '/api/v1/namespaces/n/pods';
const subjects = (...list: readonly object[]) => ({ subjects: list });
const resources = (rule: object) => ({ resourceRules: [{ ...anyResource, ...rule }] });
const paths = (...nonResourceURLs: readonly string[]) => ({
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs }],
});

describe('the rules of a flow schema', () => {
  const cases: readonly (readonly [what: string, rule: object, url: string, fits: boolean])[] = [
    ['everybody', {}, pods, true],
    ['nobody', subjects(), pods, false],
    ['the user', subjects({ kind: 'User', user: { name: user.name } }), pods, true],
    ['another user', subjects({ kind: 'User', user: { name: 'x' } }), pods, false],
    ['a group', subjects({ kind: 'Group', group: { name: 'devs' } }), pods, true],
    ['another group', subjects({ kind: 'Group', group: { name: 'ops' } }), pods, false],
    ['all groups', subjects({ kind: 'Group', group: { name: '*' } }), pods, true],
    [
      'the account',
      subjects({ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } }),
      pods,
      true,
    ],
    [
      'its namespace',
      subjects({ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } }),
      pods,
      true,
    ],
    [
      'another one',
      subjects({ kind: 'ServiceAccount', serviceAccount: { namespace: 'x', name: '*' } }),
      pods,
      false,
    ],
    ['the verb', resources({ verbs: ['list'] }), pods, true],
    ['another verb', resources({ verbs: ['get'] }), pods, false],
    ['the group of the resource', resources({ apiGroups: [''] }), pods, true],
    ['the resource', resources({ resources: ['pods'] }), pods, true],
    ['a subresource as its resource', resources({ resources: ['pods'] }), `${pods}/p/status`, false],
    ['a subresource', resources({ resources: ['pods/status'] }), `${pods}/p/status`, true],
    ['the namespace', resources({ namespaces: ['n'] }), pods, true],
    ['another namespace', resources({ namespaces: ['m'] }), pods, false],
    ['no namespace without scope', resources({ clusterScope: false }), '/api/v1/pods', false],
    ['no namespace with scope', resources({ namespaces: [] }), '/api/v1/pods', true],
    ['a path by resources', {}, '/healthz', false],
    ['a path', paths('/healthz'), '/healthz', true],
    ['the start of a path', paths('/healthz/*'), '/healthz/x', true],
    ['another path', paths('/healthz/*'), '/healthz', false],
    ['any path', paths('*'), '/x', true],
  ];
  for (const [what, rule, url, fits] of cases) {
    it(`${fits ? 'knows' : 'does not take'} ${what}`, () => {
      const { info } = makeExchange({ url });
      const isFor = rulesForUser(specOf(rule), user).some((found) => isForRequest(found, info));
      expect(isFor).to.equal(fits);
    });
  }

  it('tries schemas by precedence, then by name', () => {
    const schemaOf = (name: string, matchingPrecedence: number) => ({
      metadata: { name },
      spec: { ...specOf({}), matchingPrecedence },
    });
    const sorted = [schemaOf('b', 2), schemaOf('z', 1), schemaOf('a', 2)].sort(compareSchemas);
    expect(sorted.map(({ metadata }) => metadata.name)).to.deep.equal(['z', 'a', 'b']);
  });
});
