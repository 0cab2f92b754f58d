import { expect } from 'chai';
import { StorageError } from '../../../../src/storage/contract.ts';
import type { Cluster } from '../../../../src/storage/etcd/cluster.ts';
import { HistoryLimit } from '../../../../src/storage/etcd/compaction.ts';

/** A member that was asked to forget what is before `compacted`, and has come to `current`. */
function member(compacted: number, current: number, onRead = () => {}): Cluster {
  const call = async (_method: unknown, { revision }: { readonly revision: number }) => {
    onRead();
    if (revision < compacted) throw new StorageError('compacted', 'required revision has been compacted');
    return { header: { revision: current } };
  };
  return { call } as unknown as Cluster; // its one method that is used
}

describe('HistoryLimit.find', () => {
  for (const [compacted, current] of [
    [0, 1],
    [0, 9],
    [2, 9],
    [5, 9],
    [8, 9],
    [9, 9],
  ] as const) {
    it(`finds ${compacted} of ${current}`, async () => {
      expect(await new HistoryLimit(member(compacted, current), 'k').find(current)).to.equal(compacted);
    });
  }

  it('goes on from what is known', async () => {
    let reads = 0;
    const limit = new HistoryLimit(
      member(7, 9, () => void reads++),
      'k',
    );
    limit.note(7);
    expect(await limit.find(9)).to.equal(7);
    expect(reads).to.equal(1);
  });

  it('is right also when this process compacts while it looks', async () => {
    const limit: HistoryLimit = new HistoryLimit(
      member(5, 9, () => limit.note(5)),
      'k',
    );
    expect(await limit.find(9)).to.equal(5);
  });
});
