import { expect } from 'chai';
import fc from 'fast-check';
import { wholeLines } from '../../../../src/ctl/logs/print-log.ts';

async function cut(chunks: readonly Buffer[]): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for await (const part of wholeLines(
    (async function* () {
      yield* chunks;
    })(),
  )) {
    parts.push(part);
  }
  return parts;
}

describe('wholeLines', () => {
  it('hands whole lines on as soon as they are there, and the rest at the end', async () => {
    const parts = await cut(['a\nb', 'c\nd\ne', 'f'].map((text) => Buffer.from(text)));
    expect(parts.map(String)).to.deep.equal(['a\n', 'bc\nd\n', 'ef']);
  });

  it('loses nothing, and ends each part but the last with a line', async () => {
    const chunk = fc.string({ unit: fc.constantFrom('a', '\n') }).map((text) => Buffer.from(text));
    await fc.assert(
      fc.asyncProperty(fc.array(chunk), async (chunks) => {
        const parts = await cut(chunks);
        expect(Buffer.concat(parts).equals(Buffer.concat(chunks))).to.equal(true);
        for (const part of parts.slice(0, -1)) expect(part.at(-1)).to.equal(0x0a);
      }),
    );
  });

  it('does not keep a line without end', async () => {
    const block = Buffer.alloc(400 * 1024, 'x');
    const parts = await cut([block, block, block, block]);
    expect(parts.map(({ length }) => length)).to.deep.equal([3 * block.length, block.length]);
  });
});
