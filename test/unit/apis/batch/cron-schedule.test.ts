import { expect } from 'chai';
import { parseCronSchedule, scheduleProblem } from '../../../../src/apis/batch/cron-schedule.ts';

const fine = [
  '*/5 * * * *',
  '@daily',
  '0 0 * * MON',
  '?  * * * *',
  '59 23 31 12 6',
  '0 0 1 1 0',
  '0-59/15 * * jan-dec sun-sat',
];
const wrong: readonly (readonly [schedule: string, problem: string])[] = [
  ['@bogus', 'Unrecognized descriptor: @bogus'],
  ['@reboot', 'Unrecognized descriptor: @reboot'],
  ['* * * *', 'Expected exactly 5 fields, found 4: * * * *'],
  ['* * * * * *', 'Expected exactly 5 fields, found 6: * * * * * *'],
  [' ', 'Expected exactly 5 fields, found 0:  '],
  ['60 * * * *', 'End of range (60) above maximum (59): 60'],
  ['* 24 * * *', 'End of range (24) above maximum (23): 24'],
  ['0 0 0 * *', 'Beginning of range (0) below minimum (1): 0'],
  ['0 0 32 * *', 'End of range (32) above maximum (31): 32'],
  ['0 0 1 0 *', 'Beginning of range (0) below minimum (1): 0'],
  ['0 0 1 13 *', 'End of range (13) above maximum (12): 13'],
  ['0 0 * * 7', 'End of range (7) above maximum (6): 7'],
];

describe('scheduleProblem', () => {
  for (const schedule of fine)
    it(`finds nothing wrong with ${schedule}`, () => expect(scheduleProblem(schedule)).to.equal(undefined));
  for (const [schedule, problem] of wrong)
    it(`says what is wrong with "${schedule}"`, () => expect(scheduleProblem(schedule)).to.equal(problem));
});

describe('parseCronSchedule', () => {
  const minutesOf = (text: string): number[] => {
    const schedule = parseCronSchedule(`${text} * * * *`);
    return schedule.kind === 'fields' ? [...schedule.minutes].sort((a, b) => a - b) : [];
  };
  const cases: readonly (readonly [text: string, minutes: number[]])[] = [
    ['7', [7]],
    ['1,3-5', [1, 3, 4, 5]],
    ['*/20', [0, 20, 40]],
    ['50/4', [50, 54, 58]],
    ['5-15/5,5-15/5', [5, 10, 15]],
    ['3/1000', [3]],
    [',', []],
  ];
  for (const [text, minutes] of cases) {
    it(`reads the minutes ${text}`, () => expect(minutesOf(text)).to.deep.equal(minutes));
  }

  it('takes either day where both are given, and the common ones otherwise', () => {
    const isEither = (text: string) => {
      const schedule = parseCronSchedule(text);
      return schedule.kind === 'fields' && schedule.isEitherDay;
    };
    const texts = ['0 0 1 * mon', '0 0 * * mon', '0 0 1 * ?', '0 0 */2 * mon', '0 0 1,* * mon', '@weekly'];
    expect(texts.map(isEither)).to.deep.equal([true, false, false, false, false, false]);
  });

  it('reads whole seconds, at least one, between times', () => {
    const delays = ['@every 1h30m', '@every 1999ms', '@every 5ns', '@every -1h'].map(parseCronSchedule);
    expect(delays).to.deep.equal([5400, 1, 1, 1].map((delaySeconds) => ({ kind: 'every', delaySeconds })));
  });

  it('does not mind a range that comes a million times', () => {
    expect(minutesOf('*,'.repeat(700_000))).to.have.lengthOf(60);
  }).timeout(10_000);
});
