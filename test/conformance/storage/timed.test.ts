import { expect } from 'chai';
import { createTimedStorage, type StorageOperation } from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';
import { describeStorage } from './suite.ts';

describeStorage(
  'times over memory',
  async () => {
    const clock = new ManualClock();
    const storage = createTimedStorage(openMemoryStorage({ clock }), () => {});
    return { storage, passTime: (ms) => clock.advance(ms) };
  },
  { isAlone: true, isDurable: false },
);

describe('createTimedStorage', () => {
  it('tells of each answer what was asked for, and how long it took, also when it is a failure', async () => {
    const told: [StorageOperation, string][] = [];
    const seconds: number[] = [];
    await using storage = createTimedStorage(openMemoryStorage({ clock: new ManualClock() }), (...time) => {
      told.push([time[0], time[1]]);
      seconds.push(time[2]);
    });
    const value = Buffer.from('{"metadata":{"resourceVersion":""}}');
    const made = await storage.create('/a/x', value);
    const revision = made.kind === 'ok' ? made.revision : 0;
    await storage.update('/a/x', revision, value);
    await storage.delete('/a/x', revision);
    await storage.range({ prefix: '/a/' });
    await storage.get('/a/x', 1_000_000).catch(() => {});
    expect(told).to.deep.equal([
      ['create', '/a/x'],
      ['update', '/a/x'],
      ['delete', '/a/x'],
      ['list', '/a/'],
      ['get', '/a/x'],
    ]);
    expect(seconds.every((each) => each >= 0 && each < 10)).to.equal(true);
  });
});
