import { expect } from 'chai';
import { formatGoTime, formatLocalTime } from '../../../../src/ctl/describe/times.ts';

describe('times of descriptions', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  for (const [place, laidOut, plain] of [
    ['UTC', 'Mon, 23 Nov 2020 07:05:09 +0000', '2020-11-23 07:05:09 +0000 UTC'],
    ['Europe/Berlin', 'Mon, 23 Nov 2020 08:05:09 +0100', '2020-11-23 08:05:09 +0100 CET'],
    ['America/New_York', 'Mon, 23 Nov 2020 02:05:09 -0500', '2020-11-23 02:05:09 -0500 EST'],
    ['Asia/Kolkata', 'Mon, 23 Nov 2020 12:35:09 +0530', '2020-11-23 12:35:09 +0530 IST'],
  ] as const) {
    it(`are those of ${place} there`, () => {
      process.env.TZ = place;
      expect(formatLocalTime('2020-11-23T07:05:09Z')).to.equal(laidOut);
      expect(formatGoTime('2020-11-23T07:05:09Z')).to.equal(plain);
    });
  }

  it('are the first of all years where none is set', () => {
    expect(formatLocalTime(undefined)).to.equal('Mon, 01 Jan 0001 00:00:00 +0000');
    expect(formatGoTime(null)).to.equal('0001-01-01 00:00:00 +0000 UTC');
  });
});
