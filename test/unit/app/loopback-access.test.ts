import { expect } from 'chai';
import { createLoopbackAccess } from '../../../src/app/loopback-access.ts';
import type { AnyRequest } from '../../../src/net/http/index.ts';

const requestWith = (authorization: string | undefined, socket: object): AnyRequest =>
  ({ headers: { authorization }, socket }) as unknown as AnyRequest;

describe('createLoopbackAccess', () => {
  const { token, authenticator } = createLoopbackAccess();

  it('knows its token on a connection inside the process', () => {
    expect(authenticator.authenticate(requestWith(`Bearer ${token}`, {}))).to.include({
      name: 'system:apiserver',
    });
  });

  it('does not know its token on a connection from outside', () => {
    expect(authenticator.authenticate(requestWith(`Bearer ${token}`, { encrypted: true }))).to.equal(
      undefined,
    );
  });

  for (const authorization of [undefined, 'Bearer ', 'Bearer wrong', `Basic ${token}`]) {
    it(`does not know ${authorization === undefined ? 'no header' : authorization.slice(0, 12)}`, () => {
      expect(authenticator.authenticate(requestWith(authorization, {}))).to.equal(undefined);
    });
  }

  it('makes another token each time', () => {
    expect(createLoopbackAccess().token).not.to.equal(token);
  });
});
