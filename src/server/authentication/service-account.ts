import { hash } from 'node:crypto';
import type { Dialect } from '../../machinery/dialect.ts';
import { decodeLegacyClaims, legacyIssuer } from './legacy-tokens.ts';
import { isSameSecret } from './same-secret.ts';
import {
  asObject,
  decodeClaims,
  type ServiceAccountClaims,
  serviceAccountUser,
  userOf,
} from './service-account-claims.ts';
import type { TokenKey } from './service-account-keys.ts';
import type { BoundObjectLookup, BoundResource } from './service-account-lookup.ts';
import {
  refusedToken,
  type TokenAuthenticator,
  type TokenVerdict,
  unknownToken,
} from './token-authenticator.ts';

/** How far clocks may be apart, as release 1.20 has it. */
const leewaySeconds = 60;
const defaultMaxRemembered = 4096;
/** Longer texts are no tokens of this server. */
const maxTokenLength = 16_384;

/** What tokens must say and be signed with to be taken, and where the objects that they name are looked up. */
export interface ServiceAccountOptions {
  readonly dialect: Dialect;
  /** Value of `--service-account-issuer`; tokens of other issuers are left to other authenticators. */
  readonly issuer: string;
  /** Audiences of the API itself. */
  readonly audiences: readonly string[];
  /** The list may change. */
  readonly keys: readonly TokenKey[];
  readonly lookup: BoundObjectLookup;
  /** What a secret holds as `token`; undefined when it is not there or being deleted. */
  readonly findKeptToken: (namespace: string, name: string) => string | undefined;
  /** Whether tokens that secrets keep are looked up there (`--service-account-lookup`). */
  readonly looksUpKept: boolean;
  /** Told of each token that is taken, where metrics count them. */
  readonly onUse?: ((use: TokenUse) => void) | undefined;
  /** Waits until `lookup` sees what other processes wrote; undefined where there are none. */
  readonly freshen?: (() => Promise<void>) | undefined;
  readonly nowMs: () => number;
  /** Most tokens whose signatures are remembered. */
  readonly maxRemembered?: number | undefined;
}

/** A token that a secret keeps, or one whose life was extended, before and after it should have been renewed. */
export type TokenUse = 'kept' | 'extended' | 'stale';

/** What a token says, and the key that proves it. */
interface SignedClaims {
  readonly claims: ServiceAccountClaims;
  readonly key: TokenKey;
}

/**
 * Verifies service account tokens. A signature is checked once and remembered; times, audiences and whether the objects
 * behind the token still exist are checked on every use.
 */
export class ServiceAccountVerifier implements TokenAuthenticator {
  readonly #options: ServiceAccountOptions;
  /** Tokens with a good signature by digest, least recently remembered first; never above the limit. */
  readonly #remembered = new Map<string, SignedClaims>();

  constructor(options: ServiceAccountOptions) {
    this.#options = options;
  }

  /** Verifies a token that is meant for one of the audiences. */
  async authenticateToken(token: string, wanted: readonly string[]): Promise<TokenVerdict> {
    if (token.length > maxTokenLength) return unknownToken;
    const digest = hash('sha256', token, 'base64');
    let signed = this.#remembered.get(digest);
    if (signed === undefined || !this.#options.keys.includes(signed.key)) {
      const checked = await this.#checkSignature(token);
      if ('kind' in checked) return checked;
      signed = checked;
      this.#remember(digest, signed);
    }
    const { claims } = signed;
    const verdict = this.#judge(claims, token, wanted);
    const { freshen } = this.#options;
    if (verdict.kind !== 'refused' || freshen === undefined) return verdict;
    // The objects that the token names may have been created by another process a moment ago.
    await freshen();
    return this.#judge(claims, token, wanted);
  }

  #remember(digest: string, signed: SignedClaims): void {
    const { maxRemembered = defaultMaxRemembered } = this.#options;
    const oldest = this.#remembered.keys().next().value;
    if (this.#remembered.size >= maxRemembered && oldest !== undefined) this.#remembered.delete(oldest);
    this.#remembered.set(digest, signed);
  }

  async #checkSignature(token: string): Promise<SignedClaims | TokenVerdict> {
    const { dialect, issuer, keys } = this.#options;
    const [headerPart = '', payloadPart = '', signature, ...rest] = token.split('.');
    if (signature === undefined || rest.length > 0) return unknownToken;
    if (!isOnlySpelling(signature)) return unknownToken;
    const header = parsePart(headerPart);
    const payload = parsePart(payloadPart);
    const isKept = payload?.iss === legacyIssuer(dialect);
    if (header === undefined || payload === undefined) return unknownToken;
    if (!isKept && payload.iss !== issuer) return unknownToken;
    const claims = isKept ? decodeLegacyClaims(payload, dialect) : decodeClaims(payload, dialect);
    const named = keys.filter(({ keyId }) => keyId === header.kid);
    for (const key of named.length > 0 ? named : [...keys]) {
      if (header.alg === key.algorithm && (await isSignedBy(token, key))) {
        return typeof claims === 'object'
          ? { claims, key }
          : refusedToken(claims ?? 'Token could not be validated.');
      }
    }
    return refusedToken('square/go-jose: error in cryptographic primitive');
  }

  #judge(claims: ServiceAccountClaims, token: string, wanted: readonly string[]): TokenVerdict {
    const { dialect, nowMs, audiences: own } = this.#options;
    const meant = claims.audiences.length > 0 ? claims.audiences : own;
    const audiences = wanted.filter((audience) => meant.includes(audience));
    if (audiences.length === 0 && own.length > 0) {
      return refusedToken(
        `token audiences ${showList(meant)} is invalid for the target audiences ${showList(wanted)}`,
      );
    }
    const message = timeError(claims, nowMs() / 1000) ?? this.#missing(claims, token);
    if (message !== undefined) return refusedToken(message);
    return { kind: 'user', user: userOf(claims, dialect), audiences, ...this.#noteUse(claims) };
  }

  #missing(claims: ServiceAccountClaims, token: string): string | undefined {
    return claims.keptIn === undefined ? this.#missingObject(claims) : this.#missingKept(claims, token);
  }

  /** Counts the use of a token, and says in the audit log what is to be done about it. */
  #noteUse(claims: ServiceAccountClaims): { readonly annotations?: Readonly<Record<string, string>> } {
    const { onUse, nowMs, dialect } = this.#options;
    const { keptIn, warnAfter = 0 } = claims;
    if (keptIn !== undefined) onUse?.('kept');
    if (warnAfter === 0) return {};
    const now = Math.floor(nowMs() / 1000);
    if (now <= warnAfter) {
      onUse?.('extended');
      return {};
    }
    onUse?.('stale');
    const { name } = serviceAccountUser(claims.namespace, claims.serviceAccount.name);
    const note = `subject: ${name}, seconds after warning threshold: ${now - warnAfter}`;
    return { annotations: { [`${dialect.group('authentication')}/stale-token`]: note } };
  }

  /** Why a token that a secret keeps does not count any more; undefined when it does. */
  #missingKept(claims: ServiceAccountClaims, token: string): string | undefined {
    const { findKeptToken, looksUpKept, lookup } = this.#options;
    if (!looksUpKept) return undefined;
    const { namespace, serviceAccount, keptIn = '' } = claims;
    const kept = findKeptToken(namespace, keptIn);
    if (kept === undefined) return 'Token has been invalidated';
    if (!isSameSecret(kept, token)) return "Token does not match server's copy";
    const isDeleted = lookup('serviceaccounts', namespace, serviceAccount.name)?.deletedAtMs !== undefined;
    if (isDeleted) return `ServiceAccount ${namespace}/${serviceAccount.name} has been deleted`;
    return this.#missingObject(claims);
  }

  /** Why an object that the token is bound to does not match; undefined when all do. */
  #missingObject({ namespace, serviceAccount, secret, pod }: ServiceAccountClaims): string | undefined {
    const account = this.#find('serviceaccounts', namespace, serviceAccount.name);
    if (account === undefined) return `serviceaccounts ${JSON.stringify(serviceAccount.name)} not found`;
    if (account.isGone) return `ServiceAccount ${namespace}/${serviceAccount.name} has been deleted`;
    if (account.uid !== serviceAccount.uid) {
      return `ServiceAccount UID (${account.uid}) does not match claim (${serviceAccount.uid})`;
    }
    const bound = [
      ['Secret', 'secrets', secret],
      ['Pod', 'pods', pod],
    ] as const;
    for (const [kind, resource, reference] of bound) {
      if (reference === undefined) continue;
      const object = this.#find(resource, namespace, reference.name);
      if (object === undefined || object.isGone) return 'Token has been invalidated';
      if (object.uid !== reference.uid)
        return `${kind} UID (${object.uid}) does not match claim (${reference.uid})`;
    }
    return undefined;
  }

  #find(
    resource: BoundResource,
    namespace: string,
    name: string,
  ): { uid: string; isGone: boolean } | undefined {
    const { lookup, nowMs } = this.#options;
    const object = lookup(resource, namespace, name);
    if (object === undefined) return undefined;
    const { uid, deletedAtMs } = object;
    return { uid, isGone: deletedAtMs !== undefined && deletedAtMs < nowMs() - leewaySeconds * 1000 };
  }
}

function timeError({ expiry, notBefore, issuedAt }: ServiceAccountClaims, now: number): string | undefined {
  if (now > expiry + leewaySeconds) return 'Token has expired.';
  const isGood =
    now <= expiry + leewaySeconds && now >= notBefore - leewaySeconds && now >= issuedAt - leewaySeconds;
  return isGood ? undefined : 'Token could not be validated.';
}

/** Base64url has several spellings of the same bytes. A token has one, so that nobody makes another one of it. */
export const isOnlySpelling = (part: string): boolean =>
  Buffer.from(part, 'base64url').toString('base64url') === part;

/** A part of a token that is a JSON object. */
function parsePart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(Buffer.from(part, 'base64url').toString()));
  } catch {
    return undefined; // not JSON: not a token
  }
}

async function isSignedBy(token: string, key: TokenKey): Promise<boolean> {
  // Loaded when the first token comes: the library would only slow the start down.
  const { compactVerify, errors } = await import('jose');
  try {
    await compactVerify(token, key.publicKey, { algorithms: [key.algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

const showList = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
