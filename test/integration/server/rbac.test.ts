import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const group = 'rbac.authorization.orch.io';
const rbac = `/apis/${group}/v1`;
const roles = `${rbac}/namespaces/default/roles`;
const bindings = `${rbac}/namespaces/default/rolebindings`;
const maps = inNamespace('default', 'configmaps');
const alice = { kind: 'User', apiGroup: group, name: 'alice' };

const role = (name: string, rules: readonly object[], more: object = {}) => ({
  kind: 'Role',
  apiVersion: `${group}/v1`,
  metadata: { name },
  rules,
  ...more,
});
const binding = (name: string, roleName: string, subject: object = alice, kind = 'Role') => ({
  kind: 'RoleBinding',
  apiVersion: `${group}/v1`,
  metadata: { name },
  roleRef: { apiGroup: group, kind, name: roleName },
  subjects: [subject],
});
const reads = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] };

for (const modes of ['RBAC', 'Node,RBAC']) {
  describe(`roles and bindings, in mode ${modes}`, () => {
    let server: TestServer;
    let user: ApiClient;
    beforeEach(async () => {
      server = await startTestServer({ flags: [`--authorization-mode=${modes}`] });
      user = server.withToken(tokens.alice);
    });
    afterEach(() => server.stop());
    const create = (path: string, body: object, client = server.admin): Promise<JsonObject> =>
      client.expect('POST', path, { body });
    const codeOf = async (path: string, client = user): Promise<number> => (await client.get(path)).code;

    it('count for the next request, both when they come and when they go', async () => {
      for (let round = 0; round < 20; round++) {
        await create(roles, role('reader', [reads]));
        await create(bindings, binding('reader', 'reader'));
        expect(await codeOf(maps)).to.equal(200);
        await server.admin.expect('DELETE', `${bindings}/reader`);
        expect(await codeOf(maps)).to.equal(403);
        await create(bindings, binding('reader', 'reader'));
        expect(await codeOf(maps)).to.equal(200);
        await server.admin.expect('DELETE', `${roles}/reader`);
        expect(await codeOf(maps)).to.equal(403);
        await server.admin.expect('DELETE', `${bindings}/reader`);
      }
    });

    it('count as they are changed', async () => {
      await create(roles, role('changing', [reads]));
      await create(bindings, binding('changing', 'changing'));
      expect(await codeOf(maps)).to.equal(200);
      const contentType = 'application/merge-patch+json';
      await server.admin.expect('PATCH', `${roles}/changing`, {
        contentType,
        body: { rules: [{ ...reads, verbs: ['get'] }] },
      });
      expect(await codeOf(maps)).to.equal(403);
      expect(await codeOf(`${maps}/none`)).to.equal(404);
      await server.admin.expect('PATCH', `${bindings}/changing`, {
        contentType,
        body: { subjects: [{ ...alice, name: 'bob' }] },
      });
      expect(await codeOf(`${maps}/none`)).to.equal(403);
    });

    it('say which role is missing', async () => {
      await create(bindings, binding('lost', 'lost'));
      const { code, body } = await user.get(maps);
      expect(code).to.equal(403);
      expect(body.message).to.equal(
        `configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default": RBAC: role.${group} "lost" not found`,
      );
    });

    it('reach groups and service accounts, in their namespace only', async () => {
      await create(`${rbac}/clusterroles`, role('everywhere', [reads], { kind: 'ClusterRole' }));
      await create(
        bindings,
        binding('devs', 'everywhere', { ...alice, kind: 'Group', name: 'devs' }, 'ClusterRole'),
      );
      await create(
        bindings,
        binding(
          'account',
          'everywhere',
          { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
          'ClusterRole',
        ),
      );
      expect(await codeOf(maps)).to.equal(200);
      expect(await codeOf('/api/v1/configmaps')).to.equal(403);
      const as = (name: string) => ({ 'Impersonate-User': `system:serviceaccount:default:${name}` });
      expect((await server.admin.get(maps, as('robot'))).code).to.equal(200);
      expect((await server.admin.get(maps, as('other'))).code).to.equal(403);
    });

    it('are granted by those only who have what they grant, or may escalate or bind', async () => {
      const own = [{ apiGroups: [group], resources: ['roles', 'rolebindings'], verbs: ['create'] }];
      await create(roles, role('granter', own));
      await create(bindings, binding('granter', 'granter'));
      await create(roles, role('reader', [reads]));
      for (const [path, body] of [
        [roles, role('mine', [reads])],
        [bindings, binding('mine', 'reader')],
      ] as const) {
        const { code, body: answer } = await user.send('POST', path, { body });
        expect(code).to.equal(403);
        expect(answer.message).to.include(
          'is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["configmaps"], Verbs:["get" "list"]}',
        );
      }
      const missing = await user.send('POST', bindings, { body: binding('mine', 'none') });
      expect([missing.code, missing.body.message]).to.deep.equal([404, `roles.${group} "none" not found`]);
      await create(
        roles,
        role('more', [{ apiGroups: [group], resources: ['roles'], verbs: ['escalate', 'bind'] }]),
      );
      await create(bindings, binding('more', 'more'));
      await create(roles, role('mine', [reads]), user);
      await create(bindings, binding('mine', 'reader'), user);
      expect(await codeOf(maps)).to.equal(200);
    });

    it('are granted before they are validated, by roles that are there', async () => {
      const own = { apiGroups: [group], resources: ['*'], verbs: ['create', 'patch'] };
      const bind = { apiGroups: [group], resources: ['roles'], resourceNames: ['free'], verbs: ['bind'] };
      await create(roles, role('granter', [own, bind]));
      await create(bindings, binding('granter', 'granter'));
      await create(bindings, binding('lost', 'lost'));
      await create(roles, role('free', [reads]));
      const answerTo = async (body: object, path = bindings): Promise<unknown> => {
        const { code, body: answer } = await user.send('POST', path, { body });
        return [code, String(answer.message).replace(/^.*; /s, '')];
      };
      const of = (more: object) => {
        const made = binding('mine', 'free');
        return { ...made, roleRef: { ...made.roleRef, ...more } };
      };
      expect(await answerTo(of({ kind: 'Rule' }))).to.deep.equal([
        500,
        'unsupported role reference kind: "Rule"',
      ]);
      expect(await answerTo(of({ name: '' }))).to.deep.equal([400, 'Name parameter required.']);
      const lost = `resolution errors: [roles.${group} "lost" not found]`;
      expect(await answerTo(of({ apiGroup: 'x' }))).to.deep.equal([403, lost]);
      expect(await answerTo(role('mine', [reads]), roles)).to.deep.equal([403, lost]);
    });

    it('are gathered, or no longer, by those only who have everything', async () => {
      const own = { apiGroups: [group], resources: ['*'], verbs: ['create', 'patch'] };
      const clusterRoles = `${rbac}/clusterroles`;
      const gathering = (selectors: readonly object[], name: string): object => ({
        ...role(name, []),
        kind: 'ClusterRole',
        aggregationRule: { clusterRoleSelectors: selectors },
      });
      await create(clusterRoles, { ...role('granter', [own]), kind: 'ClusterRole' });
      await create(`${rbac}/clusterrolebindings`, {
        ...binding('granter', 'granter', alice, 'ClusterRole'),
        kind: 'ClusterRoleBinding',
      });
      await create(clusterRoles, gathering([{ matchLabels: { a: 'b' } }], 'old'));
      const send = async (method: string, path: string, body: object): Promise<number> =>
        (await user.send(method, path, { body, contentType: 'application/merge-patch+json' })).code;
      expect(await send('PATCH', `${clusterRoles}/old`, { aggregationRule: null })).to.equal(403);
      const lost = { ...binding('mine', 'granter'), kind: 'ClusterRoleBinding' };
      const { body } = await user.send('POST', `${rbac}/clusterrolebindings`, { body: lost });
      expect(body.message).to.equal('Namespace parameter required.');
      const codes = [[{ matchLabels: { a: 'b' } }], []].map(
        async (selectors) =>
          (await user.send('POST', clusterRoles, { body: gathering(selectors, 'new') })).code,
      );
      expect(await Promise.all(codes)).to.deep.equal([403, 422]);
    });

    it('are about single objects too, which lists and watches select by name', async () => {
      await create(
        roles,
        role('one', [{ ...reads, verbs: ['list', 'watch', 'delete'], resourceNames: ['a'] }]),
      );
      await create(bindings, binding('one', 'one'));
      const selected = (selector: string) => `${maps}?fieldSelector=${encodeURIComponent(selector)}`;
      expect(await codeOf(selected('metadata.name=a'))).to.equal(200);
      expect(await codeOf(selected('metadata.namespace=default,metadata.name=a'))).to.equal(200);
      const watch = `${selected('metadata.name=a')}&watch=1&timeoutSeconds=1`;
      expect(await codeOf(watch)).to.equal(200);
      const others = ['metadata.name=b', 'metadata.name!=a', 'metadata.namespace=a', 'metadata.name=a/b'];
      for (const selector of [...others, 'metadata.name']) {
        expect(await codeOf(selected(selector)), selector).to.equal(403);
      }
      const { body } = await user.get(selected('metadata.name=b'));
      expect(body.message).to.match(/^configmaps "b" is forbidden: User "alice" cannot list resource/);
    });

    it('are escalated under the name that the request has, which a creation in a collection has not', async () => {
      const escalate = {
        apiGroups: [group],
        resources: ['roles'],
        verbs: ['escalate'],
        resourceNames: ['mine'],
      };
      const write = { apiGroups: [group], resources: ['roles'], verbs: ['create', 'update'] };
      await create(roles, role('granter', [escalate, write]));
      await create(bindings, binding('granter', 'granter'));
      expect((await user.send('POST', roles, { body: role('mine', [reads]) })).code).to.equal(403);
      expect((await user.send('PUT', `${roles}/other`, { body: role('other', [reads]) })).code).to.equal(403);
      expect((await user.send('PUT', `${roles}/mine`, { body: role('mine', [reads]) })).code).to.equal(201);
      const more = role('mine', [reads, { ...reads, verbs: ['watch'] }]);
      expect((await user.send('PUT', `${roles}/mine`, { body: more })).code).to.equal(200);
    });

    it('are listed for who has them, and asked about', async () => {
      await create(roles, role('reader', [reads]));
      await create(bindings, binding('reader', 'reader'));
      const reviews = '/apis/authorization.orch.io/v1';
      const { status } = await create(
        `${reviews}/selfsubjectrulesreviews`,
        {
          kind: 'SelfSubjectRulesReview',
          apiVersion: 'authorization.orch.io/v1',
          spec: { namespace: 'default' },
        },
        user,
      );
      expect(status.resourceRules).to.deep.include({
        verbs: ['get', 'list'],
        apiGroups: [''],
        resources: ['configmaps'],
      });
      expect(status.incomplete).to.equal(false);
      const question = { namespace: 'default', verb: 'list', resource: 'configmaps' };
      const review = await create(
        `${reviews}/selfsubjectaccessreviews`,
        {
          kind: 'SelfSubjectAccessReview',
          apiVersion: 'authorization.orch.io/v1',
          spec: { resourceAttributes: question },
        },
        user,
      );
      expect(review.status).to.deep.equal({
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "reader/default" of Role "reader" to User "alice"',
      });
    });

    it('give health to everybody, and discovery to those who are known', async () => {
      expect(await codeOf('/healthz', server.anonymous)).to.equal(200);
      expect(await codeOf('/api', server.anonymous)).to.equal(403);
      expect(await codeOf('/api')).to.equal(200);
    });
  });
}

describe('roles of an earlier run', () => {
  it('count from the first request on', async () => {
    const directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`];
    try {
      const first = await startTestServer({ flags });
      await first.admin.expect('POST', roles, { body: role('reader', [reads]) });
      await first.admin.expect('POST', bindings, { body: binding('reader', 'reader') });
      await first.stop();
      const second = await startTestServer({ flags });
      expect((await second.withToken(tokens.alice).get(maps)).code).to.equal(200);
      await second.stop();
    } finally {
      await directory.remove();
    }
  });
});
