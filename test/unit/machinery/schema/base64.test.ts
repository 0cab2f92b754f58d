import { expect } from 'chai';
import fc from 'fast-check';
import { DecodeError } from '../../../../src/machinery/schema/index.ts';
import { compileFields } from './support/types.ts';

const compiled = compileFields([{ n: 'f', t: 'bytes', omit: 1 }]);
const decode = (text: string): unknown => compiled.decode({ f: text }).f;

describe('bytes', () => {
  const fine: readonly (readonly [given: string, written: string])[] = [
    ['AAAA', 'AAAA'],
    ['AA==', 'AA=='],
    ['AAA=', 'AAA='],
    ['AAA=\n', 'AAA='],
    ['AA\r\nAA\n', 'AAAA'],
    ['A\nA\n=\n=\n', 'AA=='],
    ['++//', '++//'],
    // Bits that belong to no byte do not survive.
    ['AB==', 'AA=='],
    ['AAB=', 'AAA='],
    ['//==', '/w=='],
  ];
  for (const [given, written] of fine) {
    it(`writes ${JSON.stringify(given)} as ${written}`, () => expect(decode(given)).to.equal(written));
  }

  it('are read from a list of numbers as well', () => {
    expect(compiled.decode({ f: [1, null, 255] })).to.deep.equal({ f: 'AQD/' });
    expect(compiled.decode({ f: [] })).to.deep.equal({});
    expect(() => compiled.decode({ f: [256] })).to.throw(DecodeError);
  });

  it('leaves no bytes out of the object', () => {
    expect(compiled.decode({ f: '' })).to.deep.equal({});
    expect(compiled.decode({ f: '\n' })).to.deep.equal({});
  });

  const corrupt: readonly (readonly [string, number])[] = [
    ['!!!!', 0],
    ['====', 0],
    ['x===', 1],
    ['=AAA', 0],
    ['A=AA', 1],
    ['AA=A', 2],
    ['AA==A', 4],
    ['AAA=AAAA', 4],
    ['AAAAA', 4],
    ['AAAAAA', 4],
    ['A=', 1],
    ['A==', 1],
    ['AA=', 3],
    ['AAAAAA=', 7],
    ['YWJjZA=====', 8],
    ['A!\n', 1],
    ['A=\n', 1],
    ['AAAA-_', 4],
    ['AA AA', 2],
    ['AA==!', 4],
    // Line ends count, though they carry nothing.
    ['AA=\n=x', 5],
    ['AA=\nA', 3],
    ['AAA=\n\nA', 6],
    ['AA==\nA', 5],
  ];
  for (const [text, offset] of corrupt) {
    it(`refuses ${JSON.stringify(text)} at byte ${offset}`, () => {
      expect(() => decode(text)).to.throw(
        DecodeError,
        `v1.T.F: decode base64: illegal base64 data at input byte ${offset}, error found in `,
      );
    });
  }

  it('keeps every byte, with line ends anywhere', () => {
    const at = fc.nat({ max: 100 });
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.array(at, { maxLength: 4 }),
        (bytes, breaks) => {
          const text = Buffer.from(bytes).toString('base64');
          const broken = breaks.reduce(
            (whole, place) => `${whole.slice(0, place)}\n${whole.slice(place)}`,
            text,
          );
          expect(decode(broken)).to.equal(text);
        },
      ),
    );
  });

  it('takes what the runtime takes without looking away, and nothing else', () => {
    const unit = fc.constantFrom('A', 'Q', 'z', '0', '+', '/', '=', '-', ' ');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (text) => {
        const canonical = Buffer.from(text, 'base64').toString('base64');
        const isFine = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
        if (isFine) expect(decode(text)).to.equal(canonical);
        else expect(() => decode(text)).to.throw(DecodeError);
      }),
    );
  });
});
