import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../../support/api-client.ts';
import { eventually } from '../../../support/eventually.ts';
import { inNamespace } from '../../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../../support/test-server.ts';

const group = 'rbac.authorization.orch.io';
const any = { rule: 'RunAsAny' };
const policy = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any, volumes: ['*'], ...spec },
});
const pod = (name: string, securityContext?: object, more: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', ...(securityContext && { securityContext }) }], ...more },
});
const pods = inNamespace('default', 'pods');
const auditPrefix = 'podsecuritypolicy.policy.admission.orch.io';

describe('pod security policies', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let admin: ApiClient;
  let alice: ApiClient;
  let logPath: string;
  before(async () => {
    directory = await makeTemporaryDirectory();
    logPath = join(directory.path, 'audit.log');
    const policyPath = join(directory.path, 'policy.yaml');
    await writeFile(policyPath, 'apiVersion: audit.orch.io/v1\nkind: Policy\nrules:\n- {level: Metadata}\n');
    server = await startTestServer({
      flags: [
        '--enable-admission-plugins=PodSecurityPolicy',
        '--disable-admission-plugins=ServiceAccount',
        '--authorization-mode=RBAC',
        '--allow-privileged',
        '--feature-gates=EphemeralContainers=true',
        `--audit-log-path=${logPath}`,
        `--audit-policy-file=${policyPath}`,
      ],
    });
    admin = server.admin;
    alice = server.withToken(tokens.alice);
    await grant('pods', { kind: 'User', name: 'alice' }, [
      { apiGroups: [''], resources: ['pods', 'pods/ephemeralcontainers'], verbs: ['*'] },
    ]);
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  /** Gives somebody rules in the namespace `default`. */
  async function grant(
    name: string,
    { kind, name: who }: JsonObject,
    rules: readonly object[],
  ): Promise<void> {
    const at = `/apis/${group}/v1/namespaces/default`;
    await admin.expect('POST', `${at}/roles`, { body: { metadata: { name }, rules } });
    const subject =
      kind === 'User' ? { kind, name: who, apiGroup: group } : { kind, name: who, namespace: 'default' };
    const roleRef = { apiGroup: group, kind: 'Role', name };
    await admin.expect('POST', `${at}/rolebindings`, {
      body: { metadata: { name }, roleRef, subjects: [subject] },
    });
  }
  const mayUse = (...names: string[]) => [
    { apiGroups: ['policy'], resources: ['podsecuritypolicies'], resourceNames: names, verbs: ['use'] },
  ];
  const create = (client: ApiClient, body: object, query = '') =>
    client.send('POST', `${pods}${query}`, { body });
  const annotationOf = ({ body }: { readonly body: JsonObject }) =>
    body.metadata.annotations?.['orch.io/psp'];

  /** What the audit log has of the plugin for an answered request. */
  const auditedOf = (auditId: unknown) =>
    eventually(async () => {
      const lines = (await readFile(logPath, 'utf8')).split('\n').filter((line) => line !== '');
      const found = lines
        .map((line) => JSON.parse(line) as JsonObject)
        .find((event) => event.auditID === auditId && event.stage === 'ResponseComplete');
      if (found === undefined) return undefined;
      const own = Object.entries<string>(found.annotations).filter(([key]) => key.startsWith(auditPrefix));
      return Object.fromEntries(own.map(([key, value]) => [key.slice(auditPrefix.length + 1), value]));
    });

  it('let nobody in before there is one', async () => {
    const { code, body } = await create(admin, pod('early'));
    expect([code, body.message]).to.deep.equal([
      403,
      'pods "early" is forbidden: PodSecurityPolicy: no providers available to validate pod request',
    ]);
  });

  describe('once there are', () => {
    before(async () => {
      const path = '/apis/policy/v1beta1/podsecuritypolicies';
      await admin.expect('POST', path, { body: policy('open', { privileged: true }) });
      const strict = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false };
      await admin.expect('POST', path, { body: policy('strict', strict) });
      await grant('strict', { kind: 'User', name: 'alice' }, mayUse('strict'));
      await grant('open', { kind: 'ServiceAccount', name: 'trusted' }, mayUse('open'));
    });

    it('let the administrator in by the first that changes nothing', async () => {
      const answer = await create(admin, pod('a', { privileged: true }));
      expect(annotationOf(answer)).to.equal('open');
      expect(answer.body.spec.containers[0].securityContext).to.deep.equal({ privileged: true });
      expect(await auditedOf(answer.headers['audit-id'])).to.deep.equal({
        'admit-policy': 'open',
        'validate-policy': 'open',
      });
    });

    it('fill in what a user leaves open, also in a dry run, which stores nothing', async () => {
      for (const query of ['?dryRun=All', '']) {
        const answer = await create(alice, pod('b'), query);
        expect(annotationOf(answer)).to.equal('strict');
        expect(answer.body.spec.containers[0].securityContext).to.deep.equal({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        });
      }
    });

    it('tell a user only of what the user may use', async () => {
      const { code, body } = await create(alice, pod('c', { privileged: true }));
      expect(code).to.equal(403);
      expect(body.message).to.equal(
        'pods "c" is forbidden: PodSecurityPolicy: unable to admit pod: [spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed]',
      );
    });

    it('let in what the service account may use', async () => {
      const trusted = { serviceAccountName: 'trusted' };
      const answer = await create(alice, pod('d', { privileged: true }, trusted));
      expect([answer.code, annotationOf(answer)]).to.deep.equal([201, 'open']);
      const other = await create(alice, pod('e', { privileged: true }, { serviceAccountName: 'other' }));
      expect(other.code).to.equal(403);
    });

    it('hold for updates, which they do not change', async () => {
      const patch = (name: string, body: object, client = alice) =>
        client.send('PATCH', `${pods}/${name}`, { body, contentType: 'application/merge-patch+json' });
      const labelled = await patch('b', { metadata: { labels: { x: 'y' } } });
      expect(labelled.code).to.equal(200);
      expect(await auditedOf(labelled.headers['audit-id'])).to.deep.equal({ 'validate-policy': 'strict' });
      // Who may not use a policy for it may not change it either, except owners and finalizers.
      const { code, body } = await patch('a', { metadata: { labels: { x: 'y' } } });
      expect(code).to.equal(403);
      expect(body.message).to.match(/PodSecurityPolicy: unable to validate pod: \[spec\.containers\[0\]/);
      expect((await patch('a', { metadata: { finalizers: ['example.com/x'] } })).code).to.equal(200);
      expect((await patch('a', { metadata: { finalizers: [] } })).code).to.equal(200);
      const status = await admin.send('PATCH', `${pods}/a/status`, {
        body: { status: { message: 'm' } },
        contentType: 'application/merge-patch+json',
      });
      expect(status.code).to.equal(200);
    });

    it('hold for containers that are added to a running pod', async () => {
      const path = `${pods}/b/ephemeralcontainers`;
      const current = await alice.expect('GET', path);
      const added = { name: 'e', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };
      const request = { body: { ...current, ephemeralContainers: [added] } };
      // Such a container has no security settings, and a policy that would give it some does not fit.
      const refused = await alice.send('PUT', path, request);
      expect(refused.code).to.equal(403);
      expect(refused.body.message).to.contain('PodSecurityPolicy: unable to validate pod: []');
      expect((await admin.send('PUT', path, request)).code).to.equal(200);
    });

    it('count for the next request when they change or go, as do permissions', async () => {
      const path = '/apis/policy/v1beta1/podsecuritypolicies/strict';
      await admin.expect('PATCH', path, {
        body: { spec: { hostPID: true } },
        contentType: 'application/merge-patch+json',
      });
      expect((await create(alice, pod('f', undefined, { hostPID: true }))).code).to.equal(201);
      await admin.expect('DELETE', `/apis/${group}/v1/namespaces/default/rolebindings/strict`);
      const { body } = await create(alice, pod('g'));
      expect(body.message).to.equal('pods "g" is forbidden: PodSecurityPolicy: unable to admit pod: []');
    });
  });
});

it('pod security policies decide nothing unless the plugin is enabled', async () => {
  const server = await startTestServer();
  try {
    const answer = await server.admin.send('POST', pods, { body: pod('free') });
    expect(answer.code).to.equal(201);
    expect(answer.body.metadata).not.to.have.property('annotations');
  } finally {
    await server.stop();
  }
});
