import { expect } from 'chai';
import type { Node, NodeStatus } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { existingNodePatch, initialNode } from '../../../../src/nodeagent/node/initial-node.ts';
import { agentConfig, otherDialect } from '../agent-config.ts';

// Nothing here looks into the status but for amounts.
const status = {} as NodeStatus;
const make = (flags: string[] = [], dialect = orchDialect): Node =>
  initialNode({ config: agentConfig(flags), nodeName: 'n', architecture: 'amd64', dialect }, status);

describe('initialNode', () => {
  it('has the labels of the system and says who attaches volumes', () => {
    expect(make()).to.deep.equal({
      kind: 'Node',
      apiVersion: 'v1',
      metadata: {
        name: 'n',
        labels: {
          'beta.orch.io/arch': 'amd64',
          'beta.orch.io/os': 'linux',
          'orch.io/arch': 'amd64',
          'orch.io/hostname': 'n',
          'orch.io/os': 'linux',
        },
        annotations: { 'volumes.orch.io/controller-managed-attach-detach': 'true' },
      },
      spec: {},
      status,
    });
  });

  it('spells names as the dialect does', () => {
    const { metadata } = make([], otherDialect);
    expect(metadata.labels).to.have.property(otherDialect.spell('beta.orch.io/arch'), 'amd64');
    expect(metadata.annotations).to.have.property(
      otherDialect.spell('volumes.orch.io/controller-managed-attach-detach'),
    );
  });

  it('has no annotations when the agent attaches volumes itself', () => {
    expect(make(['--enable-controller-attach-detach=false']).metadata).not.to.have.property('annotations');
  });

  it('lets given labels win', () => {
    const { labels } = make(['--node-labels=orch.io/os=plan9,a=1']).metadata;
    expect(labels).to.include({ 'orch.io/os': 'plan9', a: '1', 'beta.orch.io/os': 'linux' });
  });

  it('has taints, and one more when it takes no pods', () => {
    const flags = ['--register-with-taints=a=b:NoSchedule,c:NoExecute,d=:PreferNoSchedule'];
    const given = [
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { key: 'c', effect: 'NoExecute' },
      { key: 'd', effect: 'PreferNoSchedule' },
    ];
    expect(make(flags).spec).to.deep.equal({ taints: given });
    expect(make([...flags, '--register-schedulable=false']).spec).to.deep.equal({
      unschedulable: true,
      taints: [...given, { key: 'node.orch.io/unschedulable', effect: 'NoSchedule' }],
    });
  });

  it('waits for a cloud, and tells it the given address', () => {
    const node = make(['--cloud-provider=external', '--node-ip=192.0.2.2']);
    expect(node.metadata.annotations).to.include({ 'alpha.orch.io/provided-node-ip': '192.0.2.2' });
    expect(node.spec.taints).to.deep.equal([
      { key: 'node.cloudprovider.orch.io/uninitialized', value: 'true', effect: 'NoSchedule' },
    ]);
  });

  it('has the given provider id', () => {
    expect(make(['--provider-id=x://1']).spec.providerID).to.equal('x://1');
  });
});

describe('existingNodePatch', () => {
  const existing = (metadata: Partial<Node['metadata']>, shown: Partial<NodeStatus> = {}): Node => {
    const node = make();
    return { ...node, metadata: { ...node.metadata, ...metadata }, status: { ...status, ...shown } };
  };
  const patch = (node: Node, flags: string[] = []) =>
    existingNodePatch(make(flags), node, { dialect: orchDialect });

  it('changes nothing of a node as it would be registered', () => {
    expect(patch(make())).to.equal(undefined);
  });

  it('gives it no labels or taints of options, but those of the system', () => {
    expect(patch(make(), ['--node-labels=a=2', '--register-with-taints=u=1:NoSchedule'])).to.equal(undefined);
    expect(patch(make(), ['--node-labels=orch.io/os=plan9'])).to.deep.equal({
      metadata: { labels: { 'orch.io/os': 'plan9' } },
    });
    expect(patch(existing({ labels: { x: 'y', 'orch.io/hostname': 'old' } }))).to.deep.equal({
      metadata: {
        labels: {
          'beta.orch.io/arch': 'amd64',
          'beta.orch.io/os': 'linux',
          'orch.io/arch': 'amd64',
          'orch.io/hostname': 'n',
          'orch.io/os': 'linux',
        },
      },
    });
  });

  it('says anew who attaches volumes', () => {
    const key = 'volumes.orch.io/controller-managed-attach-detach';
    expect(patch(make(), ['--enable-controller-attach-detach=false'])).to.deep.equal({
      metadata: { annotations: { [key]: null } },
    });
    expect(patch(existing({ annotations: { other: 'x' } }))).to.deep.equal({
      metadata: { annotations: { [key]: 'true' } },
    });
  });

  it('lets extended resources begin at nothing', () => {
    const capacity = { cpu: '2', 'example.com/thing': '3', 'orch.io/own': '1' };
    expect(patch(existing({}, { capacity }))).to.deep.equal({
      status: { capacity: { 'example.com/thing': '0' }, allocatable: { 'example.com/thing': '0' } },
    });
    const kept = { dialect: orchDialect, keepsExtended: true };
    expect(existingNodePatch(make(), existing({}, { capacity }), kept), 'of its own plugins').to.equal(
      undefined,
    );
  });
});
