import { expect } from 'chai';
import { describe, it } from 'mocha';
import { eventually } from '../../support/eventually.ts';
import { usePod } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

/** What containers use, and what the runtime says of itself. */
export function describeStats(open: OpenRuntime): void {
  describe('figures', () => {
    const subject = usePod(open);

    it('of a running container grow with what it does', async () => {
      const { pod, runtime } = subject();
      const labels = { stats: 'one' };
      const command = ['sh', '-c', 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; sleep 1000'];
      const id = await subject().start(pod, { labels, command, metadata: { name: 'busy', attempt: 2 } });
      const before = Date.now();
      const stats = await eventually(async () => {
        const seen = await runtime.containerStats(id);
        return (seen?.cpu?.usageCoreNs ?? 0) > 50_000_000 ? seen : undefined;
      });
      expect(stats).to.deep.include({ id, metadata: { name: 'busy', attempt: 2 }, labels });
      expect(stats.cpu?.atMs).to.be.within(before - 1000, Date.now() + 1000);
      expect(stats.memory?.workingSetBytes).to.be.within(4096, 64 * 1024 * 1024);
      await runtime.stopContainer(id, { timeoutMs: 0 });
    });

    it('are listed by id, sandbox and labels', async () => {
      const { pod, runtime } = subject();
      const [one, two] = [
        await subject().start(pod, { labels: { which: 'one' } }),
        await subject().start(pod, { labels: { which: 'two' } }),
      ];
      const idsOf = async (filter: Parameters<typeof runtime.listContainerStats>[0]) =>
        (await runtime.listContainerStats(filter)).map(({ id }) => id);
      expect(await idsOf({ podSandboxId: pod.id })).to.include.members([one, two]);
      expect(await idsOf({ id: one })).to.deep.equal([one]);
      expect(await idsOf({ podSandboxId: pod.id, labels: { which: 'two' } })).to.deep.equal([two]);
    });

    it('of the runtime name it and say that it is ready', async () => {
      const { runtime } = subject();
      const version = await runtime.version();
      expect(version.name).to.match(/^[a-z]+$/);
      expect(version.version).to.match(/^[0-9]+\.[0-9]+/);
      expect(version.apiVersion).to.not.equal('');
      const status = await runtime.status();
      expect(status).to.include({ isRuntimeReady: true, isNetworkReady: true });
      const types = status.conditions.map(({ type }) => type);
      expect(types).to.include.members(['RuntimeReady', 'NetworkReady']);
    });

    it('takes the range of pod addresses', async () => {
      await subject().runtime.setPodCidr('10.1.2.0/24');
    });
  });
}
