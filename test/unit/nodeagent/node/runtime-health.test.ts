import { expect } from 'chai';
import { RuntimeHealth } from '../../../../src/nodeagent/node/runtime-health.ts';
import { RuntimeError, type RuntimeStatus } from '../../../../src/nodeagent/runtime/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

const ready: RuntimeStatus = {
  conditions: [
    { type: 'RuntimeReady', isTrue: true, reason: '', message: '' },
    { type: 'NetworkReady', isTrue: true, reason: '', message: '' },
  ],
  isRuntimeReady: true,
  isNetworkReady: true,
};
const without = (type: string): RuntimeStatus => ({
  conditions: ready.conditions.map((one) =>
    one.type === type ? { type, isTrue: false, reason: 'NotYet', message: 'wait' } : one,
  ),
  isRuntimeReady: type !== 'RuntimeReady',
  isNetworkReady: type !== 'NetworkReady',
});

describe('RuntimeHealth', () => {
  function start() {
    const clock = new ManualClock();
    const logger = createRecordingLogger();
    const runtime = {
      answer: ready as RuntimeStatus | Error,
      release: '1.6',
      status: () =>
        runtime.answer instanceof Error ? Promise.reject(runtime.answer) : Promise.resolve(runtime.answer),
      version: () => Promise.resolve({ name: 'containerd', version: runtime.release, apiVersion: 'v1' }),
    };
    return { clock, logger, runtime, health: new RuntimeHealth({ runtime, clock, logger }) };
  }

  it('is not ready before the runtime has answered', () => {
    const { health } = start();
    expect(health.problems(['other'])).to.deep.equal([
      'container runtime status check may not have completed yet',
      'other',
    ]);
    expect([health.isRuntimeReady, health.isNetworkReady, health.version]).to.deep.equal([false, false, '']);
  });

  it('is ready when all conditions hold', async () => {
    const { health } = start();
    await health.check();
    expect(health.problems()).to.deep.equal([]);
    expect([health.isRuntimeReady, health.isNetworkReady]).to.deep.equal([true, true]);
    expect(health.version).to.equal('containerd://1.6');
  });

  for (const [release, shown] of [
    ['1.6.20~ds1', '1.6.20'],
    ['v1.7.0', '1.7.0'],
    ['1.6.20+k3s1', '1.6.20+k3s1'],
    ['1.2.3-rc.1', '1.2.3-rc.1'],
    ['dev', 'dev'],
  ] as const) {
    it(`shows version ${release} as ${shown}`, async () => {
      const { health, runtime } = start();
      runtime.release = release;
      await health.check();
      expect(health.version).to.equal(`containerd://${shown}`);
    });
  }

  it('says what of the network is missing', async () => {
    const { health, runtime } = start();
    runtime.answer = without('NetworkReady');
    await health.check();
    expect(health.problems()).to.deep.equal([
      'runtime network not ready: NetworkReady=false reason:NotYet message:wait',
    ]);
    expect([health.isRuntimeReady, health.isNetworkReady]).to.deep.equal([true, false]);
    expect(health.networkProblem).to.equal(health.problems()[0]);
  });

  it('says what of the runtime is missing', async () => {
    const { health, runtime } = start();
    runtime.answer = without('RuntimeReady');
    await health.check();
    expect(health.problems()).to.deep.equal([
      'container runtime status check may not have completed yet',
      'container runtime not ready: RuntimeReady=false reason:NotYet message:wait',
    ]);
  });

  it('bears with a runtime that is away for half a minute, and says so once', async () => {
    const { health, runtime, clock, logger } = start();
    await health.check();
    runtime.answer = new RuntimeError('unavailable', 'gone');
    clock.advance(30_000);
    await health.check();
    expect(health.problems()).to.deep.equal([]);
    clock.advance(1);
    await health.check();
    expect(health.problems()).to.deep.equal(['container runtime is down']);
    expect(logger.lines).to.have.length(1);
    runtime.answer = ready;
    runtime.release = '1.7';
    await health.check();
    expect([health.problems(), health.version]).to.deep.equal([[], 'containerd://1.7']);
  });
});
