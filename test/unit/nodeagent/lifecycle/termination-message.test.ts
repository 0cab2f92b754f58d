import { expect } from 'chai';
import { tailOf } from '../../../../src/nodeagent/lifecycle/termination-message.ts';

const at = '2026-01-01T00:00:00.000000000Z';

describe('tailOf', () => {
  const cases: readonly [string, string, { lines: number; bytes: number }, string][] = [
    [
      'gives both streams in their order',
      `${at} stdout F a\n${at} stderr F b\n`,
      { lines: 9, bytes: 99 },
      'a\nb\n',
    ],
    ['joins parts of a line', `${at} stdout P ab\n${at} stdout F c\n`, { lines: 9, bytes: 99 }, 'abc\n'],
    [
      'gives the last lines',
      `${at} stdout F a\n${at} stdout F b\n${at} stdout F c\n`,
      { lines: 2, bytes: 99 },
      'b\nc\n',
    ],
    ['gives the last bytes', `${at} stdout F abcdef\n`, { lines: 9, bytes: 4 }, 'def\n'],
    [
      'leaves out what is no line of a log',
      `tdout F x\n${at} stdout F a\nnonsense`,
      { lines: 9, bytes: 99 },
      'a\n',
    ],
    ['gives nothing of nothing', '', { lines: 9, bytes: 99 }, ''],
  ];
  for (const [what, log, bounds, expected] of cases) {
    it(what, () => expect(tailOf(log, bounds)).to.equal(expected));
  }
});
