import { expect } from 'chai';
import fc from 'fast-check';
import { rawNumber } from '../../../../../src/base/index.ts';
import { readFields } from '../../../../../src/machinery/codec/protobuf/fields.ts';
import { BackwardWriter, makeTag, ProtobufError } from '../../../../../src/machinery/codec/protobuf/index.ts';
import { Reader } from '../../../../../src/machinery/codec/protobuf/reader.ts';

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const written = (write: (out: BackwardWriter) => void): string => {
  const out = new BackwardWriter(4);
  write(out);
  return out.take().toString('hex');
};

describe('varints', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '00'],
    [1, '01'],
    [127, '7f'],
    [128, '8001'],
    [150, '9601'],
    [16_383, 'ff7f'],
    [16_384, '808001'],
    [2 ** 31, '8080808008'],
    [2 ** 35 - 1, 'ffffffff7f'],
    [2 ** 49 - 1, 'ffffffffffff7f'],
    [2 ** 49, '8080808080808001'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
  ];
  for (const [value, hex] of rows) {
    it(`of ${value} are ${hex}`, () => {
      expect(written((out) => out.varint(value))).to.equal(hex);
      expect(new Reader(bytesOf(hex)).varint()).to.equal(value);
    });
  }

  const signed: readonly (readonly [string, string])[] = [
    ['-1', 'ffffffffffffffffff01'],
    ['-9223372036854775808', '80808080808080808001'],
    ['9223372036854775807', 'ffffffffffffffff7f'],
    ['9007199254740993', '8180808080808010'],
    ['-2147483648', '80808080f8ffffffff01'],
  ];
  for (const [digits, hex] of signed) {
    it(`of ${digits} are ${hex}`, () => {
      expect(written((out) => out.int64(rawNumber(digits)))).to.equal(hex);
      expect(written((out) => out.int64(BigInt(digits)))).to.equal(hex);
      expect(JSON.stringify(new Reader(bytesOf(hex)).int64())).to.equal(digits);
    });
  }

  it('are read back as they were written, whatever their size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const reader = new Reader(
          Buffer.from(
            written((out) => out.int64(value)),
            'hex',
          ),
        );
        expect(JSON.stringify(reader.int64())).to.equal(String(value));
        expect(reader.at).to.equal(reader.limit);
      }),
    );
  });

  const cut: readonly (readonly [string, number])[] = [
    ['ffffffff07', 2147483647],
    ['8080808008', -2147483648],
    ['ffffffff0f', -1],
    ['8180808010', 1],
    ['ffffffffffff7f', -1],
  ];
  for (const [hex, value] of cut) {
    it(`${hex} as a 32-bit number is ${value}`, () => {
      expect(new Reader(bytesOf(hex)).int32()).to.equal(value);
    });
  }

  it('lose their upper bits as 32-bit numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const reader = new Reader(
          Buffer.from(
            written((out) => out.int64(value)),
            'hex',
          ),
        );
        expect(reader.int32()).to.equal(Number(BigInt.asIntN(32, value)));
      }),
    );
  });

  const bad: readonly (readonly [string, string, string])[] = [
    ['nothing', '', 'unexpected EOF'],
    ['one that goes on behind the end', '80', 'unexpected EOF'],
    ['a long one that does', 'ffffffffffffffff', 'unexpected EOF'],
    ['one of eleven bytes', 'ffffffffffffffffffff01', 'proto: integer overflow'],
  ];
  for (const [title, hex, message] of bad) {
    it(`refuse ${title}`, () => {
      for (const read of ['varint', 'int32', 'int64'] as const) {
        expect(() => new Reader(bytesOf(hex))[read]()).to.throw(ProtobufError, message);
      }
    });
  }

  it('may be longer than they need to be', () => {
    expect(new Reader(bytesOf('81 80 00')).varint()).to.equal(1);
    expect(new Reader(bytesOf('81 80 80 80 80 80 80 80 80 00')).int64()).to.equal(1);
  });

  it('refuse what is no number', () => {
    const out = new BackwardWriter();
    for (const value of ['1', {}, [], true]) expect(() => out.int64(value)).to.throw(TypeError);
  });
});

describe('BackwardWriter', () => {
  it('writes from the end to the start', () => {
    expect(
      written((out) => {
        out.byte(3);
        out.text('b');
        out.bytes(Buffer.from('a'));
      }),
    ).to.equal('616203');
  });

  it('grows as it must and is empty once its bytes are taken', () => {
    const out = new BackwardWriter(1);
    const part = fc.oneof(
      fc.string(),
      fc.string({ minLength: 40, maxLength: 200 }),
      fc.constant('é'.repeat(60)),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        for (const text of parts.toReversed()) out.text(text);
        expect(out.size).to.equal(Buffer.byteLength(parts.join('')));
        expect(out.take().toString()).to.equal(parts.join('').toWellFormed());
        expect(out.size).to.equal(0);
      }),
    );
  });

  it('gives bytes that later writing does not change', () => {
    const out = new BackwardWriter(8);
    out.text('first');
    const first = out.take();
    out.text('other');
    expect(first.toString()).to.equal('first');
    expect(out.take().toString()).to.equal('other');
  });

  it('takes millions of bytes, of which it keeps none', () => {
    const out = new BackwardWriter(16);
    const large = Buffer.alloc(3_000_000, 7);
    out.bytes(large);
    out.byte(1);
    expect(out.take().equals(Buffer.concat([Buffer.from([1]), large]))).to.equal(true);
    out.double(1.5);
    expect(out.take().readDoubleLE()).to.equal(1.5);
  });

  it('writes a field of text with tag and length', () => {
    expect(written((out) => out.textField(makeTag(1, 2), 'abc'))).to.equal('0a03616263');
    const long = 'x'.repeat(200);
    expect(written((out) => out.textField(makeTag(20, 2), long)).startsWith('a201c801')).to.equal(true);
  });
});

describe('readFields', () => {
  const fieldsOf = (hex: string, known: readonly number[] = []): string[] => {
    const input = new Reader(bytesOf(hex));
    const seen: string[] = [];
    readFields(input, {
      typeName: 'Thing',
      take(reader, fieldNumber, wire, end) {
        if (!known.includes(fieldNumber)) return false;
        seen.push(`${fieldNumber}=${wire === 2 ? reader.text(end) : reader.varint()}`);
        return true;
      },
    });
    expect(input.at).to.equal(input.limit);
    return seen;
  };

  it('gives known fields in the order of the bytes', () => {
    expect(fieldsOf('12 01 62 08 05 12 01 61', [1, 2])).to.deep.equal(['2=b', '1=5', '2=a']);
  });

  const skipped: readonly (readonly [string, string])[] = [
    ['a varint', '18 ff 01'],
    ['eight bytes', '19 01 02 03 04 05 06 07 08'],
    ['bytes', '1a 03 01 02 03'],
    ['four bytes', '1d 01 02 03 04'],
    ['an empty group', '1b 1c'],
    ['a group of anything', '1b 08 01 12 01 61 25 00 00 00 00 1c'],
    ['groups in groups', '1b 23 2b 2c 24 1c'],
    ['a field of the largest number', 'f8 ff ff ff 0f 01'],
  ];
  for (const [title, hex] of skipped) {
    it(`goes past ${title} that nobody knows`, () => {
      expect(fieldsOf(`08 01 ${hex} 08 02`, [1])).to.deep.equal(['1=1', '1=2']);
    });
  }

  it('goes past no end of a group that it did not begin', () => {
    expect(() => new Reader(bytesOf('08 01')).skip(4)).to.throw(
      ProtobufError,
      'proto: unexpected end of group',
    );
  });

  const bad: readonly (readonly [string, string, string])[] = [
    ['field number zero', '00 01', 'proto: Thing: illegal tag 0 (wire type 0)'],
    ['a negative field number', '88 80 80 80 80 80 80 80 80 01', 'proto: Thing: illegal tag'],
    ['an end without a group', '1c', 'proto: Thing: wiretype end group for non-group'],
    ['a wire type that does not exist', '1e 00', 'proto: illegal wireType 6'],
    ['another one', '1f 00', 'proto: illegal wireType 7'],
    ['a group without an end', '1b 08 01', 'unexpected EOF'],
    ['four bytes that are three', '1d 01 02 03', 'unexpected EOF'],
    ['eight bytes that are seven', '19 01 02 03 04 05 06 07', 'unexpected EOF'],
    ['a length beyond the end', '1a 05 01', 'unexpected EOF'],
    [
      'a length near 2^63, behind which no place can be counted',
      '1a ff ff ff ff ff ff ff ff 7f',
      'proto: negative length found during unmarshaling',
    ],
    ['a length that could be', '1a ff ff ff ff 0f', 'unexpected EOF'],
    [
      'a length of -1',
      '1a ff ff ff ff ff ff ff ff ff 01',
      'proto: negative length found during unmarshaling',
    ],
    ['a tag that stops', '80', 'unexpected EOF'],
  ];
  for (const [title, hex, message] of bad) {
    it(`refuses ${title}`, () => {
      expect(() => fieldsOf(hex, [])).to.throw(ProtobufError, message);
    });
  }
});
