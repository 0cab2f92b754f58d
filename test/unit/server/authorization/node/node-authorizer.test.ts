import { expect } from 'chai';
import { nodeRules } from '../../../../../src/apis/bootstrap/index.ts';
import type { Node, PersistentVolume, Pod } from '../../../../../src/apis/types/core-v1.ts';
import type { VolumeAttachment } from '../../../../../src/apis/types/storage-v1.ts';
import { orchDialect as dialect } from '../../../../../src/machinery/dialect.ts';
import { NodeAuthorizer } from '../../../../../src/server/authorization/index.ts';
import { NodeGraph } from '../../../../../src/server/authorization/node/node-graph.ts';

const mirror = dialect.label('config.mirror');
const agent = (node: string, groups = ['system:nodes', 'system:authenticated']) => ({
  name: `system:node:${node}`,
  uid: '',
  groups,
  extra: {},
});

/** Objects are whole enough for what is read of them. */
const pod = (spec: object, metadata: object = {}): Pod =>
  ({ metadata: { namespace: 'ns', name: 'p', ...metadata }, spec: { nodeName: 'n1', ...spec } }) as Pod;
const volume = (spec: object): PersistentVolume => ({ metadata: {}, spec }) as PersistentVolume;
const claimVolume = (claimName: string) => ({ name: 'v', persistentVolumeClaim: { claimName } });

describe('NodeAuthorizer', () => {
  let graph: NodeGraph;
  beforeEach(() => {
    graph = new NodeGraph(mirror);
  });
  const authorizer = (gates: readonly string[] = ['ExpandPersistentVolumes']) =>
    new NodeAuthorizer({
      dialect,
      rules: nodeRules(dialect),
      graph: { refreshed: () => graph },
      gates: new Set(gates),
    });
  /** `verb group/resource/subresource namespace/name`. */
  const ask = (question: string, user = agent('n1'), using = authorizer()) => {
    const [verb = '', what = '', where = '/'] = question.split(' ');
    const [group = '', resource = '', subresource = ''] = what.split('/');
    const [namespace = '', name = ''] = where.split('/');
    const request = { isResource: true, verb, group, version: 'v1', resource, subresource };
    return using.authorize({ user, request: { ...request, namespace, name, path: '' } });
  };
  const unrelated = "no relationship found between node 'n1' and this object";

  const refusals: readonly (readonly [string, string])[] = [
    ['delete /secrets ns/s', 'can only read resources of this type'],
    ['get /secrets/x ns/s', 'cannot read subresource'],
    ['list /secrets /', 'can only read namespaced object of this type'],
    ['list /secrets ns/', 'No Object name found'],
    ['get /secrets ns/s', unrelated],
    ['watch /configmaps ns/c', unrelated],
    ['create /configmaps ns/c', 'can only read resources of this type'],
    ['list /persistentvolumeclaims ns/', 'can only get individual resources of this type'],
    ['get /persistentvolumeclaims/status ns/c', 'can only get/update/patch this type'],
    ['update /persistentvolumeclaims/status ns/c', unrelated],
    ['update /persistentvolumes /v', 'can only get individual resources of this type'],
    ['get /persistentvolumes/status /v', 'cannot get subresource'],
    ['get /persistentvolumes /v', unrelated],
    ['get storage.orch.io/volumeattachments /a', unrelated],
    ['create /serviceaccounts/token ns/', 'can only create tokens for individual service accounts'],
    ['get /serviceaccounts ns/s', 'can only create tokens for individual service accounts'],
    ['create /serviceaccounts/other ns/s', 'can only create token subresource of serviceaccount'],
    ['create /serviceaccounts/token ns/s', unrelated],
    [
      'list coordination.orch.io/leases orch-node-lease/',
      'can only get, create, update, patch, or delete a node lease',
    ],
    [
      'get coordination.orch.io/leases ns/n1',
      'can only access leases in the "orch-node-lease" system namespace',
    ],
    [
      'get coordination.orch.io/leases orch-node-lease/n2',
      'can only access node lease with the same name as the requesting node',
    ],
    ['list storage.orch.io/csinodes /', 'can only get, create, update, patch, or delete a CSINode'],
    ['get storage.orch.io/csinodes/status /n1', 'cannot authorize CSINode subresources'],
    ['get storage.orch.io/csinodes /n2', 'can only access CSINode with the same name as the requesting node'],
    ['deletecollection /pods ns/', ''],
    ['get apps/deployments ns/d', ''],
  ];
  for (const [question, reason] of refusals) {
    it(`does not allow ${question}: ${reason || 'no reason'}`, () => {
      expect(ask(question)).to.deep.equal({ isAllowed: false, reason });
    });
  }

  for (const question of [
    'get /nodes /n2',
    'update /nodes/status /n1',
    'list /pods /',
    'create /pods ns/',
    'create /pods/eviction ns/p',
    'create coordination.orch.io/leases orch-node-lease/',
    'patch coordination.orch.io/leases orch-node-lease/n1',
    'delete storage.orch.io/csinodes /n1',
    'create storage.orch.io/csinodes /',
    'watch node.orch.io/runtimeclasses /',
    'create certificates.orch.io/certificatesigningrequests /',
  ]) {
    it(`allows ${question} to every agent`, () => {
      expect(ask(question).isAllowed).to.equal(true);
    });
  }

  it('has no opinion of others, and none of agents without a name', () => {
    for (const user of [agent('n1', ['system:authenticated']), { ...agent('n1'), name: 'n1' }]) {
      expect(ask('get /nodes /n1', user)).to.deep.equal({ isAllowed: false, reason: '' });
    }
    expect(ask('get /nodes /n1', agent('')).reason).to.equal('unknown node for user "system:node:"');
  });

  const references: readonly (readonly [string, object, string])[] = [
    ['a volume', { volumes: [{ name: 'v', secret: { secretName: 'x' } }] }, 'get /secrets ns/x'],
    ['a pull secret', { imagePullSecrets: [{ name: 'x' }] }, 'list /secrets ns/x'],
    [
      'a variable of an init container',
      { initContainers: [{ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'x', key: 'k' } } }] }] },
      'watch /secrets ns/x',
    ],
    [
      'a projection',
      { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'x' } }] } }] },
      'get /secrets ns/x',
    ],
    [
      'an inline volume',
      { volumes: [{ name: 'v', csi: { driver: 'd', nodePublishSecretRef: { name: 'x' } } }] },
      'get /secrets ns/x',
    ],
    [
      'a config map',
      { containers: [{ envFrom: [{ configMapRef: { name: 'x' } }] }] },
      'get /configmaps ns/x',
    ],
    [
      'a projected config map',
      { volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'x' } }] } }] },
      'get /configmaps ns/x',
    ],
    ['a claim', { volumes: [claimVolume('x')] }, 'get /persistentvolumeclaims ns/x'],
    ['a claim that grows', { volumes: [claimVolume('x')] }, 'patch /persistentvolumeclaims/status ns/x'],
    ['a claim of its own', { volumes: [{ name: 'v', ephemeral: {} }] }, 'get /persistentvolumeclaims ns/p-v'],
    ['a service account', { serviceAccountName: 'x' }, 'create /serviceaccounts/token ns/x'],
  ];
  for (const [what, spec, question] of references) {
    it(`allows an agent what a pod on its node refers to by ${what}, and nobody else`, () => {
      expect(ask(question).isAllowed).to.equal(false);
      graph.setPod('ns/p', pod(spec));
      expect(ask(question).isAllowed).to.equal(true);
      expect(ask(question, agent('n2')).isAllowed).to.equal(false);
      expect(ask(question.replace('ns/', 'other/')).isAllowed).to.equal(false);
      graph.setPod('ns/p', undefined);
      expect(ask(question).isAllowed).to.equal(false);
    });
  }

  it('follows pods that are placed, and several that need the same', () => {
    const spec = { volumes: [{ name: 'v', secret: { secretName: 'x' } }] };
    graph.setPod('ns/p', pod({ ...spec, nodeName: undefined }));
    expect(ask('get /secrets ns/x').isAllowed).to.equal(false);
    graph.setPod('ns/p', pod(spec));
    graph.setPod('ns/q', pod(spec, { name: 'q' }));
    graph.setPod('ns/p', undefined);
    expect(ask('get /secrets ns/x').isAllowed).to.equal(true);
    graph.setPod('ns/q', pod({}, { name: 'q' }));
    expect(ask('get /secrets ns/x').isAllowed).to.equal(false);
  });

  it('follows nothing from mirror pods, which agents write themselves', () => {
    graph.setPod('ns/p', pod({ imagePullSecrets: [{ name: 'x' }] }, { annotations: { [mirror]: '1' } }));
    expect(ask('get /secrets ns/x').isAllowed).to.equal(false);
  });

  it('follows claims to volumes, and these to the secrets that agents need', () => {
    const source = { driver: 'd', volumeHandle: 'h' };
    const spec = {
      claimRef: { namespace: 'ns', name: 'c' },
      csi: {
        ...source,
        nodeStageSecretRef: { namespace: 'secrets', name: 'stage' },
        controllerPublishSecretRef: { namespace: 'secrets', name: 'controller' },
      },
      cephfs: { monitors: [], secretRef: { name: 'near' } },
    };
    graph.setVolume('pv', volume(spec));
    expect(ask('get /persistentvolumes /pv').isAllowed).to.equal(false);
    graph.setPod('ns/p', pod({ volumes: [claimVolume('c')] }));
    const readable = () =>
      [
        '/persistentvolumes /pv',
        '/secrets secrets/stage',
        '/secrets ns/near',
        '/secrets secrets/controller',
      ].map((what) => ask(`get ${what}`).isAllowed);
    expect(readable()).to.deep.equal([true, true, true, false]);
    expect(ask('get /secrets secrets/stage', agent('n2')).isAllowed).to.equal(false);
    graph.setVolume('pv', volume({ ...spec, claimRef: undefined }));
    expect(readable()).to.deep.equal([false, false, false, false]);
    graph.setVolume('pv', volume(spec));
    graph.setVolume('pv', undefined);
    expect(readable()).to.deep.equal([false, false, false, false]);
  });

  it('follows attachments to their node', () => {
    const attachment = { metadata: {}, spec: { nodeName: 'n1' } } as VolumeAttachment;
    graph.setAttachment('a', attachment);
    const question = 'get storage.orch.io/volumeattachments /a';
    expect([ask(question).isAllowed, ask(question, agent('n2')).isAllowed]).to.deep.equal([true, false]);
    graph.setAttachment('a', undefined);
    expect(ask(question).isAllowed).to.equal(false);
  });

  it('follows nodes to the config map that they are configured by', () => {
    const configMap = { namespace: 'ns', name: 'c' };
    graph.setNode('n1', { metadata: {}, spec: { configSource: { configMap } } } as Node);
    const question = 'get /configmaps ns/c';
    expect([ask(question).isAllowed, ask(question, agent('n2')).isAllowed]).to.deep.equal([true, false]);
    graph.setNode('n1', undefined);
    expect(ask(question).isAllowed).to.equal(false);
  });

  it('lets nobody write statuses of claims where volumes do not grow', () => {
    graph.setPod('ns/p', pod({ volumes: [claimVolume('c')] }));
    const question = 'update /persistentvolumeclaims/status ns/c';
    expect(ask(question).isAllowed).to.equal(true);
    expect(ask(question, agent('n1'), authorizer([])).reason).to.equal(
      'can only get individual resources of this type',
    );
  });

  it('says that it cannot list what agents may do', () => {
    expect(authorizer().rulesFor(agent('n1'), 'ns')).to.deep.include({ isIncomplete: true });
    expect(authorizer().rulesFor({ ...agent('n1'), groups: [] }, 'ns').isIncomplete).to.equal(false);
  });
});
