import type { Dialect } from '../../machinery/dialect.ts';
import { encodeClaims, type ServiceAccountClaims } from './service-account-claims.ts';
import type { TokenSigningKey } from './service-account-keys.ts';

/**
 * A request for exactly this lifetime comes from a projected volume (release 1.20); its token may be valid longer while
 * clients adapt.
 */
const extendableSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

/** What issued tokens say and how long they may hold. */
export interface TokenIssuerOptions {
  readonly dialect: Dialect;
  /** Value of `--service-account-issuer`. */
  readonly issuer: string;
  /** Audiences of the API itself: what a request without audiences gets. */
  readonly audiences: readonly string[];
  readonly signingKey: TokenSigningKey;
  readonly nowMs: () => number;
  /** Longest lifetime in seconds (`--service-account-max-token-expiration`); no limit when left out. */
  readonly maxExpirationSeconds?: number | undefined;
  /** Lets tokens of pods outlive the lifetime asked for (`--service-account-extend-token-expiration`). */
  readonly extendsExpiration?: boolean | undefined;
}

/** What a token is asked for. */
export type TokenOrder = Pick<ServiceAccountClaims, 'namespace' | 'serviceAccount' | 'pod' | 'secret'> & {
  /** Empty means the API's own. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
};

/** A token, and what was granted. */
export interface IssuedToken {
  readonly token: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** End of the granted lifetime. */
  readonly expiresAtMs: number;
}

/** Signs tokens of service accounts. */
export class TokenIssuer {
  readonly #options: TokenIssuerOptions;

  constructor(options: TokenIssuerOptions) {
    this.#options = options;
  }

  async issue(order: TokenOrder): Promise<IssuedToken> {
    const { issuer, nowMs, maxExpirationSeconds = 0 } = this.#options;
    const { expirationSeconds: asked, ...bound } = order;
    const expirationSeconds = maxExpirationSeconds > 0 ? Math.min(asked, maxExpirationSeconds) : asked;
    const audiences = order.audiences.length > 0 ? order.audiences : this.#options.audiences;
    const isExtended = this.#isExtended(order, expirationSeconds);
    const issuedAt = Math.floor(nowMs() / 1000);
    const claims: ServiceAccountClaims = {
      ...bound,
      issuer,
      audiences,
      issuedAt,
      notBefore: issuedAt,
      expiry: issuedAt + (isExtended ? extendedSeconds : expirationSeconds),
      warnAfter: isExtended ? issuedAt + expirationSeconds : undefined,
    };
    const token = await this.#sign(claims);
    return { token, audiences, expirationSeconds, expiresAtMs: nowMs() + expirationSeconds * 1000 };
  }

  #isExtended({ pod, audiences }: TokenOrder, expirationSeconds: number): boolean {
    const { extendsExpiration, audiences: own } = this.#options;
    return (
      extendsExpiration === true &&
      pod !== undefined &&
      expirationSeconds === extendableSeconds &&
      audiences.every((audience) => own.includes(audience))
    );
  }

  async #sign(claims: ServiceAccountClaims): Promise<string> {
    const { dialect, signingKey } = this.#options;
    // Loaded when the first token is asked for: the library would only slow the start down.
    const { SignJWT } = await import('jose');
    return new SignJWT(encodeClaims(claims, dialect))
      .setProtectedHeader({ alg: signingKey.algorithm, kid: signingKey.keyId })
      .sign(signingKey.privateKey);
  }
}
