import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { serverUser } from '../registry/index.ts';
import type { Authenticator } from '../server/authentication/index.ts';

/** How parts of this process prove to the API that they are the server itself. */
export interface LoopbackAccess {
  /** Known to this process only, and new in each. */
  readonly token: string;
  readonly authenticator: Authenticator;
}

/** Makes a bearer token of 256 random bits and the authenticator that knows it. */
export function createLoopbackAccess(): LoopbackAccess {
  const token = randomBytes(32).toString('base64url');
  const expected = Buffer.from(`Bearer ${token}`);
  return {
    token,
    authenticator: {
      authenticate({ headers: { authorization }, socket }) {
        // What comes from outside comes encrypted: there the token is nobody's.
        if (authorization === undefined || (socket as Partial<TLSSocket>).encrypted === true)
          return undefined;
        return isSame(Buffer.from(authorization), expected) ? serverUser : undefined;
      },
    },
  };
}

/** All tokens have one length, so that only what no token can be is refused sooner. */
const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);
