import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readMachine } from '../../../../src/nodeagent/node/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('readMachine', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  async function put(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(directory.path, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }

  it('reads what the kernel and the distribution say', async () => {
    await put({
      'sys/devices/system/cpu/online': '0-2,7\n',
      'proc/meminfo': 'MemFree:   1 kB\nMemTotal:       24684084 kB\n',
      'etc/os-release': 'NAME="Some"\nPRETTY_NAME="Some Linux 12 (x)"\n',
      'etc/machine-id': 'abc\n',
      'sys/class/dmi/id/product_uuid': 'def\n',
      'proc/sys/kernel/random/boot_id': 'ghi\n',
      'proc/sys/kernel/pid_max': '4194304\n',
      'proc/sys/kernel/osrelease': '6.1.0-9\n',
      'proc/swaps': 'Filename Type\n/dev/sda2 partition\n',
      'sys/module/apparmor/parameters/enabled': 'Y\n',
      'sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages': '3\n',
      'sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages': '0\n',
      'sys/kernel/mm/hugepages/other': 'x',
    });
    const { architecture, hugepageBytes, ...machine } = await readMachine({ root: directory.path });
    expect(machine).to.deep.equal({
      cpuCount: 4,
      memoryBytes: 24684084 * 1024,
      maxProcesses: 4_194_304,
      machineId: 'abc',
      systemUuid: 'def',
      bootId: 'ghi',
      kernelVersion: '6.1.0-9',
      osImage: 'Some Linux 12 (x)',
      hasSwap: true,
      hasAppArmor: true,
    });
    expect([...hugepageBytes]).to.have.deep.members([
      ['2Mi', 3 * 2 * 1024 * 1024],
      ['1Gi', 0],
    ]);
    expect(architecture).to.match(/^[a-z0-9]+$/);
  });

  it('knows the machine by its id where it has no other', async () => {
    await put({ 'var/lib/dbus/machine-id': 'abc' });
    const { systemUuid, machineId } = await readMachine({ root: directory.path });
    expect([systemUuid, machineId]).to.deep.equal(['abc', 'abc']);
  });

  it('does without what is not there', async () => {
    const machine = await readMachine({ root: directory.path });
    expect(machine).to.include({ memoryBytes: 0, machineId: '', osImage: 'Unknown', hasSwap: false });
    expect(machine.cpuCount).to.be.greaterThan(0);
    expect(machine.hugepageBytes.size).to.equal(0);
    expect(machine.maxProcesses).to.equal(undefined);
  });
});
