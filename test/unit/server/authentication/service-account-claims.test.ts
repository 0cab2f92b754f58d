import { expect } from 'chai';
import fc from 'fast-check';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import {
  decodeClaims,
  encodeClaims,
  type ServiceAccountClaims,
  userOf,
} from '../../../../src/server/authentication/service-account-claims.ts';

const reference = fc.record({ name: fc.string(), uid: fc.string() });
const seconds = fc.nat();
const claimsArbitrary: fc.Arbitrary<ServiceAccountClaims> = fc.record({
  issuer: fc.string(),
  audiences: fc.array(fc.string()),
  issuedAt: seconds,
  notBefore: seconds,
  expiry: seconds,
  namespace: fc.string(),
  serviceAccount: reference,
  pod: fc.option(reference, { nil: undefined }),
  secret: fc.option(reference, { nil: undefined }),
  warnAfter: fc.option(seconds, { nil: undefined }),
});

describe('decodeClaims', () => {
  for (const name of ['orch', 'kubernetes'] as const) {
    const dialect = createDialect(name);

    it(`reads what encodeClaims writes in the ${name} dialect`, () => {
      fc.assert(
        fc.property(claimsArbitrary, (claims) => {
          const payload = JSON.parse(JSON.stringify(encodeClaims(claims, dialect))) as Record<
            string,
            unknown
          >;
          expect(decodeClaims(payload, dialect)).to.deep.equal(claims);
        }),
      );
    });

    it(`spells claims and extra values as the ${name} dialect does`, () => {
      const [claims] = fc.sample(claimsArbitrary, { numRuns: 1, seed: 1 });
      if (claims === undefined) throw new Error('no sample');
      const pod = { name: 'p', uid: 'u' };
      expect(encodeClaims(claims, dialect)).to.have.property(dialect.spell('orch.io'));
      expect(Object.keys(userOf({ ...claims, pod }, dialect).extra)).to.deep.equal([
        dialect.domain('authentication', 'pod-name'),
        dialect.domain('authentication', 'pod-uid'),
      ]);
    });
  }

  it('survives any JSON', () => {
    const dialect = createDialect('orch');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (payload, own) => {
        const result = decodeClaims({ iss: 'x', ...payload, 'orch.io': own }, dialect);
        if (result !== undefined) expect(result.serviceAccount.name).to.be.a('string');
      }),
    );
  });

  it('reads one audience as a list, and times that are no numbers as never valid', () => {
    const own = { namespace: 'n', serviceaccount: { name: 'a', uid: 'u' } };
    const claims = decodeClaims({ iss: 'x', aud: 'one', exp: 'soon', 'orch.io': own }, createDialect('orch'));
    expect(claims?.audiences).to.deep.equal(['one']);
    expect(claims?.expiry).to.be.NaN;
  });
});
