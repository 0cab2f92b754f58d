import { expect } from 'chai';
import { parseCronSchedule } from '../../../../src/apis/batch/index.ts';
import { formatRfc1123, nextTime, type ZoneOffset } from '../../../../src/controllers/cron-job/next-time.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const utc: ZoneOffset = () => 0;
const isoOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().replace('.000', '');
const timesOf = (schedule: string, after: string, count: number, zone = utc): (string | undefined)[] => {
  const times: (string | undefined)[] = [];
  let at: number | undefined = Date.parse(after);
  for (let time = 0; time < count && at !== undefined; time++) {
    at = nextTime(parseCronSchedule(schedule), at, zone);
    times.push(isoOf(at));
  }
  return times;
};

/** The offset of a named zone. */
function zoneOf(timeZone: string): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  return (atMs) => {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
  };
}

describe('the next time of a schedule', () => {
  const cases: [string, string, string | undefined][] = [
    ['* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
    ['* * * * *', '2026-01-01T00:00:59Z', '2026-01-01T00:01:00Z'],
    ['*/15 * * * *', '2026-01-01T00:46:10Z', '2026-01-01T01:00:00Z'],
    ['5/20 * * * *', '2026-01-01T00:26:00Z', '2026-01-01T00:45:00Z'],
    ['10-12 * * * *', '2026-01-01T00:12:00Z', '2026-01-01T01:10:00Z'],
    ['0 9-17/4 * * *', '2026-01-01T13:00:00Z', '2026-01-01T17:00:00Z'],
    ['30 4 1,15 * *', '2026-01-02T00:00:00Z', '2026-01-15T04:30:00Z'],
    ['0 0 * * MON', '2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z'],
    ['0 0 13 * fri', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00Z'],
    ['0 0 13 * *', '2026-01-13T00:00:00Z', '2026-02-13T00:00:00Z'],
    // A star with a step is still a star: both days must fit.
    ['0 0 */10 * mon', '2026-01-01T00:00:00Z', '2026-05-11T00:00:00Z'],
    ['0 0 1 jan,Jul *', '2026-02-01T00:00:00Z', '2026-07-01T00:00:00Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 31 2 *', '2026-01-01T00:00:00Z', undefined],
    [', * * * *', '2026-01-01T00:00:00Z', undefined],
    ['@hourly', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'],
    ['@daily', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00Z'],
    ['@monthly', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['@yearly', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['@every 90s', '2026-01-01T00:00:10Z', '2026-01-01T00:01:40Z'],
    ['@every 1500ms', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
    ['@every 0.2s', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
    ['@every -5m', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
  ];
  for (const [schedule, after, expected] of cases) {
    it(`of ${schedule} after ${after}`, () => {
      expect(timesOf(schedule, after, 1)[0]).to.equal(expected);
    });
  }

  it('is meant in the zone, and leaves out what its clock skips', () => {
    const zone = zoneOf('America/New_York');
    expect(timesOf('30 2 * * *', '2026-03-07T00:00:00Z', 2, zone)).to.deep.equal([
      '2026-03-07T07:30:00Z',
      '2026-03-09T06:30:00Z',
    ]);
  });

  it('comes twice when the clock of the zone repeats it', () => {
    const zone = zoneOf('America/New_York');
    expect(timesOf('30 1 * * *', '2026-11-01T00:00:00Z', 3, zone)).to.deep.equal([
      '2026-11-01T05:30:00Z',
      '2026-11-01T06:30:00Z',
      '2026-11-02T06:30:00Z',
    ]);
  });

  it('of a day whose midnight is skipped is later that day', () => {
    const zone = zoneOf('America/Sao_Paulo');
    expect(timesOf('0 * 4 11 *', '2018-11-03T12:00:00Z', 2, zone)).to.deep.equal([
      '2018-11-04T03:00:00Z',
      '2018-11-04T04:00:00Z',
    ]);
  });

  it('is one that fits, and nothing between fits as well', () => {
    const random = createRandomSource(testSeed);
    const field = (low: number, high: number): string => {
      const value = () => low + random.below(high - low + 1);
      const [a, b] = [value(), value()].sort((x, y) => x - y);
      return random.pick(['*', String(a), `${a}-${b}`, `*/${1 + random.below(9)}`, `${a},${b}`]);
    };
    for (let round = 0; round < 100; round++) {
      const text = `${field(0, 59)} ${field(0, 23)} ${field(1, 28)} ${field(1, 12)} ${field(0, 6)}`;
      const schedule = parseCronSchedule(text);
      if (schedule.kind !== 'fields') throw new Error('five fields were given');
      const fits = (at: Date): boolean => {
        const day = schedule.daysOfMonth.has(at.getUTCDate());
        const weekday = schedule.daysOfWeek.has(at.getUTCDay());
        return (
          schedule.minutes.has(at.getUTCMinutes()) &&
          schedule.hours.has(at.getUTCHours()) &&
          schedule.months.has(at.getUTCMonth() + 1) &&
          (schedule.isEitherDay ? day || weekday : day && weekday)
        );
      };
      const afterMs = Date.UTC(
        2026,
        random.below(12),
        1 + random.below(28),
        random.below(24),
        random.below(60),
      );
      const next = nextTime(schedule, afterMs, utc) ?? Number.NaN;
      expect(fits(new Date(next)), text).to.equal(true);
      const limit = Math.min(next, afterMs + 86_400_000);
      for (let at = afterMs + 60_000; at < limit; at += 60_000)
        expect(fits(new Date(at)), text).to.equal(false);
    }
  });

  it('is told with its zone', () => {
    const ms = Date.parse('2026-01-05T04:05:06Z');
    expect(formatRfc1123(ms, utc)).to.equal('Mon, 05 Jan 2026 04:05:06 +0000');
    expect(formatRfc1123(ms, zoneOf('America/New_York'))).to.equal('Sun, 04 Jan 2026 23:05:06 -0500');
    expect(formatRfc1123(ms, zoneOf('Asia/Kolkata'))).to.equal('Mon, 05 Jan 2026 09:35:06 +0530');
  });
});
