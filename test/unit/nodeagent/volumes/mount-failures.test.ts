import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { createMountFailures, type MountFailures } from '../../../../src/nodeagent/volumes/mount-failures.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

const failed = (volumeName: string, message: string, isUnknown = false) => ({
  volumeName,
  isUnknown,
  plugin: undefined,
  event: { reason: 'FailedMount', message } as const,
  cause: undefined,
});

describe('createMountFailures', () => {
  let clock: ManualClock;
  let failures: MountFailures;
  beforeEach(() => {
    clock = new ManualClock();
    failures = createMountFailures(clock);
  });
  const report = (...list: ReturnType<typeof failed>[]) => failures.report('u', ['a', 'b'], list);
  const messages = (...list: ReturnType<typeof failed>[]) =>
    report(...list).events.map(({ message }) => message);

  it('tells each failure once, and again after pauses that double up to two minutes', () => {
    const toldAtMs: number[] = [];
    while (clock.nowMs() < 600_000) {
      const { events, retryAfterMs } = report(failed('a', 'no a'));
      if (events.some(({ message }) => message === 'no a')) toldAtMs.push(clock.nowMs());
      expect(report(failed('a', 'no a')).events).to.deep.equal([]);
      clock.advance(retryAfterMs);
    }
    const pausesMs = toldAtMs.slice(1).map((atMs, index) => atMs - (toldAtMs[index] ?? 0));
    expect(pausesMs.slice(0, 4)).to.deep.equal([500, 1000, 2000, 4000]);
    expect(pausesMs.slice(-2)).to.deep.equal([122_000, 122_000]);
  });

  it('tells at once when the reason changes', () => {
    expect(messages(failed('a', 'one'))).to.deep.equal(['one']);
    expect(messages(failed('a', 'two'))).to.deep.equal(['two']);
  });

  it('tells which volumes a pod waits for after two minutes', () => {
    report(failed('b', 'no b'));
    clock.advance(122_999);
    report(failed('b', 'no b'));
    expect(messages(failed('b', 'no b'))).to.deep.equal([]);
    clock.advance(1);
    const summary =
      'Unable to attach or mount volumes: unmounted volumes=[b], unattached volumes=[a b]: timed out waiting for the condition';
    expect(messages(failed('b', 'no b'))).to.deep.equal([summary]);
    expect(report(failed('b', 'no b')).message).to.equal(summary);
  });

  it('tells of volumes that cannot be found at once, then every ten seconds', () => {
    const unknown = [failed('a', 'error processing PVC', true), failed('b', 'other', true)];
    const summary =
      'Unable to attach or mount volumes: unmounted volumes=[a b], unattached volumes=[a b]: error processing PVC; other';
    expect(messages(...unknown)).to.deep.equal([summary]);
    const error = report(...unknown);
    expect([error.events.length, error.retryAfterMs]).to.deep.equal([0, 10_000]);
    clock.advance(10_000);
    expect(messages(...unknown)).to.deep.equal([summary]);
  });

  it('forgets what is ready', () => {
    report(failed('a', 'no a'), failed('b', 'no b'));
    expect(messages(failed('b', 'no b'))).to.deep.equal([]);
    expect(messages(failed('a', 'no a'), failed('b', 'no b'))).to.deep.equal(['no a']);
    failures.forget('u');
    expect(messages(failed('b', 'no b'))).to.deep.equal(['no b']);
  });
});
