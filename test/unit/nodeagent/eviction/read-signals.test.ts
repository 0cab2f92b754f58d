import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readMemory, readSignals } from '../../../../src/nodeagent/eviction/read-signals.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await makeTemporaryDirectory();
});
afterEach(() => directory.remove());

async function put(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return directory.path;
}
const meminfo = { 'proc/meminfo': 'MemTotal: 1000 kB\nMemFree: 300 kB\n' };

describe('readMemory', () => {
  const first = 'sys/fs/cgroup/memory';
  const second = 'sys/fs/cgroup';
  const cases: [
    what: string,
    group: string,
    files: Record<string, string>,
    available: number,
    capacity: number,
  ][] = [
    [
      'the machine, version 1 of control groups',
      '/',
      {
        [`${first}/memory.usage_in_bytes`]: '600000',
        [`${first}/memory.limit_in_bytes`]: '9223372036854771712',
        [`${first}/memory.stat`]: 'inactive_file 1\ntotal_inactive_file 200000\n',
      },
      1_024_000 - 400_000,
      1_024_000,
    ],
    [
      'a bounded group of version 1',
      '/pods',
      {
        [`${first}/pods/memory.usage_in_bytes`]: '600000',
        [`${first}/pods/memory.limit_in_bytes`]: '800000',
        [`${first}/pods/memory.stat`]: 'total_inactive_file 100000',
      },
      300_000,
      800_000,
    ],
    [
      'the machine, version 2',
      '/',
      { [`${second}/memory.stat`]: 'anon 5\ninactive_file 102400\n' },
      1_024_000 - (700 * 1024 - 102_400),
      1_024_000,
    ],
    [
      'a bounded group of version 2',
      '/pods.slice',
      {
        [`${second}/pods.slice/memory.current`]: '500000',
        [`${second}/pods.slice/memory.max`]: '600000',
        [`${second}/pods.slice/memory.stat`]: 'inactive_file 0\n',
      },
      100_000,
      600_000,
    ],
    [
      'a group of version 2 without bounds that uses more than there is',
      '/pods.slice',
      {
        [`${second}/pods.slice/memory.current`]: '5000000',
        [`${second}/pods.slice/memory.max`]: 'max',
      },
      0,
      1_024_000,
    ],
  ];
  for (const [what, group, files, available, capacity] of cases) {
    it(`reads ${what}`, async () => {
      const root = await put({ ...meminfo, ...files });
      expect(await readMemory(root, group)).to.deep.include({ available, capacity });
    });
  }

  it('finds no group that is not there', async () => {
    expect(await readMemory(await put(meminfo), '/pods')).to.equal(undefined);
  });
});

describe('readSignals', () => {
  it('reads what is asked for', async () => {
    const root = await put({
      ...meminfo,
      'proc/sys/kernel/pid_max': '32768\n',
      'proc/loadavg': '3.08 1.84 1.31 7/185 28136\n',
    });
    const { observations, hasImageFs } = await readSignals(
      new Set(['pid.available', 'nodefs.available', 'memory.available', 'allocatableMemory.available']),
      { root, rootDirectory: root, imageFolder: root, podsGroup: '/pods' },
    );
    expect(observations.get('pid.available')).to.deep.equal({ available: 32768 - 185, capacity: 32768 });
    expect(observations.get('nodefs.available')?.capacity).to.be.greaterThan(0);
    expect(observations.has('memory.available')).to.equal(true);
    expect(observations.has('allocatableMemory.available')).to.equal(false);
    expect(observations.has('imagefs.available')).to.equal(false);
    expect(hasImageFs).to.equal(false);
  });

  it('leaves out what it cannot read, and knows file systems apart', async () => {
    const root = await put({});
    const { observations, hasImageFs } = await readSignals(
      new Set(['pid.available', 'nodefs.available', 'imagefs.available']),
      { root, rootDirectory: join(root, 'none'), imageFolder: '/proc', podsGroup: '/pods' },
    );
    expect([...observations.keys()].filter((signal) => !signal.startsWith('imagefs'))).to.deep.equal([]);
    expect(hasImageFs).to.equal(false);
    const apart = await readSignals(new Set(), {
      root,
      rootDirectory: root,
      imageFolder: '/proc',
      podsGroup: '/',
    });
    expect(apart.hasImageFs).to.equal(true);
  });
});
