import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import type { RuntimeService } from '../../../src/nodeagent/runtime/index.ts';
import { eventually } from '../../support/eventually.ts';
import { codeOf, failureOf, useSubject } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

/** A runtime that dies, hangs or is not there yet, under a driver that stays. */
export function describeDisturbance(open: OpenRuntime): void {
  describe('a runtime that goes away', () => {
    const subject = useSubject(open);
    let isAway = false;

    const kill = async (): Promise<void> => {
      isAway = true;
      await subject().target.kill();
    };
    const start = async (): Promise<void> => {
      await subject().target.start();
      isAway = false;
    };
    /** Until the driver has noticed that the runtime is back. */
    const recovered = (runtime: RuntimeService): Promise<true> =>
      eventually(() =>
        runtime.status().then(
          () => true,
          () => undefined,
        ),
      );

    afterEach(async () => {
      if (isAway) await start();
    });

    it('fails calls as retriable until it is back, and finds its containers again', async () => {
      const { runtime } = subject();
      const pod = await subject().runPod();
      const container = await subject().start(pod);
      const before = await subject().status(container);
      await kill();
      const failure = await failureOf(runtime.listContainers());
      expect(failure).to.include({ code: 'unavailable', isRetriable: true });
      await start();
      await recovered(runtime);
      expect(await subject().status(container)).to.deep.equal(before);
      expect((await runtime.podSandboxStatus(pod.id))?.state).to.equal('ready');
      expect(await subject().exec(container, 'echo works')).to.equal('works');
    });

    it('fails the calls that are under way', async () => {
      const { runtime } = subject();
      const container = await subject().start(await subject().runPod());
      const call = failureOf(runtime.execSync({ containerId: container, command: ['sleep', '20'] }));
      const running = 'ps | grep "[s]leep 20"';
      await eventually(async () => ((await subject().exec(container, running)) !== '' ? true : undefined));
      await kill();
      expect(await call).to.include({ code: 'unavailable', isRetriable: true });
    });

    it('and hangs fails calls when their time is over', async () => {
      const driver = subject().target.openDriver({ requestTimeoutMs: 300 });
      try {
        await recovered(driver.runtime);
        subject().target.pause();
        const failure = await failureOf(driver.runtime.listPodSandboxes());
        expect(failure).to.include({ code: 'timeout', isRetriable: true });
      } finally {
        subject().target.resume();
        await recovered(driver.runtime);
        await driver[Symbol.asyncDispose]();
      }
    });

    it('may come after its driver', async () => {
      await kill();
      const driver = subject().target.openDriver({ requestTimeoutMs: 10_000 });
      expect(await codeOf(driver.runtime.version())).to.equal('unavailable');
      expect(await codeOf(driver.images.listImages())).to.equal('unavailable');
      await start();
      await recovered(driver.runtime);
      expect(await driver.images.listImages()).to.not.deep.equal([]);
      await driver[Symbol.asyncDispose]();
    });
  });

  describe('a driver that is closed', () => {
    const subject = useSubject(open);

    it('ends the calls that are under way, and takes no more', async () => {
      const container = await subject().start(await subject().runPod());
      const driver = subject().target.openDriver({ requestTimeoutMs: 10_000 });
      const command = ['sleep', '2'];
      const call = codeOf(driver.runtime.execSync({ containerId: container, command }));
      await driver[Symbol.asyncDispose]();
      expect(await call).to.equal('closed');
      expect(await codeOf(driver.runtime.version())).to.equal('closed');
      expect(await codeOf(driver.images.listImages())).to.equal('closed');
      await driver[Symbol.asyncDispose]();
    });
  });
}
