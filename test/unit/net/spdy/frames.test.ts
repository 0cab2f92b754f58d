import { once } from 'node:events';
import { constants, createDeflate, createInflate } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import words from '../../../../src/net/spdy/dictionary.json' with { type: 'json' };
import { controlFrame, dataFrame, FrameReader } from '../../../../src/net/spdy/frames.ts';
import { HeaderReader } from '../../../../src/net/spdy/header-reader.ts';
import { HeaderWriter } from '../../../../src/net/spdy/header-writer.ts';

const lengthOf = (text: string): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(text.length);
  return bytes;
};
const dictionary = Buffer.concat([
  ...words.words.flatMap((word) => [lengthOf(word), Buffer.from(word)]),
  Buffer.from(words.tail),
]);

function block(headers: Readonly<Record<string, string>>): Buffer {
  const texts = Object.entries(headers).flat();
  const count = Buffer.alloc(4);
  count.writeUInt32BE(texts.length / 2);
  return Buffer.concat([count, ...texts.flatMap((text) => [lengthOf(text), Buffer.from(text)])]);
}

describe('FrameReader', () => {
  it('gives frames back however they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 })),
        fc.integer({ min: 1, max: 50 }),
        (payloads, size) => {
          const bytes = Buffer.concat(
            payloads.map((each, index) =>
              index % 2 === 0
                ? dataFrame(index, Buffer.from(each), { isLast: true })
                : controlFrame(index, Buffer.from(each)),
            ),
          );
          const reader = new FrameReader();
          const frames = [];
          for (let at = 0; at < bytes.length; at += size) {
            for (const frame of reader.push(bytes.subarray(at, at + size))) {
              frames.push({ ...frame, bytes: [...frame.bytes] });
            }
          }
          expect(frames).to.deep.equal(
            payloads.map((each, index) =>
              index % 2 === 0
                ? { kind: 'data', streamId: index, isLast: true, bytes: [...each] }
                : { kind: 'control', type: index, isLast: false, bytes: [...each] },
            ),
          );
        },
      ),
    );
  });

  it('refuses frames that are too large or of another version', () => {
    expect(() => new FrameReader().push(Buffer.from('00000001007fffffff', 'hex'))).to.throw(RangeError);
    expect(() => new FrameReader().push(Buffer.from('8002000100000000', 'hex'))).to.throw(RangeError);
  });
});

describe('HeaderReader', () => {
  it('reads what clients compress, one block after the other', async () => {
    const deflate = createDeflate({ dictionary });
    const compress = async (headers: Readonly<Record<string, string>>): Promise<Buffer> => {
      const chunks: Buffer[] = [];
      const keep = (chunk: Buffer): void => void chunks.push(chunk);
      deflate.on('data', keep);
      deflate.write(block(headers));
      await new Promise<void>((resolve) => {
        deflate.flush(constants.Z_SYNC_FLUSH, resolve);
      });
      deflate.off('data', keep);
      return Buffer.concat(chunks);
    };
    const reader = new HeaderReader();
    for (const name of ['error', 'stdin']) {
      const headers = await reader.read(await compress({ StreamType: name, port: '80' }));
      expect(Object.fromEntries(headers)).to.deep.equal({ streamtype: name, port: '80' });
    }
    reader.close();
    deflate.destroy();
  });

  it('refuses what is none', async () => {
    const failure = await new HeaderReader().read(Buffer.from('nonsense')).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
  });
});

describe('HeaderWriter', () => {
  it('writes blocks that clients can read', async () => {
    const writer = new HeaderWriter();
    const inflate = createInflate({ dictionary });
    for (let count = 0; count < 3; count++) {
      const block = writer.write();
      // The mark of a flush: the release's client hands nothing on before it.
      expect(block.subarray(-5).toString('hex')).to.equal('000000ffff');
      inflate.write(block);
      const [bytes] = (await once(inflate, 'data')) as [Buffer];
      expect([...bytes]).to.deep.equal([0, 0, 0, 0]);
    }
    inflate.destroy();
  });
});
