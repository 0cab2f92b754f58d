import { expect } from 'chai';
import { silentLogger } from '../../../../src/base/index.ts';
import { SharedPool } from '../../../../src/registry/allocation/shared-pool.ts';
import { StorageError } from '../../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { InterruptibleStorage } from '../../../support/interruptible-storage.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

const key = '/registry/ranges/serviceips';

describe('SharedPool', () => {
  let storage: InterruptibleStorage;
  beforeEach(() => {
    storage = new InterruptibleStorage(openMemoryStorage({ clock: new ManualClock() }));
  });
  afterEach(() => storage[Symbol.asyncDispose]());

  const open = async (size = 4, used: readonly number[] = [], range = '10.0.0.0/24') => {
    const pool = new SharedPool({
      storage,
      key,
      range,
      size,
      what: 'serviceipallocations',
      random: () => 0,
      logger: silentLogger,
    });
    await pool.repair(new Set(used));
    return pool;
  };
  const stored = async () => JSON.parse(String((await storage.get(key))?.bytes)) as Record<string, unknown>;

  it('stores what is taken as the reference does', async () => {
    const pool = await open(254);
    await pool.take(0);
    await pool.take(9);
    expect(await stored()).to.deep.include({
      kind: 'RangeAllocation',
      apiVersion: 'v1',
      range: '10.0.0.0/24',
      data: Buffer.from('0201', 'hex').toString('base64'),
    });
  });

  it('gives each number once to two processes that ask at the same time', async () => {
    const pools = [await open(600), await open(600)];
    const given = await Promise.all(
      Array.from({ length: 500 }, (_, n) => (pools[n % 2] as SharedPool).takeAny()),
    );
    expect(new Set(given).size).to.equal(500);
    expect(given).not.to.include(undefined);
  });

  it('takes what many ask for at once in few writes', async () => {
    const pool = await open(600);
    const before = storage.writeCount;
    await Promise.all(Array.from({ length: 500 }, () => pool.takeAny()));
    expect(storage.writeCount - before).to.be.at.most(2);
  });

  it('refuses a number only when it is taken now, whoever freed it', async () => {
    const [one, two] = [await open(), await open()];
    expect([await one.take(1), await two.take(1)]).to.deep.equal([true, false]);
    await two.free([1]);
    expect(await one.take(1)).to.equal(true);
  });

  it('has nothing left when all are taken, and again something when another process frees', async () => {
    const [one, two] = [await open(2), await open(2)];
    expect(await Promise.all([one.takeAny(), one.takeAny(), one.takeAny()])).to.deep.equal([0, 1, undefined]);
    await two.free([0]);
    expect(await one.takeAny()).to.equal(0);
  });

  it('writes nothing in a trial', async () => {
    const pool = await open(2, [0]);
    const before = storage.writeCount;
    const trial = await pool.trial();
    expect([await trial.takeAny(), await trial.takeAny()]).to.deep.equal([1, undefined]);
    expect(storage.writeCount).to.equal(before);
  });

  it('fails when nothing is stored: what is taken is not known then', async () => {
    const pool = await open();
    await storage.delete(key, (await storage.get(key))?.revision ?? 0);
    await expectStatus(pool.takeAny(), { code: 500, reason: 'InternalError' });
    await pool.repair(new Set([0]));
    expect(await pool.takeAny()).to.equal(1);
  });

  it('fails for servers whose range is another', async () => {
    const pool = await open();
    await open(4, [], '10.1.0.0/24');
    await expectStatus(pool.takeAny(), {
      code: 500,
      message:
        'Internal error occurred: cannot allocate resources of type serviceipallocations at this time: it is stored for the range 10.1.0.0/24',
    });
  });

  it('fails what the store fails, and knows the truth afterwards', async () => {
    const pool = await open();
    storage.interruptNextWrite(() => {
      throw new StorageError('unavailable', 'gone');
    });
    await expectStatus(pool.takeAny(), { code: 503 });
    expect(await pool.takeAny()).to.equal(0);
  });

  it('does not fail when it cannot give back', async () => {
    const pool = await open(4, [0]);
    storage.interruptNextWrite(() => {
      throw new StorageError('unavailable', 'gone');
    });
    await pool.free([0]);
    expect(await pool.take(0)).to.equal(false);
  });

  describe('repair', () => {
    it('marks what is in use', async () => {
      const pool = await open();
      expect(await pool.repair(new Set([2, 3]))).to.deep.equal({ marked: 2, freed: 0 });
      expect([await pool.take(2), await pool.take(1)]).to.deep.equal([false, true]);
    });

    it('frees what is found unused twice in a row', async () => {
      const pool = await open(4, [0, 1]);
      await pool.repair(new Set([0]));
      expect(await pool.take(1)).to.equal(false);
      expect(await pool.repair(new Set([0]))).to.deep.equal({ marked: 0, freed: 1 });
      expect(await pool.take(1)).to.equal(true);
    });

    it('keeps what was seen in use in between', async () => {
      const pool = await open(4, [1]);
      await pool.repair(new Set());
      await pool.repair(new Set([1]));
      expect(await pool.repair(new Set())).to.deep.equal({ marked: 0, freed: 0 });
    });

    it('replaces what nobody can read', async () => {
      await storage.create(key, Buffer.from('{"metadata":{"resourceVersion":""}}'));
      const pool = await open(4, [3]);
      expect([await pool.take(3), await pool.takeAny()]).to.deep.equal([false, 0]);
    });
  });
});
