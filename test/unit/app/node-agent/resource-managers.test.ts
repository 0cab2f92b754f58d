import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { makeCpuManager } from '../../../../src/app/node-agent/resource-managers.ts';
import { silentLogger } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { PodTable } from '../../../../src/nodeagent/lifecycle/index.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { agentConfig, otherDialect } from '../../nodeagent/agent-config.ts';

describe('makeCpuManager', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const make = (flags: readonly string[], dialect = orchDialect) => {
    const base: Parameters<typeof makeCpuManager>[0] = {
      config: agentConfig([`--root-dir=${directory.path}`, ...flags]),
      dialect,
      machine: { cpuCount: 2 },
      clock: new SimulatedTime().clockOf('agent'),
      logger: silentLogger,
      runtime: { updateContainerResources: async () => {} },
    };
    const relist = { listing: { sandboxes: [], containers: [] } };
    return makeCpuManager(base, { table: new PodTable(() => true), relist });
  };
  const failure = (flags: readonly string[], dialect = orchDialect): Promise<string> =>
    make(flags, dialect).then(
      () => 'nothing failed',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const state = (): Promise<string> =>
    readFile(join(directory.path, 'cpu_manager_state'), 'utf8').catch(() => 'none');
  const isStatic = ['--cpu-manager-policy=static', '--system-reserved=cpu=100m'];

  it('notes on disk that nobody has processors of his own, and gives out none', async () => {
    expect(await make([])).to.equal(undefined);
    expect(await state()).to.equal('{"policyName":"none","defaultCpuSet":"","checksum":1353318690}');
    expect(await make([])).to.equal(undefined);
  });

  it('gives out those of this machine when it is told so', async () => {
    const processors = await make(isStatic);
    expect(processors?.state.shared.size).to.be.greaterThan(0);
    expect(await state()).to.include('"policyName":"static"');
  });

  it('lets an operator decide when the policy changes', async () => {
    await make([]);
    expect(await failure(isStatic, otherDialect)).to.equal(
      `MachineError: Failed to start ContainerManager start cpu manager error: could not restore state from checkpoint: configured policy "static" differs from state checkpoint policy "none", please drain this node and delete the CPU manager checkpoint file "${directory.path}/cpu_manager_state" before restarting Kubelet`,
    );
  });

  it('looks at nothing when the feature is off', async () => {
    expect(await make([...isStatic, '--feature-gates=CPUManager=false'])).to.equal(undefined);
    expect(await state()).to.equal('none');
  });

  it('refuses to reserve what the machine does not have', async () => {
    expect(await failure(['--reserved-cpus=1-2'])).to.equal(
      'MachineError: failed to run NodeAgent: Invalid cpuset "1-2" specified by --reserved-cpus',
    );
    expect(await failure(['--cpu-manager-policy=static', '--system-reserved=cpu=70000'])).to.include(
      'new static policy error: [cpumanager] unable to reserve the required amount of CPUs',
    );
  });
});
