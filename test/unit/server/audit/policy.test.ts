import { expect } from 'chai';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { createLevelChooser } from '../../../../src/server/audit/policy.ts';
import {
  AuditPolicyError,
  metadataPolicy,
  readAuditPolicy,
} from '../../../../src/server/audit/read-policy.ts';
import { makeExchange } from '../../../support/exchange.ts';

const policyOf = (rules: unknown, rest: object = {}) =>
  readAuditPolicy({ apiVersion: 'audit.orch.io/v1', kind: 'Policy', rules, ...rest }, orchDialect);

const user = { name: 'alice', groups: ['devs', 'testers'] };
const pods = '/api/v1/namespaces/a/pods';
const core = (resources: string[], rest: object = {}) => ({ resources: [{ group: '', resources, ...rest }] });

describe('createLevelChooser', () => {
  const cases: readonly (readonly [
    what: string,
    rule: object,
    method: string,
    url: string,
    fits: boolean,
  ])[] = [
    ['a rule without lists', {}, 'GET', '/version', true],
    ['a user of the list', { users: ['bob', 'alice'] }, 'GET', pods, true],
    ['no other user', { users: ['bob'] }, 'GET', pods, false],
    ['a group of the user', { userGroups: ['testers'] }, 'GET', pods, true],
    ['no other group', { userGroups: ['admins'] }, 'GET', pods, false],
    ['a verb', { verbs: ['list'] }, 'GET', pods, true],
    ['no other verb', { verbs: ['watch'] }, 'GET', pods, false],
    ['a namespace', { namespaces: ['a'] }, 'GET', pods, true],
    ['no other namespace', { namespaces: ['b'] }, 'GET', pods, false],
    ['no namespace as the empty one', { namespaces: [''] }, 'GET', '/api/v1/nodes', true],
    ['a group', { resources: [{ group: '' }] }, 'GET', pods, true],
    ['no other group of resources', { resources: [{ group: 'apps' }] }, 'GET', pods, false],
    ['a resource', core(['pods']), 'GET', `${pods}/x`, true],
    ['no subresource of a resource', core(['pods']), 'GET', `${pods}/x/log`, false],
    ['a subresource', core(['pods/log']), 'GET', `${pods}/x/log`, true],
    ['all subresources', core(['pods/*']), 'GET', `${pods}/x/status`, true],
    ['a subresource of all resources', core(['*/status']), 'GET', `${pods}/x/status`, true],
    ['no resource by a subresource of all', core(['*/status']), 'GET', `${pods}/x`, false],
    ['any resource', core(['*']), 'GET', `${pods}/x/log`, true],
    ['a name', core(['pods'], { resourceNames: ['x'] }), 'GET', `${pods}/x`, true],
    ['no other name', core(['pods'], { resourceNames: ['x'] }), 'GET', `${pods}/y`, false],
    ['no resource by path', { nonResourceURLs: ['*'] }, 'GET', pods, false],
    ['a path', { nonResourceURLs: ['/version'] }, 'GET', '/version', true],
    ['the start of a path', { nonResourceURLs: ['/health*'] }, 'GET', '/healthz/ping', true],
    ['no other path', { nonResourceURLs: ['/health'] }, 'GET', '/healthz', false],
    ['no path by resource', core(['*']), 'GET', '/version', false],
  ];
  for (const [what, rule, method, url, fits] of cases) {
    it(`fits ${what}`, () => {
      const policy = policyOf([{ level: 'Request', ...rule }]);
      const { info } = makeExchange({ method, url });
      expect(createLevelChooser(policy)(user, info).level).to.equal(fits ? 'Request' : 'None');
    });
  }

  it('lets the first rule that fits decide', () => {
    const policy = policyOf([{ level: 'None', users: ['alice'] }, { level: 'Metadata' }]);
    const { info } = makeExchange({ url: pods });
    expect(createLevelChooser(policy)(user, info).level).to.equal('None');
    expect(createLevelChooser(policy)(undefined, info).level).to.equal('Metadata');
  });

  it('leaves out the stages of the policy and of the rule', () => {
    const policy = policyOf([{ level: 'Metadata', omitStages: ['ResponseStarted'] }], {
      omitStages: ['RequestReceived'],
    });
    const { omitsStage } = createLevelChooser(policy)(user, makeExchange().info);
    expect((['RequestReceived', 'ResponseStarted', 'ResponseComplete'] as const).map(omitsStage)) //
      .to.deep.equal([true, true, false]);
  });

  it('records everything at level Metadata without a policy', () => {
    const choice = createLevelChooser(metadataPolicy)(user, makeExchange().info);
    expect(choice.level).to.equal('Metadata');
  });
});

describe('readAuditPolicy', () => {
  it('knows the group in the spelling of the dialect', () => {
    const kubernetes = createDialect('kubernetes');
    const policy = { kind: 'Policy', rules: [{ level: 'None' }] };
    const apiVersion = kubernetes.spell('audit.orch.io/v1beta1');
    expect(readAuditPolicy({ ...policy, apiVersion }, kubernetes).rules).to.have.length(1);
    expect(() => readAuditPolicy({ ...policy, apiVersion }, orchDialect)).to.throw(AuditPolicyError);
  });

  const refused: readonly (readonly [what: string, rules: unknown, problem: RegExp])[] = [
    ['no rules', undefined, /^rules: must be a list of 1/],
    ['an empty list', [], /^rules: must be a list of 1/],
    ['a rule that is none', ['x'], /rules\[0\]: must be an object/],
    ['an unknown level', [{ level: 'All' }], /rules\[0\]\.level: must be one of None, Metadata/],
    ['a field that does not exist', [{ level: 'None', user: ['a'] }], /rules\[0\]: unknown field "user"/],
    ['a text for a list', [{ level: 'None', users: 'a' }], /rules\[0\]\.users: must be a list of texts/],
    ['an unknown stage', [{ level: 'None', omitStages: ['End'] }], /omitStages: "End" is none of/],
    [
      'resources and paths at once',
      [{ level: 'None', namespaces: ['a'], nonResourceURLs: ['/a'] }],
      /not of both/,
    ],
    ['a path without slash', [{ level: 'None', nonResourceURLs: ['a'] }], /"a" must begin with "\/"/],
    ['a star inside a path', [{ level: 'None', nonResourceURLs: ['/a*b'] }], /"\*" at its end only/],
    ['names of no resources', [{ level: 'None', resources: [{ resourceNames: ['a'] }] }], /needs resources/],
    ['a group that is no text', [{ level: 'None', resources: [{ group: 1 }] }], /group: must be a text/],
  ];
  for (const [what, rules, problem] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => policyOf(rules)).to.throw(AuditPolicyError, problem);
    });
  }

  it('refuses what is no policy', () => {
    for (const value of [
      null,
      'text',
      [],
      { kind: 'Policy', apiVersion: 'v1', rules: [{ level: 'None' }] },
    ]) {
      expect(() => readAuditPolicy(value, orchDialect)).to.throw(AuditPolicyError);
    }
  });
});
