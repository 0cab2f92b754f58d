import { expect } from 'chai';
import type { JsonObject } from '../../support/api-client.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const agent = (node: string) => ({
  'Impersonate-User': `system:node:${node}`,
  'Impersonate-Group': 'system:nodes',
});
const node = (name: string, more: object = {}) => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name, ...more },
});
const pod = (name: string, nodeName: string, more: object = {}) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...more },
});
const secret = (name: string) => ({ kind: 'Secret', apiVersion: 'v1', metadata: { name } });
const pods = inNamespace('default', 'pods');
const secrets = inNamespace('default', 'secrets');
const mirror = 'orch.io/config.mirror';

describe('agents of nodes', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ flags: ['--enable-admission-plugins=NodeRestriction'] });
  });
  after(() => server.stop());
  const send = (as: string, method: string, path: string, body?: object) =>
    server.admin.send(method, path, {
      headers: agent(as),
      ...(body === undefined ? {} : { body }),
      ...(method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {}),
    });
  const messageOf = async (...request: Parameters<typeof send>): Promise<string> => {
    const { code, body } = await send(...request);
    return code < 300 ? 'allowed' : String(body.message);
  };
  let n1: JsonObject;

  it('register themselves and nobody else, with labels that are theirs to set', async () => {
    expect(
      (await send('n1', 'POST', '/api/v1/nodes', node('n1', { labels: { 'orch.io/os': 'linux' } }))).code,
    ).to.equal(201);
    n1 = await server.admin.expect('GET', '/api/v1/nodes/n1');
    expect(await messageOf('n1', 'POST', '/api/v1/nodes', node('n2'))).to.equal(
      'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    );
    const labels = { 'node-restriction.orch.io/a': '1', 'orch.io/role': 'x', mine: 'y' };
    expect(await messageOf('n1', 'POST', '/api/v1/nodes', node('n2', { labels }))).to.equal(
      'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    );
    expect(await messageOf('n2', 'POST', '/api/v1/nodes', node('n2', { labels }))).to.equal(
      'nodes "n2" is forbidden: node "n2" is not allowed to set the following labels: node-restriction.orch.io/a, orch.io/role',
    );
    expect(await messageOf('n1', 'PATCH', '/api/v1/nodes/n1', { metadata: { labels } })).to.equal(
      'nodes "n1" is forbidden: is not allowed to modify labels: node-restriction.orch.io/a, orch.io/role',
    );
    const taints = { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } };
    expect(await messageOf('n1', 'PATCH', '/api/v1/nodes/n1', taints)).to.equal(
      'nodes "n1" is forbidden: node "n1" is not allowed to modify taints',
    );
    const more = { 'nodeagent.orch.io/a': '1', 'x.node.orch.io/b': '2', mine: 'y' };
    expect(await messageOf('n1', 'PATCH', '/api/v1/nodes/n1', { metadata: { labels: more } })).to.equal(
      'allowed',
    );
    expect(
      await messageOf('n1', 'PATCH', '/api/v1/nodes/n1/status', { status: { phase: 'Running' } }),
    ).to.equal('allowed');
    expect(await messageOf('n1', 'DELETE', '/api/v1/nodes/n1')).to.match(/cannot delete resource "nodes"/);
  });

  it('read what pods on their node need, from the next request on', async () => {
    for (const name of ['a', 'b']) await server.admin.create(secrets, secret(name));
    const refusal = (name: string): string =>
      `secrets "${name}" is forbidden: User "system:node:n1" cannot get resource "secrets" in API group "" in the namespace "default": no relationship found between node 'n1' and this object`;
    for (let round = 0; round < 5; round++) {
      expect(await messageOf('n1', 'GET', `${secrets}/a`)).to.equal(refusal('a'));
      const volumes = [{ name: 'v', secret: { secretName: 'a' } }];
      await server.admin.create(pods, pod('p', 'n1', { volumes }));
      expect(await messageOf('n1', 'GET', `${secrets}/a`)).to.equal('allowed');
      expect(await messageOf('n1', 'GET', `${secrets}?fieldSelector=metadata.name%3Da`)).to.equal('allowed');
      expect(await messageOf('n1', 'GET', `${secrets}/b`)).to.equal(refusal('b'));
      expect(await messageOf('n2', 'GET', `${secrets}/a`)).to.match(/no relationship found/);
      expect(await messageOf('n1', 'GET', secrets)).to.match(/: No Object name found$/);
      await server.admin.expect('DELETE', `${pods}/p?gracePeriodSeconds=0`);
    }
  });

  it('write the statuses of pods on their node, and delete these', async () => {
    await server.admin.create(pods, pod('own', 'n1'));
    await server.admin.create(pods, pod('other', 'n2'));
    const status = { status: { message: 'm' } };
    expect(await messageOf('n1', 'PATCH', `${pods}/own/status`, status)).to.equal('allowed');
    expect(await messageOf('n1', 'PATCH', `${pods}/other/status`, status)).to.equal(
      'pods "other" is forbidden: node "n1" can only update pod status for pods with spec.nodeName set to itself',
    );
    const labelled = { metadata: { labels: { a: 'b' } } };
    expect(await messageOf('n1', 'PATCH', `${pods}/own/status`, labelled)).to.equal(
      'pods "own" is forbidden: node "n1" cannot update labels through pod status',
    );
    expect(await messageOf('n1', 'DELETE', `${pods}/other`)).to.equal(
      'pods "other" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
    );
    expect(await messageOf('n1', 'DELETE', `${pods}/own?gracePeriodSeconds=0`)).to.equal('allowed');
  });

  it('create mirror pods of their own, which refer to nothing', async () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: n1.metadata.uid, controller: true };
    const mirrored = (metadata: object, spec: object = {}, nodeName = 'n1') => {
      const { metadata: plain, ...rest } = pod('mirror', nodeName, { ...spec });
      const annotations = { [mirror]: 'x' };
      return { ...rest, metadata: { ...plain, annotations, ownerReferences: [owner], ...metadata } };
    };
    const cases: readonly (readonly [string, object])[] = [
      [
        `pod does not have "${mirror}" annotation, node "n1" can only create mirror pods`,
        mirrored({ annotations: {} }),
      ],
      ['node "n1" can only create pods with spec.nodeName set to itself', mirrored({}, {}, 'n2')],
      [
        'node "n1" can only create pods with an owner reference set to itself',
        mirrored({ ownerReferences: [] }),
      ],
      [
        'node "n1" can only create pods with a controller owner reference set to itself',
        mirrored({ ownerReferences: [{ ...owner, controller: false }] }),
      ],
      [
        'node "n1" must not set blockOwnerDeletion on an owner reference',
        mirrored({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
      ],
      [
        `node n1 UID mismatch: expected other got ${n1.metadata.uid}`,
        mirrored({ ownerReferences: [{ ...owner, uid: 'other' }] }),
      ],
      [
        'node "n1" can not create pods that reference a service account',
        mirrored({}, { serviceAccountName: 's' }),
      ],
      [
        'node "n1" can not create pods that reference secrets',
        mirrored({}, { imagePullSecrets: [{ name: 's' }] }),
      ],
      [
        'node "n1" can not create pods that reference configmaps',
        mirrored({}, { volumes: [{ name: 'v', configMap: { name: 'c' } }] }),
      ],
      [
        'node "n1" can not create pods that reference persistentvolumeclaims',
        mirrored({}, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      ],
    ];
    for (const [text, body] of cases) {
      expect(await messageOf('n1', 'POST', pods, body)).to.equal(`pods "mirror" is forbidden: ${text}`);
    }
    expect(await messageOf('n1', 'POST', pods, mirrored({}))).to.equal('allowed');
  });

  it('evict pods on their node, and get tokens for these', async () => {
    await server.admin.create(inNamespace('default', 'serviceaccounts'), {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: 'robot' },
    });
    for (const [name, on] of [
      ['here', 'n1'],
      ['there', 'n2'],
    ] as const) {
      await server.admin.create(pods, pod(name, on, { serviceAccountName: 'robot' }));
    }
    const token = `${inNamespace('default', 'serviceaccounts')}/robot/token`;
    const uidOf = async (name: string) => (await server.admin.expect('GET', `${pods}/${name}`)).metadata.uid;
    const ask = (boundObjectRef?: object) =>
      messageOf('n1', 'POST', token, {
        kind: 'TokenRequest',
        apiVersion: 'authentication.orch.io/v1',
        spec: { audiences: [], ...(boundObjectRef && { boundObjectRef }) },
      });
    const bound = (name: string, uid?: string) => ({
      kind: 'Pod',
      apiVersion: 'v1',
      name,
      ...(uid === undefined ? {} : { uid }),
    });
    expect(await ask()).to.match(/node requested token not bound to a pod$/);
    expect(await ask(bound('here'))).to.match(/node requested token with a pod binding without a uid$/);
    expect(await ask(bound('none', 'u'))).to.equal('pod "none" not found');
    expect(await ask(bound('here', 'other'))).to.match(/does not match the UID in record/);
    expect(await ask(bound('there', await uidOf('there')))).to.match(
      /node requested token bound to a pod scheduled on a different node$/,
    );
    expect(await ask(bound('here', await uidOf('here')))).to.equal('allowed');
    const evict = (name: string) =>
      messageOf('n1', 'POST', `${pods}/${name}/eviction`, {
        kind: 'Eviction',
        apiVersion: 'policy/v1beta1',
        metadata: { name },
      });
    expect(await evict('there')).to.match(/node n1 can only evict pods with spec.nodeName set to itself$/);
    expect(await evict('here')).to.equal('allowed');
  });

  it('keep the lease and the CSINode of their own', async () => {
    const leases = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases';
    const lease = (name: string) => ({
      kind: 'Lease',
      apiVersion: 'coordination.orch.io/v1',
      metadata: { name },
    });
    expect(await messageOf('n1', 'POST', leases, lease('n2'))).to.equal(
      'leases.coordination.orch.io "n2" is forbidden: can only access node lease with the same name as the requesting node',
    );
    expect(await messageOf('n1', 'POST', leases, lease('n1'))).to.equal('allowed');
    expect(await messageOf('n2', 'GET', `${leases}/n1`)).to.match(
      /can only access node lease with the same name/,
    );
    const csiNodes = '/apis/storage.orch.io/v1/csinodes';
    const csiNode = (name: string) => ({
      kind: 'CSINode',
      apiVersion: 'storage.orch.io/v1',
      metadata: { name },
      spec: { drivers: [] },
    });
    expect(await messageOf('n1', 'POST', csiNodes, csiNode('n2'))).to.match(
      /can only access CSINode with the same name as the requesting node$/,
    );
    expect(await messageOf('n1', 'POST', csiNodes, csiNode('n1'))).to.equal('allowed');
  });

  it('are refused when they have no name', async () => {
    expect(await messageOf('', 'GET', '/api/v1/nodes')).to.match(/unknown node for user "system:node:"$/);
  });
});
