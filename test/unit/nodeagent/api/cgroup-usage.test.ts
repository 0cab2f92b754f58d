import { expect } from 'chai';
import { CgroupReader } from '../../../../src/nodeagent/api/stats/cgroup-usage.ts';
import { CpuRates } from '../../../../src/nodeagent/api/stats/cpu-rates.ts';
import { HostFiles } from '../../../../src/nodeagent/api/stats/host-files.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';
import { machineFiles, splitGroup, unifiedGroup, writeHostFiles } from './host-fixture.ts';

/** A reader of a machine with these files. */
async function readerOf(root: string, files: Readonly<Record<string, string>>): Promise<CgroupReader> {
  await writeHostFiles(root, files);
  return new CgroupReader(new HostFiles(root), () => 5000);
}

describe('CgroupReader', () => {
  const versions = [
    ['version 1', splitGroup, {}, 3, 4, 512],
    ['version 2', unifiedGroup, { '/sys/fs/cgroup/cgroup.controllers': 'cpu memory' }, 30, 40, 500],
  ] as const;
  for (const [version, group, extra, ownFaults, ownMajorFaults, shares] of versions) {
    it(`reads a group of ${version}`, async () => {
      await using directory = await makeTemporaryDirectory();
      const reader = await readerOf(directory.path, { ...group('/a/b'), ...extra });
      const usage = await reader.read('/a/b');
      const { startedAtMs, ...rest } = usage ?? { startedAtMs: 0 };
      expect(startedAtMs).to.be.greaterThan(0);
      expect(rest).to.deep.equal({
        atMs: 5000,
        cpuNs: 5e9,
        cpuUserNs: 3e9,
        cpuSystemNs: 2e9,
        memory: {
          usageBytes: 900,
          maxUsageBytes: 0,
          workingSetBytes: 850,
          rssBytes: 200,
          cacheBytes: 100,
          swapBytes: 5,
          mappedFileBytes: 6,
          pageFaults: 30,
          majorPageFaults: 40,
          ownPageFaults: ownFaults,
          ownMajorPageFaults: ownMajorFaults,
          failures: 0,
          limitBytes: 1000,
          reservationBytes: version === 'version 1' ? Number.POSITIVE_INFINITY : 0,
          swapLimitBytes: Number.POSITIVE_INFINITY,
        },
        threads: 7,
        maxThreads: Number.POSITIVE_INFINITY,
        cpuShares: shares,
        cpuPeriodUs: 100_000,
      });
      expect(await reader.processes('/a/b')).to.deep.equal(['11', '12']);
      expect(await reader.read('/a/none')).to.equal(undefined);
    });
  }

  it('takes what the machine uses for the root of version 2', async () => {
    await using directory = await makeTemporaryDirectory();
    const reader = await readerOf(directory.path, {
      ...machineFiles,
      '/sys/fs/cgroup/cgroup.controllers': 'cpu memory',
      '/sys/fs/cgroup/memory.stat': 'anon 7\ninactive_file 24',
      '/sys/fs/cgroup/cpu.stat': 'usage_usec 1',
    });
    const memory = (await reader.read('/'))?.memory;
    expect(memory).to.deep.include({
      usageBytes: 1024 * 1024,
      workingSetBytes: 1024 * 1024 - 24,
      rssBytes: 7,
    });
  });
});

describe('CpuRates', () => {
  it('forms a rate over enough time, and keeps it until the next one', () => {
    const rates = new CpuRates(1000);
    expect(rates.rate('a', { atMs: 0, cpuNs: 0 })).to.equal(undefined);
    expect(rates.rate('a', { atMs: 999, cpuNs: 5e8 })).to.equal(undefined);
    expect(rates.rate('a', { atMs: 2000, cpuNs: 1e9 })).to.equal(5e8);
    expect(rates.rate('a', { atMs: 2500, cpuNs: 9e9 })).to.equal(5e8);
    expect(rates.rate('b', { atMs: 2500, cpuNs: 0 })).to.equal(undefined);
  });

  it('begins anew when a counter went back, or was not seen for long', () => {
    const rates = new CpuRates(1000);
    rates.rate('a', { atMs: 0, cpuNs: 100 });
    expect(rates.rate('a', { atMs: 2000, cpuNs: 50 })).to.equal(undefined);
    expect(rates.rate('a', { atMs: 302_001, cpuNs: 90 })).to.equal(undefined);
    expect(rates.rate('a', { atMs: 303_001, cpuNs: 91 })).to.equal(1);
  });
});
