import { expect } from 'chai';
import { createLoopbackAccess } from '../../../src/app/loopback-access.ts';
import type { Authenticator } from '../../../src/server/index.ts';

/** A request as far as this authenticator looks at it. */
function requestWith(authorization?: string): Parameters<Authenticator['authenticate']>[0] {
  return { headers: { authorization } } as Parameters<Authenticator['authenticate']>[0];
}

describe('createLoopbackAccess', () => {
  it('knows the bearer of its token as the server itself', () => {
    const { token, authenticator } = createLoopbackAccess();
    expect(authenticator.authenticate(requestWith(`Bearer ${token}`))).to.deep.include({
      name: 'system:apiserver',
      groups: ['system:masters'],
    });
  });

  for (const [what, header] of [
    ['no credentials', undefined],
    ['an empty token', 'Bearer '],
    ['another token', `Bearer ${'a'.repeat(43)}`],
    ['the token of another process', `Bearer ${createLoopbackAccess().token}`],
  ] as const) {
    it(`does not know ${what}`, () => {
      expect(createLoopbackAccess().authenticator.authenticate(requestWith(header))).to.equal(undefined);
    });
  }
});
