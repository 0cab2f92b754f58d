import { expect } from 'chai';
import type { UserInfo } from '../../../../../src/apis/index.ts';
import type { PolicyRule, RoleBinding } from '../../../../../src/apis/types/rbac-authorization-v1.ts';
import { serviceAccountUser } from '../../../../../src/server/authentication/index.ts';
import type { AuthorizationQuestion } from '../../../../../src/server/authorization/index.ts';
import { createRandomSource } from '../../../../support/random-source.ts';
import { testSeed } from '../../../../support/test-seed.ts';
import { accessObjects, authorizerOver, bindEverywhere, rulesOf, table } from './bootstrap-access.ts';

type Question = AuthorizationQuestion['request'];

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'approve'];
const nothing = { version: '', namespace: '', name: '', path: '' };
/** Each resource and subresource that is served, once for each group. */
const places = [
  ...new Set(
    table.resources.flatMap(({ group, resource, subresources }) => [
      `${group} ${resource} `,
      ...subresources.map(({ name }) => `${group} ${resource} ${name}`),
    ]),
  ),
].map((place) => {
  const [group = '', resource = '', subresource = ''] = place.split(' ');
  return { group, resource, subresource };
});
const paths = [
  '/',
  '/api',
  '/api/v1',
  '/apis/apps',
  '/healthz',
  '/healthz/etcd',
  '/livez',
  '/version',
  '/metrics',
];
const pathQuestions: readonly Question[] = paths.flatMap((path) =>
  ['get', 'post'].map((verb) => ({
    ...nothing,
    isResource: false,
    verb,
    group: '',
    resource: '',
    subresource: '',
    path,
  })),
);
const questions: readonly Question[] = [
  ...places.flatMap((place) => verbs.map((verb) => ({ ...nothing, ...place, isResource: true, verb }))),
  ...pathQuestions,
];
const userOf = (name: string, groups: readonly string[] = []): UserInfo => ({
  name,
  uid: '',
  groups,
  extra: {},
});

/** What rules say, as a set of what they allow: another way than the one that is tested. */
class Recorded {
  readonly #allowed = new Set<string>();
  readonly names = new Set<string>();

  constructor(rules: readonly PolicyRule[]) {
    for (const { verbs: allowed, apiGroups = [], resources = [], resourceNames, nonResourceURLs } of rules) {
      for (const name of resourceNames ?? []) this.names.add(name);
      for (const verb of allowed ?? []) {
        for (const path of nonResourceURLs ?? []) this.#allowed.add(`${verb} ${path}`);
        for (const group of apiGroups)
          for (const resource of resources)
            for (const name of resourceNames ?? ['*'])
              this.#allowed.add(`${verb} ${group} ${resource} ${name}`);
      }
    }
  }

  allows({ isResource, verb, group, resource, subresource, name, path }: Question): boolean {
    const either = (...values: string[]): string[] => values;
    const where = isResource
      ? either(group, '*').flatMap((ofGroup) =>
          (subresource === ''
            ? [resource, '*']
            : [`${resource}/${subresource}`, `*/${subresource}`, '*']
          ).flatMap((ofResource) => either(name, '*').map((ofName) => `${ofGroup} ${ofResource} ${ofName}`)),
        )
      : [path, ...[...path].map((_, at) => `${path.slice(0, at)}*`), `${path}*`];
    return either(verb, '*').some((ofVerb) => where.some((place) => this.#allowed.has(`${ofVerb} ${place}`)));
  }
}

const clusterRoles = accessObjects.filter(({ resource }) => resource.resource === 'clusterroles');

describe('default roles', () => {
  for (const { object } of clusterRoles) {
    const name = object.metadata.name ?? '';
    it(`allow what is recorded, and nothing else: ${name}`, () => {
      const recorded = new Recorded(rulesOf(object));
      const rbac = authorizerOver([
        ['clusterroles', object],
        ['clusterrolebindings', bindEverywhere(name, 'somebody')],
      ]);
      const user = userOf('somebody');
      let count = 0;
      for (const plain of questions) {
        for (const named of plain.isResource ? ['', 'some-name', ...recorded.names] : ['']) {
          const request = { ...plain, name: named };
          const { isAllowed } = rbac.authorize({ user, request });
          const shown = `${request.verb} ${request.group} ${request.resource}/${request.subresource} ${named}${request.path}`;
          if (isAllowed !== recorded.allows(request)) expect.fail(`${shown}: ${isAllowed}`);
          if (rbac.authorize({ user: userOf('other'), request }).isAllowed) expect.fail(`anybody: ${shown}`);
          count++;
        }
      }
      expect(count).to.be.greaterThan(1500);
    });
  }
});

/** Who the default bindings are for, in which groups they are, and a few requests that they make all day. */
const robot = (name: string): UserInfo => ({
  ...userOf(''),
  ...serviceAccountUser('orch-system', name),
});
const person = (name: string): UserInfo => userOf(name, ['system:authenticated']);
const components: readonly (readonly [UserInfo, readonly string[]])[] = [
  [
    person('system:orch-scheduler'),
    [
      'list  pods',
      'create  pods/binding',
      'patch  pods/status',
      'watch  nodes',
      'create events.orch.io events',
      'watch storage.orch.io csinodes',
    ],
  ],
  [
    person('system:orch-controller-manager'),
    [
      'create  serviceaccounts/token',
      'list  secrets',
      'watch apps deployments',
      'create authorization.orch.io subjectaccessreviews',
      'update coordination.orch.io leases orch-controller-manager',
    ],
  ],
  [
    person('system:orch-proxy'),
    [
      'list  services',
      'watch  endpoints',
      'watch discovery.orch.io endpointslices',
      'get  nodes',
      'create events.orch.io events',
    ],
  ],
  [robot('orch-dns'), ['list  endpoints', 'watch  services']],
  [
    robot('deployment-controller'),
    ['update apps deployments/status', 'create apps replicasets', 'create  events'],
  ],
  [robot('replicaset-controller'), ['create  pods', 'update apps replicasets/status']],
  [robot('statefulset-controller'), ['create  persistentvolumeclaims', 'delete  pods']],
  [robot('daemon-set-controller'), ['create  pods', 'create  pods/binding', 'list  nodes']],
  [robot('job-controller'), ['create  pods', 'update batch jobs/status']],
  [robot('cronjob-controller'), ['create batch jobs', 'update batch cronjobs/status']],
  [
    robot('namespace-controller'),
    ['delete apps deployments', 'deletecollection  secrets', 'update  namespaces/finalize'],
  ],
  [
    robot('generic-garbage-collector'),
    ['delete apps replicasets', 'patch  pods', 'get policy poddisruptionbudgets'],
  ],
  [robot('node-controller'), ['update  nodes/status', 'delete  pods', 'patch  nodes']],
  [robot('service-account-controller'), ['create  serviceaccounts']],
  [robot('resourcequota-controller'), ['update  resourcequotas/status', 'list  pods']],
  [
    robot('clusterrole-aggregation-controller'),
    ['escalate rbac.authorization.orch.io clusterroles', 'update rbac.authorization.orch.io clusterroles'],
  ],
];

describe('users of the default bindings', () => {
  const rbac = authorizerOver(accessObjects.map(({ resource, object }) => [resource.resource, object]));
  const toQuestion = (text: string): Question => {
    const [verb = '', group = '', what = '', name = ''] = text.split(' ');
    const [resource = '', subresource = ''] = what.split('/');
    return { ...nothing, isResource: true, verb, group, resource, subresource, name };
  };
  /** The rules of all roles that are bound to a user, everywhere. */
  const recordedFor = ({ name, groups }: UserInfo): Recorded => {
    const rules = accessObjects.flatMap(({ resource, object }) => {
      if (resource.resource !== 'clusterrolebindings') return [];
      const { roleRef, subjects } = object as unknown as RoleBinding; // the resource holds nothing else
      const isBound = (subjects ?? []).some((subject) =>
        subject.kind === 'Group'
          ? groups.includes(subject.name)
          : name === (subject.kind === 'User' ? subject.name : robot(subject.name).name),
      );
      const role = clusterRoles.find((candidate) => candidate.object.metadata.name === roleRef.name);
      return isBound && role !== undefined ? rulesOf(role.object) : [];
    });
    return new Recorded(rules);
  };

  /** Those that stand above, and all others that a default binding is for, of whom no request is written down. */
  const named = new Set(components.map(([{ name }]) => name));
  const others = accessObjects.flatMap(({ object }) =>
    ((object as unknown as RoleBinding).subjects ?? []).flatMap(({ kind, name }) =>
      kind === 'ServiceAccount' && !named.has(robot(name).name) ? [robot(name)] : [],
    ),
  );
  it('are many', () => {
    expect(components.length + others.length).to.be.greaterThan(35);
  });

  for (const [user, requests] of [...components, ...others.map((other) => [other, []] as const)]) {
    it(`may do their work, and not 50 other things: ${user.name}`, () => {
      for (const text of requests) {
        expect(rbac.authorize({ user, request: toQuestion(text) }).isAllowed, text).to.equal(true);
      }
      const recorded = recordedFor(user);
      const random = createRandomSource(testSeed);
      const refused = questions.filter((request) => !recorded.allows(request));
      for (let count = 0; count < 50; count++) {
        const request = random.pick(refused);
        const shown = `${request.verb} ${request.group} ${request.resource}/${request.subresource}${request.path}`;
        expect(rbac.authorize({ user, request }).isAllowed, shown).to.equal(false);
      }
      // The whole of it agrees as well.
      const wrong = questions.filter(
        (request) => rbac.authorize({ user, request }).isAllowed !== recorded.allows(request),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('are agents only by the mode for nodes: nobody has their role', () => {
    const agent = userOf('system:node:n', ['system:nodes']);
    const allowed = questions.filter((request) => rbac.authorize({ user: agent, request }).isAllowed);
    expect(allowed).to.deep.equal([]);
  });
});
