import { assert } from 'chai';
import { describe, it } from 'mocha';
import { RevisionReader } from '../../../../src/storage/etcd/revision-reader.ts';

describe('RevisionReader', () => {
  it('gives who asks while a call is under way the next one, and shares that', async () => {
    const calls: ((revision: number) => void)[] = [];
    const reader = new RevisionReader(() => new Promise((resolve) => calls.push(resolve)));
    const first = reader.read();
    const [second, third] = [reader.read(), reader.read()];
    assert.lengthOf(calls, 1);
    calls[0]?.(5);
    assert.equal(await first, 5);
    await new Promise(setImmediate);
    assert.lengthOf(calls, 2);
    const fourth = reader.read();
    calls[1]?.(6);
    assert.deepEqual(await Promise.all([second, third]), [6, 6]);
    await new Promise(setImmediate);
    assert.lengthOf(calls, 3);
    calls[2]?.(7);
    assert.equal(await fourth, 7);
  });

  it('goes on after a failure', async () => {
    const answers = [Promise.reject(new Error('lost')), Promise.resolve(2)];
    const reader = new RevisionReader(() => answers.shift() ?? Promise.resolve(3));
    const failed = reader.read().catch((error: Error) => error.message);
    assert.deepEqual(await Promise.all([failed, reader.read()]), ['lost', 2]);
    assert.equal(await reader.read(), 3);
  });
});
