import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { testImages } from '../../support/containerd-images.ts';
import { eventually } from '../../support/eventually.ts';
import { codeOf, readLog, usePod } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

/** Life of containers, their logs, and how they are found. */
export function describeContainers(open: OpenRuntime): void {
  describe('containers', () => {
    const subject = usePod(open);

    it('are created, run, and tell how they ended', async () => {
      const { pod, runtime } = subject();
      const id = await subject().create(pod, {
        metadata: { name: 'life', attempt: 3 },
        command: ['sh', '-c', 'read line; exit 7'],
        labels: { tier: 'one' },
        annotations: { hash: '42' },
      });
      const created = await subject().status(id);
      expect(created).to.deep.include({
        id,
        metadata: { name: 'life', attempt: 3 },
        state: 'created',
        labels: { tier: 'one' },
        annotations: { hash: '42' },
        startedAtMs: undefined,
        finishedAtMs: undefined,
        image: testImages.busybox,
      });
      await runtime.startContainer(id);
      const ended = await subject().waitForExit(id);
      expect(ended).to.deep.include({ exitCode: 7, reason: 'Error' });
      expect(ended.startedAtMs).to.be.at.least(created.createdAtMs);
      // Runtimes take both times on their own: a short life may seem to end before it began.
      expect(ended.finishedAtMs).to.be.within((ended.startedAtMs ?? 0) - 1000, Date.now() + 1000);
      await runtime.removeContainer(id);
      expect(await runtime.containerStatus(id)).to.equal(undefined);
    });

    it('are completed when they end well', async () => {
      const id = await subject().start(subject().pod, { command: ['true'] });
      expect(await subject().waitForExit(id)).to.deep.include({ exitCode: 0, reason: 'Completed' });
    });

    it('start only once', async () => {
      const id = await subject().start(subject().pod);
      expect(await codeOf(subject().runtime.startContainer(id))).to.be.oneOf(['failed', 'invalid']);
    });

    it('that cannot start say why', async () => {
      const { pod, runtime } = subject();
      const id = await subject().create(pod, { command: ['/no/such/program'] });
      const failure = await runtime.startContainer(id).then(String, String);
      expect(failure).to.contain('/no/such/program');
      const { state, exitCode } = await subject().status(id);
      expect(state).to.equal('exited');
      // As of a shell that finds no such program, or of one that fails itself.
      expect(exitCode).to.be.oneOf([127, 128]);
    });

    it('are asked to end before they are killed', async () => {
      const { pod, runtime } = subject();
      const command = ['sh', '-c', 'trap "exit 5" TERM; touch /tmp/ready; while :; do sleep 0.02; done'];
      const id = await subject().start(pod, { command });
      await eventually(async () => (await subject().exec(id, 'ls /tmp')) === 'ready' || undefined);
      await runtime.stopContainer(id, { timeoutMs: 20_000 });
      expect(await subject().status(id)).to.deep.include({ state: 'exited', exitCode: 5 });
    });

    it('are killed when their time is over, or at once without any', async () => {
      const { pod, runtime } = subject();
      const command = ['sh', '-c', 'trap "" TERM; touch /tmp/ready; while :; do sleep 0.1; done'];
      for (const timeoutMs of [1000, 0]) {
        const id = await subject().start(pod, { command });
        await eventually(async () => (await subject().exec(id, 'ls /tmp')) === 'ready' || undefined);
        const startMs = Date.now();
        await runtime.stopContainer(id, { timeoutMs });
        expect(Date.now() - startMs).to.be.at.least(timeoutMs);
        expect(await subject().status(id)).to.deep.include({ state: 'exited', exitCode: 137 });
      }
    });

    it('are stopped and removed again without harm, also while they run', async () => {
      const { pod, runtime } = subject();
      const ended = await subject().start(pod, { command: ['true'] });
      await subject().waitForExit(ended);
      await runtime.stopContainer(ended, { timeoutMs: 0 });
      const running = await subject().start(pod);
      for (const id of [ended, running, running]) await runtime.removeContainer(id);
      expect(await runtime.containerStatus(running)).to.equal(undefined);
    });

    it('are unique by name and attempt in their sandbox', async () => {
      const { pod } = subject();
      const metadata = { name: 'unique', attempt: 0 };
      await subject().create(pod, { metadata });
      expect(await codeOf(subject().create(pod, { metadata }))).to.equal('already-exists');
      await subject().create(pod, { metadata: { ...metadata, attempt: 1 } });
    });

    it('are listed by id, sandbox, state and labels', async () => {
      const { pod, runtime } = subject();
      const labels = { list: 'yes' };
      const [created, running] = [
        await subject().create(pod, { labels }),
        await subject().start(pod, { labels }),
      ];
      const idsOf = async (filter: Parameters<typeof runtime.listContainers>[0]) =>
        (await runtime.listContainers(filter)).map(({ id }) => id).sort();
      expect(await idsOf({ labels })).to.deep.equal([created, running].sort());
      expect(await idsOf({ labels, state: 'created' })).to.deep.equal([created]);
      expect(await idsOf({ labels, state: 'running' })).to.deep.equal([running]);
      expect(await idsOf({ id: running })).to.deep.equal([running]);
      expect(await idsOf({ labels, podSandboxId: pod.id })).to.have.length(2);
      expect(await idsOf({ labels: { list: 'no' } })).to.deep.equal([]);
      const [listed] = await runtime.listContainers({ id: running });
      expect(listed).to.deep.include({ podSandboxId: pod.id, image: testImages.busybox, state: 'running' });
    });

    it('write both streams to their log, with times, long lines whole', async () => {
      const script = 'echo one; echo two >&2; head -c 40000 /dev/zero | tr "\\0" x; echo; printf end';
      const before = Date.now();
      const id = await subject().start(subject().pod, { command: ['sh', '-c', script] });
      const { logPath } = await subject().waitForExit(id);
      const lines = await readLog(logPath);
      const textsOf = (wanted: string) =>
        lines.filter(({ stream }) => stream === wanted).map(({ text }) => text);
      expect(textsOf('stdout').map((text) => text.length)).to.deep.equal([3, 40_000, 3]);
      expect(textsOf('stdout').join('').replaceAll('x', '')).to.equal('oneend');
      expect(textsOf('stderr')).to.deep.equal(['two']);
      for (const { atMs } of lines) expect(atMs).to.be.within(before - 1000, Date.now() + 1000);
    });

    it('keep their log when they are removed', async () => {
      const id = await subject().start(subject().pod, { command: ['echo', 'kept'] });
      const { logPath } = await subject().waitForExit(id);
      await subject().runtime.removeContainer(id);
      expect((await readLog(logPath)).map(({ text }) => text)).to.deep.equal(['kept']);
    });

    it('write to a new log after the old one was renamed and reopened', async () => {
      const { pod, runtime } = subject();
      const id = await subject().start(pod, {
        command: ['sh', '-c', 'while :; do echo line; sleep 0.05; done'],
      });
      const { logPath } = await subject().status(id);
      await eventually(async () => ((await readLog(logPath)).length > 0 ? true : undefined));
      await rename(logPath, `${logPath}.1`);
      expect(existsSync(logPath)).to.equal(false);
      await runtime.reopenContainerLog(id);
      await eventually(async () => ((await readLog(logPath)).length > 0 ? true : undefined));
      await runtime.stopContainer(id, { timeoutMs: 0 });
    });
  });
}
