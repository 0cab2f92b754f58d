import { expect } from 'chai';
import { nodeResources } from '../../../../src/nodeagent/node/capacity.ts';
import { agentConfig } from '../agent-config.ts';
import { machine, storageBytes } from './machine.ts';

describe('nodeResources', () => {
  const of = (flags: readonly string[] = []) =>
    nodeResources({ machine, config: agentConfig(flags), storageBytes });
  const capacity = {
    cpu: '2',
    'ephemeral-storage': '264212084Ki',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: '24684084Ki',
    pods: '110',
  };

  it('has the devices of plugins, and of those that are healthy for pods', () => {
    const devices = new Map([
      ['vendor.com/card', { capacity: 3, allocatable: 2 }],
      ['vendor.com/gone', { capacity: 0, allocatable: 0 }],
    ]);
    const shown = { 'vendor.com/card': '7', 'other.com/x': '1' };
    const { capacity: all, allocatable } = nodeResources({
      machine,
      config: agentConfig([]),
      storageBytes,
      shown,
      devices,
    });
    const foreign = { 'other.com/x': '1', 'vendor.com/gone': '0' };
    expect(all).to.deep.equal({ ...capacity, ...foreign, 'vendor.com/card': '3' });
    expect(allocatable).to.deep.include({ ...foreign, 'vendor.com/card': '2' });
  });

  // What the reference, release 1.20, says on the same machine.
  const cases: [what: string, flags: string[], allocatable: Record<string, string>][] = [
    ['default thresholds', [], { memory: '24581684Ki', 'ephemeral-storage': '243497856212' }],
    [
      'shares as 32-bit floats',
      ['--eviction-hard=memory.available<10%,nodefs.available<20%,imagefs.available<1%'],
      { memory: '22748851777', 'ephemeral-storage': '216442538407' },
    ],
    ['almost all memory', ['--eviction-hard=memory.available<99%'], { memory: '252764780' }],
    ['almost all storage', ['--eviction-hard=nodefs.available<99%'], { 'ephemeral-storage': '2705529160' }],
    [
      'reservations and thresholds',
      [
        '--system-reserved=cpu=100m,memory=200Mi,ephemeral-storage=1Gi',
        '--orch-reserved=cpu=150m,memory=100Mi,ephemeral-storage=2Gi,pid=100',
        '--eviction-hard=memory.available<300Mi,nodefs.available<5Gi',
      ],
      { cpu: '1750m', memory: '24069684Ki', 'ephemeral-storage': '255823476Ki' },
    ],
    [
      'no enforcement',
      ['--enforce-node-allocatable=', '--eviction-hard=memory.available<512Mi'],
      { memory: '24159796Ki' },
    ],
    [
      'thresholds that are ignored',
      ['--experimental-allocatable-ignore-eviction=true', '--eviction-hard=memory.available<1Gi'],
      {},
    ],
    [
      'soft thresholds, which do not count',
      [
        '--eviction-hard=memory.available<50Mi',
        '--eviction-soft=memory.available<1Gi',
        '--eviction-soft-grace-period=memory.available=1m',
      ],
      { memory: '24632884Ki' },
    ],
    ['reserved processors', ['--reserved-cpus=0', '--eviction-hard=pid.available<1'], { cpu: '1' }],
    [
      'reserved processors beside amounts',
      ['--reserved-cpus=0', '--orch-reserved=cpu=500m', '--eviction-hard=pid.available<1'],
      { cpu: '1' },
    ],
  ];
  for (const [what, flags, differs] of cases) {
    it(`keeps from pods: ${what}`, () => {
      const { allocatable } = of(flags);
      expect(allocatable).to.deep.equal({ ...capacity, ...differs });
    });
  }

  it('shows what the machine has', () => {
    expect(of().capacity).to.deep.equal(capacity);
  });

  it('knows no storage without the feature', () => {
    const { capacity: shown, allocatable } = of(['--feature-gates=LocalStorageCapacityIsolation=false']);
    expect(shown).not.to.have.property('ephemeral-storage');
    expect(allocatable).not.to.have.property('ephemeral-storage');
  });

  it('takes pods by processor up to the maximum', () => {
    expect(of(['--pods-per-core=100', '--max-pods=30']).capacity.pods).to.equal('30');
    expect(of(['--pods-per-core=10', '--max-pods=30']).capacity.pods).to.equal('20');
  });

  it('takes huge pages from the memory of pods', () => {
    const paged = { ...machine, hugepageBytes: new Map([['2Mi', 64 * 1024 * 1024]]) };
    const config = agentConfig(['--eviction-hard=pid.available<1']);
    const resources = nodeResources({ machine: paged, config, storageBytes });
    expect(resources.capacity).to.include({ 'hugepages-2Mi': '64Mi', memory: '24684084Ki' });
    expect(resources.allocatable).to.include({ 'hugepages-2Mi': '64Mi', memory: '24618548Ki' });
  });

  it('keeps amounts of others, and none of its own that are gone', () => {
    const shown = { 'example.com/thing': '3', 'hugepages-32Mi': '0', 'ephemeral-storage': '1', cpu: '9' };
    const { allocatable } = nodeResources({ machine, config: agentConfig(), storageBytes, shown });
    expect(allocatable).to.include({ 'example.com/thing': '3', cpu: '2' });
    expect(allocatable).not.to.have.property('hugepages-32Mi');
  });

  it('is never negative', () => {
    expect(of(['--orch-reserved=memory=1Ti,cpu=9,ephemeral-storage=9Ti']).allocatable).to.include({
      cpu: '0',
      memory: '0',
      'ephemeral-storage': '0',
    });
  });
});
