import { expect } from 'chai';
import { describe, it } from 'mocha';
import { highestVersion, isLowerVersion } from '../../../../src/nodeagent/csi/driver-version.ts';

const textOf = (run: () => string): string => {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
};

describe('highestVersion', () => {
  const none = 'Error: could not find a highest supported version from versions';
  const cases: readonly (readonly [given: readonly string[], result: string])[] = [
    [['1.0.0'], '1.0.0'],
    [['1.0.0', '1.10.0', '1.2.0'], '1.10.0'],
    [['v1'], '1'],
    [['0.3.0', '1.1.0', '2.0.0'], '1.1.0'],
    [['0.3.0'], 'Error: highest supported version reported by driver is 0.3.0, must be v1.x'],
    [['2.0.0'], `${none} ([2.0.0]) reported by this driver: <nil>`],
    [['new', '1.0'], '1.0'],
    [['new'], `${none} ([new]) reported by this driver: could not parse "new" as version`],
    [[], 'Error: CSI driver reporting empty array for supported versions'],
  ];
  for (const [given, result] of cases) {
    it(`of [${given}] is ${result}`, () => expect(textOf(() => highestVersion(given))).to.equal(result));
  }
});

describe('isLowerVersion', () => {
  it('compares numbers, not letters', () => {
    expect(isLowerVersion('1.2.0', '1.10')).to.equal(true);
    expect(isLowerVersion('1.10', '1.2.0')).to.equal(false);
    expect(isLowerVersion('1.0', '1.0.0')).to.equal(false);
  });
});
