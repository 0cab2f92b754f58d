import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { takeSteps } from '../../../../src/base/index.ts';
import { joinGzip, makeGzipBlock } from '../../../../src/server/openapi/gzip-block.ts';

describe('joinGzip', () => {
  it('holds the bytes of all blocks in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 8 }), async (texts) => {
        const blocks = await Promise.all(texts.map((text) => makeGzipBlock(Buffer.from(text))));
        // Node checks CRC-32 and length, and refuses what follows the member.
        expect(gunzipSync(takeSteps(joinGzip(blocks))).equals(Buffer.concat(texts))).to.equal(true);
      }),
      { numRuns: 60 },
    );
  });

  it('joins blocks of very different lengths, empty ones too', async () => {
    const texts = ['', 'a', 'b'.repeat(1_000_000), '', 'c'.repeat(65_537), 'd'];
    const blocks = await Promise.all(texts.map((text) => makeGzipBlock(Buffer.from(text))));
    expect(gunzipSync(takeSteps(joinGzip(blocks))).toString()).to.equal(texts.join(''));
  });

  it('takes a step for each block, so that thousands of them hold up nobody', async () => {
    const block = await makeGzipBlock(Buffer.from('abc'));
    const steps = joinGzip(new Array(500).fill(block));
    expect([...steps]).to.have.length(500);
  });

  it('compresses', async () => {
    const block = await makeGzipBlock(Buffer.from('abc'.repeat(10_000)));
    expect(block.byteCount).to.equal(30_000);
    expect(takeSteps(joinGzip([block, block])).length).to.be.lessThan(1000);
  });
});
