import { expect } from 'chai';
import type { ServedKind } from '../../../../src/registry/index.ts';
import { ProtobufFrames } from '../../../../src/server/handlers/protobuf-frames.ts';
import type { CachedObject } from '../../../../src/storage/watch-cache/index.ts';
import { encodings } from '../../../support/encodings.ts';
import { libraryType } from '../../../support/protobuf-library.ts';

const servedAs = (version: string): ServedKind =>
  ({
    kind: { group: 'policy', version, kind: 'PodDisruptionBudget' },
    conversion: undefined,
  }) as unknown as ServedKind; // nothing else of it is read
const served = servedAs('v1beta1');

const objectOf = (generation: string): CachedObject => {
  const bytes = Buffer.from(`{"kind":"x","apiVersion":"y","metadata":{"generation":${generation}}}`);
  return { bytes } as unknown as CachedObject; // nothing else of it is read
};

describe('ProtobufFrames', () => {
  it('keeps what was asked for', () => {
    const frames = new ProtobufFrames(encodings.protobuf);
    const object = objectOf('1');
    expect(frames.keep(served, object)).to.equal(frames.keep(served, object));
    expect(frames.peek(served, object)).to.equal(frames.keep(served, object));
  });

  it('keeps nothing of what was only looked at', () => {
    const frames = new ProtobufFrames(encodings.protobuf);
    const object = objectOf('1');
    const first = frames.peek(served, object);
    expect(frames.peek(served, object)).not.to.equal(first);
    expect(frames.peek(served, object).equals(first)).to.equal(true);
  });

  it('lets go of what nobody has asked for while the budget was used up', () => {
    const frames = new ProtobufFrames(encodings.protobuf, 4000);
    const [used, unused] = [objectOf('1'), objectOf('2')];
    const [first, second] = [frames.keep(served, used), frames.keep(served, unused)];
    for (let n = 0; n < 100; n++) {
      frames.keep(served, objectOf(String(n)));
      expect(frames.keep(served, used)).to.equal(first);
    }
    expect(frames.keep(served, unused)).not.to.equal(second);
  });

  it('keeps one for each version that is served', () => {
    const frames = new ProtobufFrames(encodings.protobuf);
    const object = objectOf('1');
    const other = servedAs('v1beta1');
    expect(frames.keep(other, object)).not.to.equal(frames.keep(served, object));
  });

  it('keeps the digits of large numbers', () => {
    const frames = new ProtobufFrames(encodings.protobuf);
    const framed = frames.encode(served, objectOf('9223372036854775807').bytes);
    const inner = framed.subarray(framed.length - framed.readUInt8(1));
    const { metadata } = libraryType('policy/v1beta1.PodDisruptionBudget').decode(inner).toJSON();
    expect(metadata.generation).to.equal('9223372036854775807');
  });
});
