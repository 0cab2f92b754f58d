import { expect } from 'chai';
import type { NodeStatus } from '../../../../src/apis/types/core-v1.ts';
import { statusPatch } from '../../../../src/nodeagent/node/node-status.ts';

describe('statusPatch', () => {
  const condition = (lastHeartbeatTime: string, status = 'True') => ({
    type: 'Ready',
    status,
    lastHeartbeatTime,
    reason: 'r',
    message: 'm',
  });
  // The fields that matter here.
  const status = (differs: Partial<NodeStatus>) =>
    ({ capacity: { cpu: '2' }, conditions: [condition('a')], ...differs }) as NodeStatus;

  it('carries the conditions only when nothing but their time is new', () => {
    const conditions = [condition('b')];
    expect(statusPatch(status({}), status({ conditions }))).to.deep.equal({
      patch: { '$setElementOrder/conditions': [{ type: 'Ready' }], conditions },
      hasChanged: false,
    });
  });

  it('lets conditions of others stay where they are', () => {
    const shown = status({ conditions: [{ type: 'NetworkUnavailable', status: 'False' }] });
    expect(statusPatch(shown, status({})).patch).to.deep.include({
      '$setElementOrder/conditions': [{ type: 'NetworkUnavailable' }, { type: 'Ready' }],
    });
  });

  it('tells changed conditions', () => {
    expect(statusPatch(status({}), status({ conditions: [condition('b', 'False')] })).hasChanged).to.equal(
      true,
    );
  });

  it('takes away amounts that are gone', () => {
    const shown = status({ capacity: { cpu: '2', 'hugepages-2Mi': '0' } });
    expect(statusPatch(shown, status({ capacity: { cpu: '4' } }))).to.deep.equal({
      patch: {
        capacity: { cpu: '4', 'hugepages-2Mi': null },
        '$setElementOrder/conditions': [{ type: 'Ready' }],
        conditions: [condition('a')],
      },
      hasChanged: true,
    });
  });

  it("takes away what the configuration no longer says, and leaves it alone when it is not the agent's", () => {
    const configMap = { namespace: 'n', name: 'm', uid: 'u', resourceVersion: '1', nodeAgentConfigKey: 'k' };
    const shown = status({ config: { assigned: { configMap }, error: 'e' } });
    const changed = (config: NodeStatus['config']) => statusPatch(shown, status({ config })).patch.config;
    const active = { configMap };
    expect(changed({ active })).to.deep.equal({ assigned: null, error: null, active });
    expect(changed({})).to.deep.equal({ assigned: null, error: null });
    expect(changed(shown.config)).to.equal(undefined);
    expect(changed(undefined)).to.equal(undefined);
    expect(statusPatch(status({}), status({ config: {} })).patch.config).to.deep.equal({});
  });

  it('does not mind the order of amounts', () => {
    const shown = status({ capacity: { a: '1', b: '2' } });
    expect(statusPatch(shown, status({ capacity: { b: '2', a: '1' } })).hasChanged).to.equal(false);
  });

  it('replaces addresses as a whole', () => {
    const shown = status({ addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] });
    const addresses = [
      { type: 'InternalIP', address: '192.0.2.2' },
      { type: 'InternalIP', address: 'fd00::2' },
    ];
    expect(statusPatch(shown, status({ addresses })).patch).to.deep.include({
      addresses: [...addresses, { $patch: 'replace' }],
    });
    expect(statusPatch(shown, status({})).patch).to.deep.include({ addresses: [{ $patch: 'replace' }] });
  });

  it('takes images away when there are none', () => {
    const shown = status({ images: [{ names: ['a'] }] });
    expect(statusPatch(shown, status({})).patch).to.deep.include({ images: null });
  });
});
