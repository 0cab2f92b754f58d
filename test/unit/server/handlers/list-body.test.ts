import { expect } from 'chai';
import type { Slice } from '../../../../src/base/index.ts';
import { listBody } from '../../../../src/server/handlers/list-body.ts';
import type { ListSource } from '../../../../src/server/handlers/list-source.ts';
import { createPiecePool } from '../../../../src/server/streaming/piece-pool.ts';
import { makeExchange } from '../../../support/exchange.ts';

const kind = { group: '', version: 'v1', kind: 'Pod' };
const bytes = Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"ä"}}');

/** A list of so many equal pods, as far as plain JSON looks at it. */
const listOf = (count: number): ListSource =>
  ({
    exchange: makeExchange(),
    endpoint: {
      served: { kind, listKind: 'PodList', type: {}, conversion: undefined, store: { storageKind: kind } },
      context: { piecePool: createPiecePool({ pieceBytes: 2000, maxKept: 2 }) },
    },
    result: { objects: Array.from({ length: count }, () => ({ bytes })), revision: 7 },
    representation: { as: undefined, encoding: 'json' },
  }) as unknown as ListSource; // nothing else of it is read

/** A slice that is spent at once, and counts its rests. */
class Spent implements Slice {
  rests = 0;
  isSpent(): boolean {
    return true;
  }
  async rest(): Promise<void> {
    this.rests++;
  }
}

describe('listBody', () => {
  for (const count of [0, 1, 3, 5000]) {
    it(`says beforehand how long a list of ${count} is`, async () => {
      const { totalBytes, pieces } = await listBody(listOf(count), new Spent());
      const whole = Buffer.concat([...{ [Symbol.iterator]: () => pieces }]);
      expect(totalBytes).to.equal(whole.length);
      expect(JSON.parse(String(whole)).items).to.have.length(count);
    });
  }

  it('counts the bytes of many objects with rests', async () => {
    const slice = new Spent();
    await listBody(listOf(100_000), slice);
    expect(slice.rests).to.be.at.least(50);
    const small = new Spent();
    await listBody(listOf(1000), small);
    expect(small.rests).to.equal(0);
  });
});
