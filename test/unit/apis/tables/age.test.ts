import { expect } from 'chai';
import { ageSince, formatAge } from '../../../../src/apis/tables/index.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('formatAge', () => {
  for (const [durationMs, text] of [
    [-2 * second, '<invalid>'],
    [-1999, '0s'],
    [-500, '0s'],
    [0, '0s'],
    [999, '0s'],
    [119 * second, '119s'],
    [120 * second, '2m'],
    [2 * minute + 3 * second, '2m3s'],
    [9 * minute + 59 * second, '9m59s'],
    [10 * minute + 5 * second, '10m'],
    [179 * minute, '179m'],
    [180 * minute, '3h'],
    [3 * hour + 5 * minute, '3h5m'],
    [8 * hour + 5 * minute, '8h'],
    [47 * hour, '47h'],
    [48 * hour, '2d'],
    [50 * hour, '2d2h'],
    [8 * day, '8d'],
    [2 * year - hour, '729d'],
    [2 * year, '2y'],
    [2 * year + 3 * day, '2y3d'],
    [8 * year + 3 * day, '8y'],
  ] as const) {
    it(`writes ${durationMs} ms as ${text}`, () => {
      // -1999 ms is truncated to -1 s, which counts as clock difference.
      expect(formatAge(durationMs)).to.equal(text);
    });
  }
});

describe('ageSince', () => {
  it('counts from a time stamp', () => {
    expect(ageSince('2021-01-01T00:00:00Z', Date.UTC(2021, 0, 1, 0, 0, 5))).to.equal('5s');
    expect(ageSince('2021-01-01T00:00:00.250000Z', Date.UTC(2021, 0, 1, 0, 0, 5))).to.equal('4s');
  });

  it('does not know the age without one', () => {
    expect(ageSince(undefined, 0)).to.equal('<unknown>');
    expect(ageSince(null, 0)).to.equal('<unknown>');
  });
});
