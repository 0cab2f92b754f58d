import { expect } from 'chai';
import fc from 'fast-check';
import { parsePercent, scaleIntOrString } from '../../../../src/machinery/values/index.ts';

describe('parsePercent', () => {
  const rows: readonly (readonly [string, number | undefined])[] = [
    ['25%', 25],
    ['0%', 0],
    ['100%', 100],
    ['250%', 250],
    ['007%', 7],
    ['-5%', -5],
    ['+5%', 5],
    ['25', undefined],
    ['%', undefined],
    ['', undefined],
    ['2.5%', undefined],
    ['25 %', undefined],
    ['25%%', undefined],
    ['25%\n', undefined],
    ['1e1%', undefined],
    ['http', undefined],
  ];
  for (const [text, wanted] of rows) {
    it(`of ${JSON.stringify(text)} is ${wanted}`, () => expect(parsePercent(text)).to.equal(wanted));
  }
});

describe('scaleIntOrString', () => {
  const rows: readonly (readonly [number | string, number, number, number])[] = [
    // Value, total, rounded up, rounded down: what `maxSurge` and `maxUnavailable` mean.
    [0, 10, 0, 0],
    [7, 10, 7, 7],
    [12, 10, 12, 12],
    ['0%', 10, 0, 0],
    ['25%', 10, 3, 2],
    ['25%', 4, 1, 1],
    ['25%', 1, 1, 0],
    ['1%', 1, 1, 0],
    ['99%', 1, 1, 0],
    ['100%', 7, 7, 7],
    ['150%', 3, 5, 4],
    ['50%', 0, 0, 0],
    ['33%', 100, 33, 33],
    // 29 * 100 / 100 must not become 28.999...
    ['29%', 100, 29, 29],
  ];
  for (const [value, total, up, down] of rows) {
    it(`makes ${up} and ${down} of ${value} of ${total}`, () => {
      expect(scaleIntOrString(value, total, 'up')).to.equal(up);
      expect(scaleIntOrString(value, total, 'down')).to.equal(down);
    });
  }

  for (const text of ['', 'http', '5', '5%5', '0x5%']) {
    it(`knows no amount for "${text}"`, () => {
      expect(scaleIntOrString(text, 10, 'up')).to.equal(undefined);
    });
  }

  it('rounds to whole numbers that enclose the exact part, at most one apart', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.nat({ max: 100_000 }), (percent, total) => {
        const up = scaleIntOrString(`${percent}%`, total, 'up') ?? -1;
        const down = scaleIntOrString(`${percent}%`, total, 'down') ?? -1;
        const hundredths = percent * total;
        expect(down * 100).to.be.at.most(hundredths);
        expect(up * 100).to.be.at.least(hundredths);
        expect(up - down).to.equal(hundredths % 100 === 0 ? 0 : 1);
      }),
    );
  });
});
