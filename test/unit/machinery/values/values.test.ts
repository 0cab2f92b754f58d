import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalMicroTime,
  canonicalTime,
  formatDuration,
  formatMicroTime,
  formatTime,
  parseDuration,
  parseTime,
  scaleIntOrString,
} from '../../../../src/machinery/values/index.ts';

const reject = (run: () => unknown, message: string): void => {
  expect(run).to.throw(Error, message);
};

describe('canonicalTime', () => {
  it('cuts fractions, moves to UTC, and gives null for the zero time', () => {
    expect(canonicalTime('2020-01-01T01:00:00+01:00')).to.equal('2020-01-01T00:00:00Z');
    expect(canonicalTime('2020-02-29T00:00:00.999Z')).to.equal('2020-02-29T00:00:00Z');
    expect(canonicalTime('0001-01-01T00:00:00Z')).to.equal(null);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2020-01-01', 'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2021-02-29T00:00:00Z', 'parsing time "2021-02-29T00:00:00Z": day out of range'],
    ['2021-02-01T24:00:00Z', 'parsing time "2021-02-01T24:00:00Z": hour out of range'],
    ['2021-02-01T00:00:00Zx', 'parsing time "2021-02-01T00:00:00Zx": extra text: x'],
  ];
  for (const [text, message] of wrong) {
    it(`refuses ${JSON.stringify(text)}`, () => reject(() => canonicalTime(text), message));
  }

  it('reads back what formatTime writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_000_000_000, max: 253_000_000_000 }), (seconds) => {
        const text = formatTime(seconds * 1000);
        expect(canonicalTime(text)).to.equal(text);
        expect(parseTime(text)).to.equal(seconds * 1000);
      }),
    );
  });
});

describe('canonicalMicroTime', () => {
  it('wants exactly six digits', () => {
    expect(canonicalMicroTime('2020-01-01T00:00:00.123456Z')).to.equal('2020-01-01T00:00:00.123456Z');
    expect(canonicalMicroTime(formatMicroTime(5))).to.equal('1970-01-01T00:00:00.005000Z');
    const layout = '"2006-01-02T15:04:05.000000Z07:00"';
    reject(() => canonicalMicroTime('2020-01-01T00:00:00.1Z'), `${layout}: cannot parse ".1Z" as ".000000"`);
    reject(() => canonicalMicroTime('2020-01-01T00:00:00.123456789Z'), 'cannot parse "789Z" as "Z07:00"');
  });
});

describe('parseDuration', () => {
  const table: readonly (readonly [string, string])[] = [
    ['1h2m3.5s', '1h2m3.5s'],
    ['90m', '1h30m0s'],
    ['-1.5h', '-1h30m0s'],
    ['300ms', '300ms'],
    ['1500us', '1.5ms'],
    ['0', '0s'],
    ['.5s', '500ms'],
    ['7ns', '7ns'],
  ];
  for (const [text, canonical] of table) {
    it(`reads ${text}`, () => expect(formatDuration(parseDuration(text))).to.equal(canonical));
  }

  for (const text of ['', '1', 's', '1x', '1h 2m', '-', '99999999999h', '1hasOwnProperty']) {
    it(`refuses ${JSON.stringify(text)}`, () => reject(() => parseDuration(text), 'time: '));
  }

  it('reads back what formatDuration writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (nanos) => {
        expect(parseDuration(formatDuration(nanos))).to.equal(nanos);
      }),
    );
  });
});

describe('scaleIntOrString', () => {
  it('takes numbers as they are and percentages of the total', () => {
    expect(scaleIntOrString(3, 10, 'up')).to.equal(3);
    expect(scaleIntOrString('25%', 10, 'up')).to.equal(3);
    expect(scaleIntOrString('25%', 10, 'down')).to.equal(2);
    expect(scaleIntOrString('25', 10, 'up')).to.equal(undefined);
  });
});
