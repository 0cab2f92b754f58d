import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalMicroTime,
  canonicalTime,
  formatGoTime,
  formatMicroTime,
  formatTime,
  parseTime,
  TimeError,
} from '../../../../src/machinery/values/index.ts';

const layout = '"2006-01-02T15:04:05Z07:00"';
const microLayout = '"2006-01-02T15:04:05.000000Z07:00"';

/** `2020-01-31T00:00:00Z` with one part replaced. */
const withPart = (part: 'month' | 'day' | 'hour' | 'minute' | 'second', digits: string): string => {
  const parts = { month: '01', day: '31', hour: '00', minute: '00', second: '00', [part]: digits };
  return `2020-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`;
};

describe('canonicalTime', () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['2020-12-31T23:59:59Z', '2020-12-31T23:59:59Z'],
    ['2020-01-01T00:00:00+00:00', '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00-00:00', '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:30:00+01:00', '2019-12-31T23:30:00Z'],
    ['2020-02-28T20:00:00-05:00', '2020-02-29T01:00:00Z'],
    ['2020-01-01T00:00:00+05:45', '2019-12-31T18:15:00Z'],
    ['2020-01-01T00:00:00.5Z', '2020-01-01T00:00:00Z'],
    ['1969-12-31T23:59:59.999999999Z', '1969-12-31T23:59:59Z'],
    ['2020-01-01T00:00:00.123456789123Z', '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00,5Z', '2020-01-01T00:00:00Z'],
    ['2020-01-01T3:00:00Z', '2020-01-01T03:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T00:00:00.5Z', '0001-01-01T00:00:00Z'],
    ['0001-01-01T01:00:00+01:00', null],
    ['0001-01-01T00:00:01Z', '0001-01-01T00:00:01Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    ['0099-03-01T00:00:00Z', '0099-03-01T00:00:00Z'],
  ];
  for (const [text, canonical] of rows) {
    it(`writes ${text} as ${canonical}`, () => expect(canonicalTime(text)).to.equal(canonical));
  }

  // The days that each month has, February in years divided by 4, 100 and 400.
  const lastDays: readonly (readonly [string, number])[] = [
    ['2021-01', 31],
    ['2021-02', 28],
    ['2020-02', 29],
    ['1900-02', 28],
    ['2000-02', 29],
    ['2021-03', 31],
    ['2021-04', 30],
    ['2021-05', 31],
    ['2021-06', 30],
    ['2021-07', 31],
    ['2021-08', 31],
    ['2021-09', 30],
    ['2021-10', 31],
    ['2021-11', 30],
    ['2021-12', 31],
  ];
  for (const [month, last] of lastDays) {
    it(`ends ${month} with day ${last}`, () => {
      const text = `${month}-${last}T12:00:00Z`;
      expect(canonicalTime(text)).to.equal(text);
      const after = `${month}-${last + 1}T12:00:00Z`;
      expect(() => canonicalTime(after)).to.throw(TimeError, `parsing time "${after}": day out of range`);
    });
  }

  it('reads every day alike, however its zone is written', () => {
    const read = (text: string) => {
      try {
        return parseTime(text);
      } catch (error) {
        if (error instanceof TimeError) return undefined;
        throw error;
      }
    };
    const pad = (value: number) => String(value).padStart(2, '0');
    for (const year of [1900, 2000, 2019, 2020]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const text = `${year}-${pad(month)}-${pad(day)}T23:59:59`;
          expect(read(`${text}Z`), text).to.equal(read(`${text}+00:00`));
        }
      }
    }
  });

  it('shows bytes beyond ASCII and those that control something by their numbers', () => {
    expect(() => canonicalTime('2020-é\u0001"')).to.throw(
      TimeError,
      `parsing time "2020-\\xc3\\xa9\\x01\\"" as ${layout}: cannot parse "\\xc3\\xa9\\x01\\"" as "01"`,
    );
  });

  const outOfRange: readonly (readonly ['month' | 'day' | 'hour' | 'minute' | 'second', string])[] = [
    ['month', '00'],
    ['month', '13'],
    ['day', '00'],
    ['day', '32'],
    ['hour', '24'],
    ['minute', '60'],
    ['second', '60'],
  ];
  for (const [part, digits] of outOfRange) {
    it(`refuses ${digits} as ${part}`, () => {
      const text = withPart(part, digits);
      expect(() => canonicalTime(text)).to.throw(TimeError, `parsing time "${text}": ${part} out of range`);
    });
  }

  const unreadable: readonly (readonly [string, string, string])[] = [
    ['x', 'x', '2006'],
    ['202', '202', '2006'],
    // Four letters that begin with a digit, and six with a colon, are gone by the time that they are found wrong.
    ['3:04:05Z', ':05Z', '2006'],
    ['200-01-01', '01-01', '2006'],
    ['x020-01-01', 'x020-01-01', '2006'],
    ['2020-01-01T00:00:00-0x:00', '', 'Z07:00'],
    ['2020-01-01T00:00:00-0700', '-0700', 'Z07:00'],
    ['2020', '', '-'],
    ['2020/01/01', '/01/01', '-'],
    ['2020-1-1', '1-1', '01'],
    ['2020-01-1', '1', '02'],
    ['2020-01-01 00:00:00Z', ' 00:00:00Z', 'T'],
    ['2020-01-01t00:00:00Z', 't00:00:00Z', 'T'],
    ['2020-01-01T00', '', ':'],
    ['2020-01-01T00:00', '', ':'],
    ['2020-01-01T00:00:0', '0', '05'],
    ['2020-01-01T00:00:00', '', 'Z07:00'],
    ['2020-01-01T00:00:00z', 'z', 'Z07:00'],
    ['2020-01-01T00:00:00+0100', '+0100', 'Z07:00'],
    ['2020-01-01T00:00:00+01', '+01', 'Z07:00'],
    ['2020-01-01T00:00:00.Z', '.Z', 'Z07:00'],
    [' 2020-01-01T00:00:00Z', ' 2020-01-01T00:00:00Z', '2006'],
    ['-001-01-01T00:00:00Z', '-001-01-01T00:00:00Z', '2006'],
  ];
  for (const [text, rest, part] of unreadable) {
    it(`refuses ${JSON.stringify(text)} where it stops`, () => {
      const message = `parsing time "${text}" as ${layout}: cannot parse "${rest}" as "${part}"`;
      expect(() => canonicalTime(text))
        .to.throw(TimeError)
        .with.property('message', message);
    });
  }

  it('names what follows a time', () => {
    expect(() => canonicalTime('2020-01-01T00:00:00Z00')).to.throw(
      'parsing time "2020-01-01T00:00:00Z00": extra text: "00"',
    );
  });

  it('refuses what is in another year in UTC when that year has no text', () => {
    const message = 'Time.MarshalJSON: year outside of range [0,9999]';
    for (const read of [canonicalTime, canonicalMicroTime]) {
      const fraction = read === canonicalTime ? '' : '.000000';
      expect(read(`9999-12-31T23:59:59${fraction}+01:00`)).to.equal(`9999-12-31T22:59:59${fraction}Z`);
      expect(read(`0000-01-01T00:00:00${fraction}-01:00`)).to.equal(`0000-01-01T01:00:00${fraction}Z`);
      expect(() => read(`9999-12-31T23:59:59${fraction}-01:00`)).to.throw(TimeError, message);
      expect(() => read(`0000-01-01T00:00:00${fraction}+01:00`)).to.throw(TimeError, message);
    }
  });

  it('means the same moment whatever the offset', () => {
    const moment = fc.integer({ min: -50_000_000_000, max: 250_000_000_000 });
    fc.assert(
      fc.property(moment, fc.integer({ min: -14 * 60, max: 14 * 60 }), (seconds, minutes) => {
        const local = formatTime((seconds + minutes * 60) * 1000).slice(0, 19);
        const size = Math.abs(minutes);
        const two = (value: number): string => String(value).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(canonicalTime(local + offset)).to.equal(formatTime(seconds * 1000));
      }),
    );
  });

  it('answers with text, null or a TimeError, whatever comes', () => {
    const unit = fc.constantFrom('0', '2', '9', '-', 'T', ':', '.', 'Z', '+', '2020-01-01T00:00:00', 'é');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        for (const read of [canonicalTime, canonicalMicroTime]) {
          try {
            const canonical = read(text);
            if (canonical !== null) expect(read(canonical)).to.equal(canonical);
          } catch (error) {
            expect(error).to.be.instanceOf(TimeError);
          }
        }
      }),
    );
  });
});

describe('canonicalMicroTime', () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['2020-01-01T00:00:00.000000Z', '2020-01-01T00:00:00.000000Z'],
    ['2020-01-01T01:00:00.000001+01:00', '2020-01-01T00:00:00.000001Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['2020-01-01T00:00:00,123456Z', '2020-01-01T00:00:00.123456Z'],
    ['0001-01-01T00:00:00.000000Z', null],
    ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ];
  for (const [text, canonical] of rows) {
    it(`writes ${text} as ${canonical}`, () => expect(canonicalMicroTime(text)).to.equal(canonical));
  }

  for (const fraction of ['', '.', '.12345', ';123456', '.12345x']) {
    it(`refuses "${fraction}" for six digits`, () => {
      const text = `2020-01-01T00:00:00${fraction}Z`;
      expect(() => canonicalMicroTime(text))
        .to.throw(TimeError)
        .with.property(
          'message',
          `parsing time "${text}" as ${microLayout}: cannot parse "${fraction}Z" as ".000000"`,
        );
    });
  }
});

describe('parseTime, formatTime and formatMicroTime', () => {
  const rows: readonly (readonly [string, number])[] = [
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00.001Z', 1],
    ['1970-01-01T00:00:00.0019Z', 1],
    ['1970-01-01T00:00:00.5Z', 500],
    ['1969-12-31T23:59:59.999Z', -1],
    ['1970-01-01T00:00:00-01:00', 3_600_000],
    ['2001-09-09T01:46:40Z', 1_000_000_000_000],
  ];
  for (const [text, epochMs] of rows) {
    it(`counts ${epochMs} ms to ${text}`, () => expect(parseTime(text)).to.equal(epochMs));
  }

  it('cut what is finer than a second, also before 1970', () => {
    expect(formatTime(1999)).to.equal('1970-01-01T00:00:01Z');
    expect(formatTime(-1)).to.equal('1969-12-31T23:59:59Z');
    expect(formatMicroTime(-1)).to.equal('1969-12-31T23:59:59.999000Z');
  });

  it('agree on every millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_000_000_000_000, max: 253_000_000_000_000 }), (epochMs) => {
        const text = formatMicroTime(epochMs);
        expect(canonicalMicroTime(text)).to.equal(text);
        expect(parseTime(text)).to.equal(epochMs);
        expect(canonicalTime(text)).to.equal(formatTime(epochMs));
      }),
    );
  });
});

describe('formatGoTime', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['2020-01-02T03:04:05Z', '2020-01-02 03:04:05 +0000 UTC'],
    ['2020-01-02T03:04:05.123456789Z', '2020-01-02 03:04:05.123456789 +0000 UTC'],
    ['2020-01-02T03:04:05.1234567891Z', '2020-01-02 03:04:05.123456789 +0000 UTC'],
    ['2020-01-02T03:04:05.500Z', '2020-01-02 03:04:05.5 +0000 UTC'],
    ['2020-01-02T03:04:05,000+01:00', '2020-01-02 02:04:05 +0000 UTC'],
  ];
  for (const [text, shown] of rows) {
    it(`shows ${text} as ${shown}`, () => expect(formatGoTime(text)).to.equal(shown));
  }
});

describe('a number out of range', () => {
  it('is told as soon as it is read, but for days', () => {
    expect(() => canonicalMicroTime('2020-13-02T03:04:05Z')).to.throw(
      TimeError,
      /^parsing time "2020-13-02T03:04:05Z": month out of range$/,
    );
    expect(() => canonicalMicroTime('2020-02-30T03:04:05Z')).to.throw(
      TimeError,
      'cannot parse "Z" as ".000000"',
    );
    expect(() => canonicalTime('2020-02-30T24:04:05Z')).to.throw(TimeError, /: hour out of range$/);
  });

  it('leaves text after the time to be told first', () => {
    expect(() => canonicalTime('2020-02-03T04:05:06Zx')).to.throw(TimeError, /: extra text: "x"$/);
  });
});
