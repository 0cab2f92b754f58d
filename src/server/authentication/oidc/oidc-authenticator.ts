import type { JSONWebKeySet } from 'jose';
import { asJsonObject, asText, errorText, isJsonObject, type JsonObject } from '../../../base/index.ts';
import { isOnlySpelling } from '../service-account.ts';
import { refusedToken, type TokenAuthenticator, unknownToken } from '../token-authenticator.ts';
import { type ClaimOptions, expandClaims, userOfClaims } from './claims.ts';
import { ProviderKeys, type ProviderKeysOptions } from './provider-keys.ts';

/** Which ID tokens of an OpenID Connect provider make users. */
export interface OidcOptions extends ClaimOptions, ProviderKeysOptions {
  readonly clientId: string;
  /** Names of RFC 7518. */
  readonly signingAlgorithms: readonly string[];
  /** Audiences of the API itself, for which such tokens count. */
  readonly audiences: readonly string[];
  /** Reads a document that is one token, with a bearer token of its own if there is one. What it throws is passed on. */
  readonly readToken: (url: string, accessToken: string) => Promise<string>;
}

/** Longer texts are no tokens. */
const maxTokenLength = 65_536;
/** How far behind this clock may be when a token says from when it counts; its end has no leeway, as in release 1.20. */
const leewaySeconds = 60;

/** More providers than keep the groups of one provider's users. */
const maxIssuers = 16;

/** Users by ID token (OpenID Connect Core 1.0) of one provider. Tokens of other issuers are left to others. */
export function oidcAuthenticator(options: OidcOptions): TokenAuthenticator {
  const keys = new ProviderKeys(options);
  const keysOfOthers = new Map<string, ProviderKeys>();
  const keysOf = (issuer: string): ProviderKeys => {
    const known = keysOfOthers.get(issuer) ?? new ProviderKeys({ ...options, issuer });
    const [oldest] = keysOfOthers.keys();
    if (!keysOfOthers.has(issuer) && keysOfOthers.size >= maxIssuers && oldest !== undefined)
      keysOfOthers.delete(oldest);
    keysOfOthers.set(issuer, known);
    return known;
  };
  const elsewhere = {
    ...options,
    issuerOf,
    verifyOf: (issuer: string, token: string) => verify(token, keysOf(issuer), { ...options, issuer }),
  };
  return {
    async authenticateToken(token, wanted) {
      if (token.length > maxTokenLength || issuerOf(token) !== options.issuer) return unknownToken;
      const audiences = wanted.filter((audience) => options.audiences.includes(audience));
      if (audiences.length === 0) return unknownToken;
      const claims = await verify(token, keys, options);
      if (typeof claims === 'string') return refusedToken(claims);
      const expanded = await expandClaims(claims, elsewhere);
      if (typeof expanded === 'string') return refusedToken(expanded);
      const user = userOfClaims(expanded, options);
      return typeof user === 'string' ? refusedToken(user) : { kind: 'user', user, audiences };
    },
  };
}

/** What a token says of its issuer, before anything of it is believed. */
function issuerOf(token: string): string | undefined {
  const [, payload, signature, ...rest] = token.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined;
  if (!isOnlySpelling(signature)) return undefined;
  try {
    return asText(asJsonObject(JSON.parse(Buffer.from(payload, 'base64url').toString())).iss);
  } catch {
    return undefined; // not JSON: not a token
  }
}

/** The claims of a token that the provider signed for this client, or why there are none. */
async function verify(token: string, keys: ProviderKeys, options: OidcOptions): Promise<JsonObject | string> {
  let known: JSONWebKeySet;
  try {
    known = await keys.current();
  } catch (error) {
    return `oidc: authenticator not initialized: ${errorText(error)}`;
  }
  let payload = await payloadOf(token, known, options);
  if (payload === undefined) {
    // The provider may have other keys by now.
    const newer = await keys.newerThan(known).catch(() => undefined);
    payload = newer && (await payloadOf(token, newer, options));
  }
  if (payload === undefined)
    return 'oidc: verify token: failed to verify signature: failed to verify id token signature';
  return timesAndAudience(payload, options) ?? payload;
}

/** The payload of a token with a good signature of one of the keys; undefined for any other. */
async function payloadOf(
  token: string,
  keys: JSONWebKeySet,
  { signingAlgorithms }: OidcOptions,
): Promise<JsonObject | undefined> {
  // Loaded when the first token comes: the library would only slow the start down.
  const { compactVerify, createLocalJWKSet, errors } = await import('jose');
  const rules = { algorithms: [...signingAlgorithms] };
  const read = (bytes: Uint8Array): JsonObject | undefined => {
    const payload: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isJsonObject(payload) ? payload : undefined;
  };
  try {
    return read((await compactVerify(token, createLocalJWKSet(keys), rules)).payload);
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      for await (const key of error) {
        const verified = await compactVerify(token, key, rules).catch(() => undefined); // then perhaps the next one
        if (verified !== undefined) return read(verified.payload);
      }
    }
    // Keys that are none, and payloads that are no JSON, are the provider's mistakes: such a token proves nothing.
    return undefined;
  }
}

/** Why a token does not count here and now (OpenID Connect Core 1.0, section 3.1.3.7); undefined when it does. */
function timesAndAudience({ iss, aud, exp, nbf }: JsonObject, options: OidcOptions): string | undefined {
  const { issuer, clientId, clock } = options;
  const now = clock.nowMs() / 1000;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (iss !== issuer)
    return `oidc: verify token: oidc: id token issued by a different provider, expected "${issuer}"`;
  if (!audiences.includes(clientId)) {
    return `oidc: verify token: oidc: expected audience "${clientId}" got ${JSON.stringify(audiences)}`;
  }
  if (typeof exp !== 'number' || exp < now) return 'oidc: verify token: oidc: token is expired';
  if (nbf !== undefined && (typeof nbf !== 'number' || now + leewaySeconds < nbf)) {
    return 'oidc: verify token: oidc: current time before the nbf (not before) time';
  }
  return undefined;
}
