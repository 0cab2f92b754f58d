import { expect } from 'chai';
import fc from 'fast-check';
import { lineBatches } from '../../../../src/server/audit/event-batch.ts';

describe('batches of lines', () => {
  it('append what was added, a line each, whatever went before', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.string({ unit: 'binary' }))), async (batches) => {
        const appended: string[] = [];
        const start = lineBatches(async (bytes) => void appended.push(bytes.toString('latin1')));
        for (const texts of batches) {
          const batch = start();
          for (const text of texts) batch.add(text);
          await batch.deliver();
        }
        const expected = batches.map((texts) => texts.map((text) => `${text}\n`).join(''));
        expect(appended).to.deep.equal(expected.map((text) => Buffer.from(text).toString('latin1')));
      }),
    ));

  it('leave the bytes of one alone until it is appended', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const appended: Buffer[] = [];
    const start = lineBatches((bytes) => {
      appended.push(bytes);
      return promise;
    });
    for (const text of ['first', 'other']) {
      const batch = start();
      batch.add(text);
      void batch.deliver();
    }
    expect(appended.map(String)).to.deep.equal(['first\n', 'other\n']);
    resolve();
  });

  it('say when the lines were not appended, and go on', async () => {
    let isFull = true;
    const appended: string[] = [];
    const start = lineBatches(async (bytes) => {
      if (isFull) throw new Error('no space left on device');
      appended.push(bytes.toString());
    });
    const lost = start();
    lost.add('lost');
    expect(await lost.deliver().catch((error: Error) => error.message)).to.equal('no space left on device');
    isFull = false;
    const next = start();
    next.add('next');
    await next.deliver();
    expect(appended).to.deep.equal(['next\n']);
  });
});
