import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
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
  const expected = digest(`Bearer ${token}`);
  return {
    token,
    authenticator: {
      authenticate({ headers: { authorization }, socket }) {
        // What comes from outside comes encrypted: there the token is nobody's.
        if (authorization === undefined || (socket as Partial<TLSSocket>).encrypted === true)
          return undefined;
        return timingSafeEqual(digest(authorization), expected) ? serverUser : undefined;
      },
    },
  };
}

/** Of fixed length, so that the time of a comparison tells nothing of the token. */
const digest = (header: string): Buffer => hash('sha256', header, 'buffer');
