import { expect } from 'chai';
import { agentOptions } from '../../../../src/nodeagent/options/index.ts';

describe('effects of options', () => {
  it('are told with the test that shows them, or with the reason why there are none', () => {
    for (const { flag, key, effect, test, noEffect } of agentOptions) {
      const told = [effect, test, noEffect].map((text) => text !== undefined && text !== '');
      expect(told, flag ?? key).to.deep.equal(
        effect === undefined ? [false, false, true] : [true, true, false],
      );
    }
  });
});
