import { expect } from 'chai';
import type { TurnQueue } from '../../../src/base/index.ts';
import type { StorageEvent } from '../../../src/storage/index.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

const numbered = (n: number): Buffer => Buffer.from(`{"metadata":{"resourceVersion":""},"n":${n}}`);

describe('SQLite storage, writers of one commit', () => {
  it('learn of it in commit order, each in its turn, after watches', async () => {
    await using directory = await makeTemporaryDirectory();
    const steps: (() => void)[] = [];
    const turns: TurnQueue = { take: () => undefined, push: (step) => void steps.push(step) };
    await using storage = await openSqliteStorage({
      path: `${directory.path}/store.db`,
      dialect: 'orch',
      turns,
    });
    const seen: StorageEvent[] = [];
    const watch = storage.watch(
      { prefix: '/', afterRevision: await storage.currentRevision() },
      {
        onEvents: (events) => void seen.push(...events),
        onProgress: () => {},
        onError: (error) => {
          throw error;
        },
      },
    );
    const count = 40;
    const told: number[] = [];
    const writes = Array.from({ length: count }, (_, n) =>
      // Every fourth finds its key taken.
      storage.create(n % 4 === 3 ? '/taken' : `/key-${n}`, numbered(n)).then((result) => {
        told.push(n);
        return result;
      }),
    );
    while (steps.length < count) await new Promise(setImmediate);
    expect(told, 'nobody before its turn').to.deep.equal([]);
    expect(seen, 'watches are told at once').to.have.length(count - count / 4 + 1);
    for (const [n, step] of steps.entries()) {
      step();
      await new Promise(setImmediate);
      expect(told).to.have.length(n + 1);
    }
    expect(told).to.deep.equal(Array.from({ length: count }, (_, n) => n));
    const results = await Promise.all(writes);
    expect(results.filter(({ kind }) => kind === 'conflict')).to.have.length(count / 4 - 1);
    watch.close();
  });
});
