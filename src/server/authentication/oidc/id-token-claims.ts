import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { JsonObject } from '../../../base/index.ts';

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
