import { expect } from 'chai';
import { describe, it } from 'mocha';
import { codeOf, idle, useSubject } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

/** Life of sandboxes, and how they are found. */
export function describePodSandboxes(open: OpenRuntime): void {
  describe('pod sandboxes', () => {
    const subject = useSubject(open);

    it('run with an address of their own and end when they are stopped', async () => {
      const { runtime } = subject();
      const before = Date.now();
      const { id, config } = await subject().runPod({ labels: { app: 'web' }, annotations: { note: 'a b' } });
      const running = await runtime.podSandboxStatus(id);
      expect(running).to.deep.include({
        id,
        metadata: config.metadata,
        state: 'ready',
        labels: { app: 'web' },
        annotations: { note: 'a b' },
      });
      expect(running?.ips).to.have.length(1);
      expect(running?.ips[0]).to.match(/^[0-9]+(?:\.[0-9]+){3}$/);
      expect(running?.createdAtMs).to.be.within(before - 1000, Date.now() + 1000);
      await runtime.stopPodSandbox(id);
      expect((await runtime.podSandboxStatus(id))?.state).to.equal('not-ready');
      await runtime.removePodSandbox(id);
      expect(await runtime.podSandboxStatus(id)).to.equal(undefined);
    });

    it('are stopped and removed again without harm', async () => {
      const { runtime } = subject();
      const { id } = await subject().runPod();
      await runtime.stopPodSandbox(id);
      await runtime.stopPodSandbox(id);
      await runtime.removePodSandbox(id);
      await runtime.removePodSandbox(id);
    });

    it('are unique by their metadata, attempt included', async () => {
      const { config } = await subject().runPod();
      expect(await codeOf(subject().runtime.runPodSandbox({ config }))).to.equal('already-exists');
      const again = { ...config.metadata, attempt: 1 };
      const { id } = await subject().runPod({ ...config, metadata: again });
      expect((await subject().runtime.podSandboxStatus(id))?.metadata).to.deep.equal(again);
    });

    it('take their containers with them', async () => {
      const { runtime } = subject();
      const pod = await subject().runPod();
      const container = await subject().start(pod, { command: idle });
      await runtime.stopPodSandbox(pod.id);
      expect((await subject().status(container)).state).to.equal('exited');
      await runtime.removePodSandbox(pod.id);
      expect(await runtime.containerStatus(container)).to.equal(undefined);
    });

    it('are listed by id, state and labels', async () => {
      const { runtime } = subject();
      const [first, second] = [
        await subject().runPod({ labels: { group: 'listed', name: 'first' } }),
        await subject().runPod({ labels: { group: 'listed', name: 'second' } }),
      ];
      const idsOf = async (filter: Parameters<typeof runtime.listPodSandboxes>[0]) =>
        (await runtime.listPodSandboxes(filter)).map(({ id }) => id).sort();
      expect(await idsOf({ labels: { group: 'listed' } })).to.deep.equal([first.id, second.id].sort());
      expect(await idsOf({ labels: { group: 'listed', name: 'second' } })).to.deep.equal([second.id]);
      expect(await idsOf({ id: first.id })).to.deep.equal([first.id]);
      await runtime.stopPodSandbox(first.id);
      expect(await idsOf({ labels: { group: 'listed' }, state: 'ready' })).to.deep.equal([second.id]);
      expect(await idsOf({ labels: { group: 'listed' }, state: 'not-ready' })).to.deep.equal([first.id]);
      expect(await idsOf(undefined)).to.include.members([first.id, second.id]);
    });

    it('tell the metadata of each in a list', async () => {
      const { config } = await subject().runPod({ labels: { only: 'this' } });
      const [listed] = await subject().runtime.listPodSandboxes({ labels: { only: 'this' } });
      expect(listed).to.deep.include({ metadata: config.metadata, state: 'ready', runtimeHandler: '' });
    });
  });
}
