import type { UserInfo } from '../../../apis/kind-rules.ts';
import { asText, errorText, isJsonObject, type JsonObject, ownValue } from '../../../base/index.ts';

/** Which claims make a user, and which are required. */
export interface ClaimOptions {
  readonly usernameClaim: string;
  /** Empty: none. */
  readonly usernamePrefix: string;
  /** Undefined: tokens name no groups. */
  readonly groupsClaim: string | undefined;
  readonly groupsPrefix: string;
  readonly requiredClaims: Readonly<Record<string, string>>;
}

/** The user of a token's claims, or what is wrong with them. Source: release 1.20, its authenticator for OpenID Connect. */
export function userOfClaims(claims: Readonly<JsonObject>, options: ClaimOptions): UserInfo | string {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix, requiredClaims } = options;
  const username = claimOf(claims, usernameClaim);
  if (username === undefined) return `oidc: parse username claims "${usernameClaim}": claim not present`;
  if (typeof username !== 'string') return `oidc: parse username claims "${usernameClaim}": it is no text`;
  if (usernameClaim === 'email') {
    const verified = claimOf(claims, 'email_verified');
    if (verified !== undefined && typeof verified !== 'boolean') {
      return "oidc: parse 'email_verified' claim: it is no truth";
    }
    if (verified === false) return 'oidc: email not verified';
  }
  const groups = groupsClaim === undefined ? [] : groupsOf(claims, groupsClaim);
  if (typeof groups === 'string') return groups;
  for (const [claim, wanted] of Object.entries(requiredClaims)) {
    const value = claimOf(claims, claim);
    if (value === undefined) return `oidc: required claim ${claim} not present in ID token`;
    if (typeof value !== 'string') return `oidc: parse claim ${claim}: it is no text`;
    if (value !== wanted) return `oidc: required claim ${claim} value does not match`;
  }
  return {
    name: usernamePrefix + username,
    uid: '',
    groups: groups.map((group) => groupsPrefix + group),
    extra: {},
  };
}

/** Of own members only: claims may have any name. */
const claimOf = (claims: Readonly<JsonObject>, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

/** One group or a list of them. */
function groupsOf(claims: Readonly<JsonObject>, claim: string): readonly string[] | string {
  const value = claimOf(claims, claim);
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  const isList = Array.isArray(value) && value.every((group) => typeof group === 'string');
  return isList ? value : `oidc: parse groups claim "${claim}": it is neither a text nor a list of them`;
}

/** How claims are obtained that a provider leaves to another place. */
interface DistributedClaimOptions {
  /** The claim that is asked for elsewhere where a token lacks it; undefined: none. */
  readonly groupsClaim: string | undefined;
  /** Reads a document that is one token, with a bearer token of its own if there is one. What it throws is passed on. */
  readonly readToken: (url: string, accessToken: string) => Promise<string>;
  /** The claims of a token of any issuer that this client may believe, or why there are none. */
  readonly verifyOf: (issuer: string, token: string) => Promise<JsonObject | string>;
  /** What a token says of its issuer; undefined for what is no token. */
  readonly issuerOf: (token: string) => string | undefined;
}

/**
 * The claims of a token with the groups that it leaves to another place (OpenID Connect Core 1.0, section 5.6.2), which is
 * asked for another token; or why they are not known: whoever is in groups that are kept elsewhere must not pass for
 * somebody without groups. Source: release 1.20, `plugin/pkg/authenticator/token/oidc`.
 */
export async function expandClaims(
  claims: JsonObject,
  options: DistributedClaimOptions,
): Promise<JsonObject | string> {
  const { groupsClaim } = options;
  const names = ownValue(claims, '_claim_names');
  if (groupsClaim === undefined || Object.hasOwn(claims, groupsClaim) || names === undefined) return claims;
  try {
    const source = sourceOf(claims, names, groupsClaim);
    if (source === undefined) return claims;
    return { ...claims, [groupsClaim]: await resolveClaim(groupsClaim, source, options) };
  } catch (error) {
    return `oidc: could not expand distributed claims: ${errorText(error)}`;
  }
}

interface Source {
  readonly url: string;
  readonly accessToken: string;
}

/** Where a claim is; undefined when it is nowhere else. @throws Error for what makes no sense */
function sourceOf(claims: JsonObject, names: unknown, claim: string): Source | undefined {
  if (!isJsonObject(names) || !Object.values(names).every((name) => typeof name === 'string'))
    throw new Error('oidc: error parsing distributed claim names: they are no map of texts');
  const sources = ownValue(claims, '_claim_sources');
  if (sources === undefined) throw new Error('oidc: no claim sources');
  if (!isJsonObject(sources) || !Object.values(sources).every(isJsonObject))
    throw new Error('oidc: could not parse claim sources: they are no map of objects');
  if (!Object.hasOwn(names, claim)) return undefined;
  const name = asText(names[claim]);
  const source = ownValue(sources, name);
  if (!isJsonObject(source))
    throw new Error(`id token _claim_names contained a source ${name} missing in _claims_sources`);
  const url = asText(source.endpoint);
  // A claim that comes along in a token of its own is not looked at.
  return url === '' ? undefined : { url, accessToken: asText(source.access_token) };
}

async function resolveClaim(
  claim: string,
  { url, accessToken }: Source,
  { readToken, issuerOf, verifyOf }: DistributedClaimOptions,
): Promise<unknown> {
  const shown = JSON.stringify(claim);
  let token: string;
  try {
    token = await readToken(url, accessToken);
  } catch (cause) {
    throw new Error(`while getting distributed claim ${shown}: ${errorText(cause)}`, { cause });
  }
  const issuer = issuerOf(token);
  if (!issuer) throw new Error(`getting untrusted issuer from endpoint ${url} failed for claim ${shown}`);
  const claims = await verifyOf(issuer, token);
  if (typeof claims === 'string') throw new Error(`verify distributed claim token: ${claims}`);
  if (!Object.hasOwn(claims, claim))
    throw new Error(`jwt returned by distributed claim endpoint ${url} did not contain claim: ${claim}`);
  return claims[claim];
}
