import { expect } from 'chai';
import fc from 'fast-check';
import { createProtobufCompiler } from '../../../../../src/machinery/codec/protobuf/index.ts';
import {
  formatSeconds,
  parseMicroseconds,
  parseSeconds,
} from '../../../../../src/machinery/codec/protobuf/times.ts';
import { TimeError } from '../../../../../src/machinery/values/index.ts';
import { catalog } from './random-object.ts';

/** Seconds of the first and the last moment that text can have. */
const [firstSecond, lastSecond] = [-62_167_219_200, 253_402_300_799];
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

describe('formatSeconds and parseSeconds', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '1970-01-01T00:00:00'],
    [-1, '1969-12-31T23:59:59'],
    [951_782_400, '2000-02-29T00:00:00'],
    [951_868_799, '2000-02-29T23:59:59'],
    [951_868_800, '2000-03-01T00:00:00'],
    [-2_203_891_200, '1900-03-01T00:00:00'],
    [-2_203_891_201, '1900-02-28T23:59:59'],
    [1_609_459_199, '2020-12-31T23:59:59'],
    [1_609_459_200, '2021-01-01T00:00:00'],
    [firstSecond, '0000-01-01T00:00:00'],
    [lastSecond, '9999-12-31T23:59:59'],
  ];
  for (const [seconds, text] of rows) {
    it(`${text} is ${seconds}`, () => {
      expect(formatSeconds(seconds)).to.equal(text);
      expect(parseSeconds(`${text}Z`)).to.equal(seconds);
    });
  }

  it('agree with the calendar of the runtime, every second of ten thousand years', () => {
    fc.assert(
      fc.property(fc.integer({ min: firstSecond, max: lastSecond }), (seconds) => {
        const text = iso(seconds);
        expect(formatSeconds(seconds)).to.equal(text);
        expect(parseSeconds(`${text}Z`)).to.equal(seconds);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuse years that text cannot have', () => {
    for (const seconds of [firstSecond - 1, lastSecond + 1, 2 ** 62, -(2 ** 62), Number.NaN]) {
      expect(() => formatSeconds(seconds)).to.throw(RangeError, 'year outside of range [0,9999]');
    }
  });

  it('read other offsets and fractions as the API does', () => {
    expect(parseSeconds('2020-01-01T01:00:00.9+01:00')).to.equal(parseSeconds('2020-01-01T00:00:00Z'));
    expect(() => parseSeconds('2020-01-01')).to.throw(TimeError);
    expect(parseMicroseconds('2020-01-01T01:00:00.000009+01:00')).to.deep.equal({
      seconds: parseSeconds('2020-01-01T00:00:00Z'),
      micros: 9,
    });
    expect(() => parseMicroseconds('2020-01-01T00:00:00Z')).to.throw(TimeError);
  });
});

describe('times in messages', () => {
  const compiler = createProtobufCompiler(catalog);
  const lease = compiler.type('coordination.orch.io/v1.LeaseSpec');
  const meta = compiler.type('meta.orch.io/v1.ObjectMeta');
  const hexOf = (bytes: Buffer): string => bytes.toString('hex');

  it('are seconds and nanoseconds, both always written', () => {
    expect(hexOf(lease.encode({ renewTime: '1970-01-01T00:00:01.000002Z' }))).to.equal('2205080110d00f');
    expect(hexOf(meta.encode({ creationTimestamp: '1970-01-01T00:00:05Z' }))).to.include('420408051000');
  });

  it('are an empty message for the zero time', () => {
    expect(hexOf(meta.encode({ creationTimestamp: null }))).to.include('4200');
    expect(meta.decode(Buffer.from('4200', 'hex')).creationTimestamp).to.equal(null);
  });

  const read: readonly (readonly [string, string, string])[] = [
    ['nanoseconds, cut to microseconds', '2205080110e707', '1970-01-01T00:00:01.000000Z'],
    ['nanoseconds of a whole second', '22090801108094ebdc03', '1970-01-01T00:00:02.000000Z'],
    ['seconds alone', '22020801', '1970-01-01T00:00:01.000000Z'],
    ['nanoseconds alone', '220310d00f', '1970-01-01T00:00:00.000002Z'],
    ['fields in another order', '220510d00f0801', '1970-01-01T00:00:01.000002Z'],
  ];
  for (const [title, hex, text] of read) {
    it(`read ${title}`, () => {
      const bytes = Buffer.from(hex, 'hex');
      // The length stands in the second byte.
      bytes[1] = bytes.length - 2;
      expect(lease.decode(bytes).renewTime).to.equal(text);
    });
  }

  it('come back as they were', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: firstSecond + 86_400 * 366, max: lastSecond }),
        fc.nat({ max: 999_999 }),
        (seconds, micros) => {
          const renewTime = `${iso(seconds)}.${String(micros).padStart(6, '0')}Z`;
          fc.pre(renewTime !== '0001-01-01T00:00:00.000000Z');
          expect(lease.decode(lease.encode({ renewTime })).renewTime).to.equal(renewTime);
        },
      ),
    );
  });
});
