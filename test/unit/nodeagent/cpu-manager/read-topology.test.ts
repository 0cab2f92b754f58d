import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readTopology } from '../../../../src/nodeagent/cpu-manager/read-topology.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('readTopology', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      const full = join(directory.path, 'sys/devices/system', path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, `${text}\n`);
    }
  };

  it('knows sockets, cores by their lowest thread, and nodes, of CPUs that are on', async () => {
    await write({
      'cpu/online': '0-2,4-6',
      'cpu/cpu0/topology/physical_package_id': '0',
      'cpu/cpu0/topology/thread_siblings_list': '0,4',
      'cpu/cpu1/topology/physical_package_id': '0',
      'cpu/cpu1/topology/thread_siblings_list': '1,5',
      'cpu/cpu2/topology/physical_package_id': '1',
      'cpu/cpu2/topology/thread_siblings_list': '2,6',
      'cpu/cpu4/topology/physical_package_id': '0',
      'cpu/cpu4/topology/thread_siblings_list': '0,4',
      'cpu/cpu5/topology/physical_package_id': '0',
      'cpu/cpu5/topology/thread_siblings_list': '1,5',
      'cpu/cpu6/topology/physical_package_id': '1',
      'cpu/cpu6/topology/thread_siblings_list': '2-3,6-7',
      'node/node0/cpulist': '0-1,4-5',
      'node/node1/cpulist': '2-3,6-7',
      'node/possible': '0-1',
    });
    const topology = await readTopology({ root: directory.path });
    expect([...topology.places.values()]).to.deep.equal([
      { cpu: 0, core: 0, socket: 0, node: 0 },
      { cpu: 1, core: 1, socket: 0, node: 0 },
      { cpu: 2, core: 2, socket: 1, node: 1 },
      { cpu: 4, core: 0, socket: 0, node: 0 },
      { cpu: 5, core: 1, socket: 0, node: 0 },
      { cpu: 6, core: 2, socket: 1, node: 1 },
    ]);
    expect(topology).to.include({ cpusPerCore: 2, cpusPerSocket: 3 });
    expect(topology.nodes).to.deep.equal([0, 1]);
  });

  it('makes do with a kernel that says little', async () => {
    await write({ 'cpu/online': '0-1', 'cpu/cpu1/topology/physical_package_id': '-1' });
    const { places, nodes } = await readTopology({ root: directory.path });
    expect([...places.values()]).to.deep.equal([
      { cpu: 0, core: 0, socket: 0, node: 0 },
      { cpu: 1, core: 1, socket: 0, node: 0 },
    ]);
    expect(nodes).to.deep.equal([0]);
  });

  it('reads this machine', async () => {
    const { cpus, places } = await readTopology();
    expect(cpus.size).to.be.greaterThan(0);
    expect([...places.values()].every(({ core }) => cpus.has(core))).to.equal(true);
  });
});
