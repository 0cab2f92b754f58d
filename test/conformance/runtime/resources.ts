import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ContainerResources } from '../../../src/nodeagent/runtime/index.ts';
import { eventually } from '../../support/eventually.ts';
import { usePod } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

const mebibyte = 1024 * 1024;

/** The first of the files that exists: names differ between versions of control groups. */
const readGroupFile = (older: string, newer: string): string =>
  `cat /sys/fs/cgroup/${older} 2>/dev/null || cat /sys/fs/cgroup/${newer}`;
const memoryLimit = readGroupFile('memory/memory.limit_in_bytes', 'memory.max');
const cpuQuota = readGroupFile('cpu/cpu.cfs_quota_us', 'cpu.max');

/** Bounds of containers. */
export function describeResources(open: OpenRuntime): void {
  describe('resources of containers', () => {
    const subject = usePod(open);
    const resources: ContainerResources = {
      cpuPeriodUs: 100_000,
      cpuQuotaUs: 50_000,
      cpuShares: 512,
      memoryLimitBytes: 64 * mebibyte,
      oomScoreAdj: 500,
      cpusetCpus: '0',
    };

    it('are bounds of its control groups', async () => {
      const script = `${memoryLimit}; ${cpuQuota}; cat /proc/self/oom_score_adj; grep Cpus_allowed_list /proc/self/status`;
      const [memory, quota = '', oomScoreAdj, cpus] = (
        await subject().outputOf(subject().pod, script, { resources })
      ).split('\n');
      expect(memory).to.equal(String(64 * mebibyte));
      expect(quota.split(' ')[0]).to.equal('50000');
      expect(oomScoreAdj).to.equal('500');
      expect(cpus).to.equal('Cpus_allowed_list:\t0');
    });

    it('change while it runs, and those that are not named stay', async () => {
      const id = await subject().start(subject().pod, { resources });
      await subject().runtime.updateContainerResources(id, { memoryLimitBytes: 96 * mebibyte });
      const [memory, quota = ''] = (await subject().exec(id, `${memoryLimit}; ${cpuQuota}`)).split('\n');
      expect(memory).to.equal(String(96 * mebibyte));
      expect(quota.split(' ')[0]).to.equal('50000');
    });

    it('kill it when it takes more memory, and that is told', async () => {
      const id = await subject().start(subject().pod, {
        // Not its first process takes too much, and not at once: containerd loses what it is told while a container
        // ends, and hears nothing before the start is done.
        command: ['sh', '-c', 'until [ -e /begin ]; do sleep 0.1; done; tail /dev/zero; sleep 1; exit 137'],
        resources: { memoryLimitBytes: 16 * mebibyte },
      });
      await subject().exec(id, 'touch /begin');
      const status = await eventually(async () => {
        const seen = await subject().status(id);
        return seen.state === 'exited' && seen.reason === 'OOMKilled' ? seen : undefined;
      });
      expect(status.exitCode).to.equal(137);
    });
  });
}
