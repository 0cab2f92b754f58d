import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Clock, systemClock } from '../../../../src/base/index.ts';
import { type KeyPair, keepFresh } from '../../../../src/server/pki/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

/** A clock whose timers fire when the test says so. */
function manualClock(): Clock & { fire(): Promise<void>; readonly pending: number } {
  const timers = new Set<() => void>();
  return {
    nowMs: () => 0,
    setTimer(_delayMs, callback) {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    get pending() {
      return timers.size;
    },
    async fire() {
      const due = [...timers];
      timers.clear();
      for (const callback of due) callback();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const pair: KeyPair = { certificatePem: 'c', privateKeyPem: 'k' };

describe('keepFresh', () => {
  it('hands over new certificates, reports failures and goes on', async () => {
    const clock = manualClock();
    const results: (() => KeyPair | undefined)[] = [
      () => undefined,
      () => pair,
      () => {
        throw new Error('disk');
      },
      () => pair,
    ];
    const seen: unknown[] = [];
    const stop = keepFresh({
      clock,
      everyMs: 1000,
      refresh: async () => results.shift()?.(),
      onRenewed: (fresh) => seen.push(fresh),
      onError: (error) => seen.push(error instanceof Error ? error.message : error),
    });
    for (let round = 0; round < 4; round++) await clock.fire();
    expect(seen).to.deep.equal([pair, 'disk', pair]);
    stop();
    expect(clock.pending).to.equal(0);
  });

  it('checks at once when one of its files is replaced', async () => {
    const directory = await makeTemporaryDirectory();
    const file = join(directory.path, 'apiserver.crt');
    await writeFile(file, 'old');
    const seen: string[] = [];
    const stop = keepFresh({
      clock: systemClock,
      everyMs: 60_000,
      files: [file],
      refresh: () => readFile(file, 'utf8'),
      onRenewed: (fresh) => seen.push(fresh),
      onError: (error) => seen.push(String(error)),
    });
    try {
      await writeFile(file, 'new');
      await eventually(async () => seen.find((text) => text === 'new'));
      await writeFile(`${file}.next`, 'newer');
      await rename(`${file}.next`, file);
      await eventually(async () => seen.find((text) => text === 'newer'));
    } finally {
      stop();
      await directory.remove();
    }
  });

  it('hands over nothing after it was stopped', async () => {
    const clock = manualClock();
    const seen: unknown[] = [];
    let finish: (value: KeyPair) => void = () => {};
    const stop = keepFresh({
      clock,
      everyMs: 1000,
      refresh: () => new Promise<KeyPair>((resolve) => (finish = resolve)),
      onRenewed: (fresh) => seen.push(fresh),
      onError: (error) => seen.push(error),
    });
    await clock.fire();
    stop();
    finish(pair);
    await clock.fire();
    expect(seen).to.deep.equal([]);
    expect(clock.pending).to.equal(0);
  });
});
