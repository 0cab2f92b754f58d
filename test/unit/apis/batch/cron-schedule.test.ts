import { expect } from 'chai';
import { scheduleProblem } from '../../../../src/apis/batch/cron-schedule.ts';

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
