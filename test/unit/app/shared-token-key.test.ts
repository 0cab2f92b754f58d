import { expect } from 'chai';
import { sharedTokenKey, tokenKeyFolder } from '../../../src/app/shared-token-key.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { InterruptibleStorage } from '../../support/interruptible-storage.ts';

const root = '/registry/';
const key = `${root}${tokenKeyFolder}key`;

describe('sharedTokenKey', () => {
  it('is made once, also by servers that start at the same time', async () => {
    await using storage = openMemoryStorage();
    const keys = await Promise.all([1, 2, 3].map(() => sharedTokenKey(storage, root)));
    const later = await sharedTokenKey(storage, root);
    expect(later).to.have.length(32);
    for (const one of keys) expect(one).to.deep.equal(later);
  });

  it('is another one in another store', async () => {
    await using one = openMemoryStorage();
    await using other = openMemoryStorage();
    expect(await sharedTokenKey(one, root)).not.to.deep.equal(await sharedTokenKey(other, root));
  });

  it('is that of the server that was faster', async () => {
    await using inner = openMemoryStorage();
    const storage = new InterruptibleStorage(inner);
    let first: Buffer | undefined;
    storage.interruptNextWrite(async () => {
      first = await sharedTokenKey(inner, root);
    });
    expect(await sharedTokenKey(storage, root)).to.deep.equal(first);
  });

  it('is made anew when what is stored is none', async () => {
    for (const data of [undefined, null, {}, { key: 5 }, { key: 'c2hvcnQ=' }]) {
      await using storage = openMemoryStorage();
      await storage.create(key, Buffer.from(JSON.stringify({ metadata: { resourceVersion: '' }, data })));
      const made = await sharedTokenKey(storage, root);
      expect(made).to.have.length(32);
      expect(await sharedTokenKey(storage, root)).to.deep.equal(made);
    }
  });
});
