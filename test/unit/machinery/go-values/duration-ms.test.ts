import { expect } from 'chai';
import fc from 'fast-check';
import {
  DurationError,
  formatDurationMs,
  parseDurationMs,
} from '../../../../src/machinery/go-values/index.ts';

describe('parseDurationMs', () => {
  const known: readonly (readonly [text: string, durationMs: number | undefined])[] = [
    ['0', 0],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1m0s', 60_000],
    ['100ms', 100],
    ['1.5s', 1500],
    ['.5s', 500],
    ['-2s', -2000],
    ['250us', 0.25],
    ['5', undefined],
    ['', undefined],
    ['-', undefined],
    ['s', undefined],
    ['1d', undefined],
    ['1s ', undefined],
    ['1e3s', undefined],
  ];
  for (const [text, durationMs] of known) {
    it(`reads ${JSON.stringify(text)} as ${durationMs}`, () => {
      if (durationMs === undefined) expect(() => parseDurationMs(text)).to.throw(DurationError);
      else expect(parseDurationMs(text)).to.equal(durationMs);
    });
  }

  it('answers at once for long nonsense', () => {
    expect(() => parseDurationMs('1s'.repeat(100_000).concat('x'))).to.throw(DurationError);
  });
});

describe('formatDurationMs', () => {
  for (const [durationMs, text] of [
    [0, '0s'],
    [60_000, '1m0s'],
    [3_600_000, '1h0m0s'],
    [5_430_500, '1h30m30.5s'],
    [100, '100ms'],
    [-1500, '-1.5s'],
  ] as const) {
    it(`writes ${durationMs} as ${text}`, () => {
      expect(formatDurationMs(durationMs)).to.equal(text);
    });
  }

  it('writes what parseDurationMs reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (durationMs) => {
        expect(parseDurationMs(formatDurationMs(durationMs))).to.be.closeTo(durationMs, 1e-3);
      }),
    );
  });
});
