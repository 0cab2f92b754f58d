import { expect } from 'chai';
import fc from 'fast-check';
import { decideSignatures, signDetached } from '../../../../src/controllers/bootstrap/sign-cluster-info.ts';

const keys = { content: 'config', signaturePrefix: 'jws-' };
const anyData = fc.dictionary(
  fc.constantFrom('config', 'jws-aaaaaa', 'jws-bbbbbb', 'mine'),
  fc.constantFrom('', 'x', 'y'),
);
const anyTokens = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('aaaaaa', 'bbbbbb', 'cccccc'), secret: fc.constantFrom('s', 't') }),
  { selector: ({ id }) => id },
);

describe('the signatures of any cluster information', () => {
  it('are written once, one for each token, and change nothing else', () => {
    fc.assert(
      fc.property(anyData, anyTokens, (data, tokens) => {
        const signed = decideSignatures(data, tokens, keys);
        if (data.config === undefined) {
          expect(signed).to.equal(undefined);
          return;
        }
        const after = signed ?? data;
        expect(decideSignatures(after, tokens, keys)).to.equal(undefined);
        expect(decideSignatures(after, tokens.toReversed(), keys)).to.equal(undefined);
        expect([after.config, after.mine]).to.deep.equal([data.config, data.mine]);
        const signatures = Object.keys(after).filter((key) => key.startsWith('jws-'));
        expect(signatures).to.have.members(tokens.map(({ id }) => `jws-${id}`));
        for (const token of tokens) {
          expect(after[`jws-${token.id}`]).to.equal(signDetached(data.config, token));
        }
      }),
    );
  });
});
