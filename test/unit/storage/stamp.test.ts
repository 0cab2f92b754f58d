import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findRevision, stampedLength, stampInto, stampRevision } from '../../../src/storage/stamp.ts';

describe('stampRevision', () => {
  it('replaces the revision of the metadata only', () => {
    const bytes = Buffer.from(
      '{"metadata":{"resourceVersion":""},"data":{"a":"\\"resourceVersion\\":\\"x\\""}}',
    );
    const stamped = stampRevision(stampRevision(bytes, 7), 12345);
    expect(stamped.toString()).to.equal(
      '{"metadata":{"resourceVersion":"12345"},"data":{"a":"\\"resourceVersion\\":\\"x\\""}}',
    );
  });

  it('owns its memory', () => {
    const stamped = stampRevision(Buffer.from('{"metadata":{"resourceVersion":""}}'), 1);
    expect(stamped.buffer.byteLength).to.equal(stamped.length);
  });

  it('refuses bytes without a revision', () => {
    expect(() => stampRevision(Buffer.from('{}'), 1)).to.throw(RangeError);
  });

  it('writes any text into a larger buffer at an offset', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.nat(),
        fc.nat(),
        fc.nat(10),
        (text, old, revision, offset) => {
          const bytes = Buffer.from(
            JSON.stringify({ metadata: { resourceVersion: String(old) }, data: text }),
          );
          const start = findRevision(bytes);
          const target = Buffer.alloc(offset + stampedLength(bytes, revision, start));
          expect(stampInto(target, offset, { bytes, revision, start })).to.equal(target.length - offset);
          const expected = { metadata: { resourceVersion: String(revision) }, data: text };
          expect(JSON.parse(target.subarray(offset).toString())).to.deep.equal(expected);
          expect(stampRevision(bytes, revision).equals(target.subarray(offset))).to.equal(true);
        },
      ),
      { seed: 42 },
    );
  });
});
