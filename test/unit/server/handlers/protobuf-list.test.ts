import { expect } from 'chai';
import type { Slice } from '../../../../src/base/index.ts';
import type { ListSource } from '../../../../src/server/handlers/list-source.ts';
import { ProtobufFrames } from '../../../../src/server/handlers/protobuf-frames.ts';
import { protobufBody } from '../../../../src/server/handlers/protobuf-list.ts';
import { createPiecePool } from '../../../../src/server/streaming/piece-pool.ts';
import { encodings } from '../../../support/encodings.ts';
import { libraryType } from '../../../support/protobuf-library.ts';
import { readEnvelope } from '../../../support/wire-envelope.ts';

const { protobuf } = encodings;
const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const served = { kind, listKind: 'ConfigMapList', conversion: undefined, store: { storageKind: kind } };

/** A list of so many config maps, as far as Protobuf looks at it. */
function listOf(count: number, as?: string, asVersion = ''): ListSource {
  const objects = Array.from({ length: count }, (_, n) => ({
    bytes: Buffer.from(
      JSON.stringify({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: `map-${n}`, labels: { a: 'b' }, creationTimestamp: null },
        data: { k: 'v'.repeat(200) },
      }),
    ),
  }));
  const piecePool = createPiecePool({ pieceBytes: 2000, maxKept: 2 });
  const protobufFrames = new ProtobufFrames(protobuf);
  const context = { protobuf, protobufFrames, metaGroup: 'meta.orch.io', piecePool };
  return {
    exchange: {},
    endpoint: { served, context },
    result: { objects, revision: 7, continueToken: 'next', remainingItemCount: 3 },
    representation: { as, asVersion, encoding: 'protobuf' },
  } as unknown as ListSource; // nothing else of it is read
}

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

const read = async (source: ListSource, heldBytes?: number) => {
  const { totalBytes, pieces } = await protobufBody(source, new Spent(), heldBytes);
  const whole = Buffer.concat([...{ [Symbol.iterator]: () => pieces }]);
  expect(totalBytes).to.equal(whole.length);
  return readEnvelope(whole);
};

describe('protobufBody', () => {
  for (const count of [0, 1, 3, 5000]) {
    it(`says beforehand how long a list of ${count} is`, async () => {
      const { kind: listKind, apiVersion, raw } = await read(listOf(count));
      expect([listKind, apiVersion]).to.deep.equal(['ConfigMapList', 'v1']);
      const list = libraryType('v1.ConfigMapList').decode(raw).toJSON();
      expect(list.items ?? []).to.have.length(count);
      expect(list.metadata).to.deep.include({
        resourceVersion: '7',
        continue: 'next',
        remainingItemCount: '3',
      });
      if (count > 0) expect(list.items.at(-1).metadata.name).to.equal(`map-${count - 1}`);
    });
  }

  it('is the same whether messages are held or made again', async () => {
    const [all, some, none] = [
      await read(listOf(50)),
      await read(listOf(50), 5000),
      await read(listOf(50), 0),
    ];
    expect(some.raw.equals(all.raw)).to.equal(true);
    expect(none.raw.equals(all.raw)).to.equal(true);
  });

  for (const version of ['v1', 'v1beta1']) {
    it(`has the fields of partial metadata where ${version} has them`, async () => {
      const name = 'PartialObjectMetadataList';
      const { kind: listKind, apiVersion, raw } = await read(listOf(3, name, version));
      expect([listKind, apiVersion]).to.deep.equal([name, `meta.orch.io/${version}`]);
      const list = libraryType(`meta.orch.io/${version}.${name}`).decode(raw).toJSON();
      expect(list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).to.deep.equal([
        'map-0',
        'map-1',
        'map-2',
      ]);
      expect(list.metadata.resourceVersion).to.equal('7');
    });
  }

  it('rests while messages are made', async () => {
    const slice = new Spent();
    await protobufBody(listOf(100), slice);
    expect(slice.rests).to.be.at.least(100);
  });
});
