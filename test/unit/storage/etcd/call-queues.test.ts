import { expect } from 'chai';
import { describe, it } from 'mocha';
import { RevisionReader } from '../../../../src/storage/etcd/call-queues.ts';

describe('RevisionReader', () => {
  it('gives who asks while a call is under way the next one, and shares that', async () => {
    const calls: ((revision: number) => void)[] = [];
    const reader = new RevisionReader(() => new Promise((resolve) => calls.push(resolve)));
    const first = reader.read();
    const [second, third] = [reader.read(), reader.read()];
    expect(calls).to.have.lengthOf(1);
    calls[0]?.(5);
    expect(await first).to.equal(5);
    await new Promise(setImmediate);
    expect(calls).to.have.lengthOf(2);
    const fourth = reader.read();
    calls[1]?.(6);
    expect(await Promise.all([second, third])).to.deep.equal([6, 6]);
    await new Promise(setImmediate);
    expect(calls).to.have.lengthOf(3);
    calls[2]?.(7);
    expect(await fourth).to.equal(7);
  });

  it('goes on after a failure', async () => {
    const answers = [Promise.reject(new Error('lost')), Promise.resolve(2)];
    const reader = new RevisionReader(() => answers.shift() ?? Promise.resolve(3));
    const failed = reader.read().catch((error: Error) => error.message);
    expect(await Promise.all([failed, reader.read()])).to.deep.equal(['lost', 2]);
    expect(await reader.read()).to.equal(3);
  });
});
