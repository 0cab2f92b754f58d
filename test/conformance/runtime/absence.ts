import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { RuntimeService } from '../../../src/nodeagent/runtime/index.ts';
import { codeOf, usePod } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

const id = 'no-such-id';
const streams = { tty: false, stdin: false, stdout: true, stderr: true };

/** Calls that find nothing to work on. */
const failing: Readonly<Record<string, (runtime: RuntimeService) => Promise<unknown>>> = {
  startContainer: (runtime) => runtime.startContainer(id),
  updateContainerResources: (runtime) => runtime.updateContainerResources(id, { cpuShares: 100 }),
  reopenContainerLog: (runtime) => runtime.reopenContainerLog(id),
  execSync: (runtime) => runtime.execSync({ containerId: id, command: ['true'] }),
  execUrl: (runtime) => runtime.execUrl({ containerId: id, command: ['true'], ...streams }),
  attachUrl: (runtime) => runtime.attachUrl({ containerId: id, ...streams }),
  portForwardUrl: (runtime) => runtime.portForwardUrl({ podSandboxId: id, ports: [80] }),
};

/** What happens to calls about things that are not there. */
export function describeAbsence(open: OpenRuntime): void {
  describe('what is not there', () => {
    const subject = usePod(open);

    for (const [name, call] of Object.entries(failing)) {
      it(`makes ${name} fail as not found`, async () => {
        expect(await codeOf(call(subject().runtime))).to.equal('not-found');
      });
    }

    it('is undefined when it is looked up, and no entry of a list', async () => {
      const { runtime } = subject();
      expect(await runtime.podSandboxStatus(id)).to.equal(undefined);
      expect(await runtime.containerStatus(id)).to.equal(undefined);
      expect(await runtime.containerStats(id)).to.equal(undefined);
      expect(await runtime.listContainers({ id })).to.deep.equal([]);
      expect(await runtime.listPodSandboxes({ id })).to.deep.equal([]);
      expect(await runtime.listContainerStats({ id })).to.deep.equal([]);
    });

    it('is stopped and removed already', async () => {
      const { runtime } = subject();
      await runtime.stopContainer(id, { timeoutMs: 1000 });
      await runtime.removeContainer(id);
      await runtime.stopPodSandbox(id);
      await runtime.removePodSandbox(id);
    });

    it('cannot be made a container of: no such image, no such sandbox', async () => {
      const { pod } = subject();
      const image = 'localhost/no-such-image:1';
      expect(await codeOf(subject().create(pod, { image }))).to.equal('not-found');
      expect(await codeOf(subject().create({ ...pod, id }))).to.equal('not-found');
    });
  });
}
