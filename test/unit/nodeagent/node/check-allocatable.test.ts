import { expect } from 'chai';
import { checkAllocatable } from '../../../../src/nodeagent/node/index.ts';
import { agentConfig } from '../agent-config.ts';
import { machine } from './machine.ts';

describe('checkAllocatable', () => {
  const check = (flags: string[]) =>
    checkAllocatable({ machine, config: agentConfig(['--root-dir=/', ...flags]) });

  it('takes what leaves something', async () => {
    expect(await check([])).to.equal(undefined);
    expect(await check(['--reserved-cpus=0-1'])).to.equal(undefined);
  });

  it('refuses to keep more than there is', async () => {
    expect(await check(['--orch-reserved=cpu=3', '--system-reserved=memory=100Gi'])).to.match(
      /^invalid Node Allocatable configuration\. Resource "cpu" has an allocatable of -1, capacity of 2 Resource "memory" has an allocatable of -\d+Ki, capacity of 24684084Ki$/,
    );
    expect(await check(['--orch-reserved=ephemeral-storage=1Ei'])).to.contain('Resource "ephemeral-storage"');
  });

  it('does not mind storage that nobody counts', async () => {
    const flags = ['--feature-gates=LocalStorageCapacityIsolation=false'];
    expect(await check([...flags, '--orch-reserved=ephemeral-storage=1Ei'])).to.equal(undefined);
  });
});
