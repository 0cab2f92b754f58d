import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { FrameReader, type OutputStream } from '../../../../src/nodeagent/legacyrt/frames.ts';

function frame(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

describe('FrameReader', () => {
  it('takes streams apart, however they are cut', () => {
    const piece = fc.tuple(fc.constantFrom('stdout' as const, 'stderr' as const), fc.string());
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (pieces, sizes) => {
          const bytes = Buffer.concat(pieces.map(([name, text]) => frame(name === 'stdout' ? 1 : 2, text)));
          const texts: Record<OutputStream, string> = { stdout: '', stderr: '' };
          const reader = new FrameReader();
          const parts: Record<OutputStream, Buffer[]> = { stdout: [], stderr: [] };
          for (let at = 0, index = 0; at < bytes.length; index++) {
            const size = sizes[index % sizes.length] ?? 1;
            reader.read(bytes.subarray(at, at + size), (stream, part) => parts[stream].push(part));
            at += size;
          }
          for (const name of ['stdout', 'stderr'] as const) {
            texts[name] = Buffer.concat(parts[name]).toString();
            const wanted = pieces.filter(([stream]) => stream === name).map(([, text]) => text);
            expect(texts[name]).to.equal(wanted.join(''));
          }
        },
      ),
    );
  });

  it('refuses what is no piece', () => {
    expect(() => new FrameReader().read(Buffer.from('HTTP/1.1 '), () => {})).to.throw(RangeError);
  });
});
