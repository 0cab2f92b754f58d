import type { Dialect } from '../../machinery/dialect.ts';
import {
  type ServiceAccountClaims,
  serviceAccountUser,
  type TokenReference,
} from './service-account-claims.ts';
import type { TokenSigningKey } from './service-account-keys.ts';

/** What a token that a secret keeps is made for. */
export interface LegacyTokenOrder {
  readonly namespace: string;
  readonly account: TokenReference;
  /** Name of the secret that keeps it. */
  readonly secret: string;
}

/** Issuer of tokens that secrets keep. Source: release 1.20, `pkg/serviceaccount/legacy.go`. */
export const legacyIssuer = (dialect: Dialect): string => dialect.spell('orch/serviceaccount');

/** Signs a token that a secret keeps: it names no audience and ends with its account or its secret only. */
export async function signLegacyToken(
  { namespace, account, secret }: LegacyTokenOrder,
  { dialect, signingKey }: { readonly dialect: Dialect; readonly signingKey: TokenSigningKey },
): Promise<string> {
  // Loaded when the first token is asked for: the library would only slow the start down.
  const { SignJWT } = await import('jose');
  const claim = (name: string): string => dialect.spell(`orch.io/serviceaccount/${name}`);
  return new SignJWT({
    iss: legacyIssuer(dialect),
    [claim('namespace')]: namespace,
    [claim('secret.name')]: secret,
    [claim('service-account.name')]: account.name,
    [claim('service-account.uid')]: account.uid,
    sub: serviceAccountUser(namespace, account.name).name,
  })
    .setProtectedHeader({ alg: signingKey.algorithm, kid: signingKey.keyId })
    .sign(signingKey.privateKey);
}

/** The claims of a payload of that issuer, or which of them is wrong, in the words of release 1.20. */
export function decodeLegacyClaims(
  payload: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): ServiceAccountClaims | string {
  const claim = (name: string): string => {
    const value = payload[dialect.spell(`orch.io/serviceaccount/${name}`)];
    return typeof value === 'string' ? value : '';
  };
  const { sub } = payload;
  if (typeof sub !== 'string' || sub === '') return 'sub claim is missing';
  const namespace = claim('namespace');
  if (namespace === '') return 'namespace claim is missing';
  const keptIn = claim('secret.name');
  if (keptIn === '') return 'secretName claim is missing';
  const serviceAccount = { name: claim('service-account.name'), uid: claim('service-account.uid') };
  if (serviceAccount.name === '') return 'serviceAccountName claim is missing';
  if (serviceAccount.uid === '') return 'serviceAccountUID claim is missing';
  if (sub !== serviceAccountUser(namespace, serviceAccount.name).name) return 'sub claim is invalid';
  return {
    issuer: legacyIssuer(dialect),
    audiences: [],
    issuedAt: 0,
    notBefore: 0,
    expiry: Number.POSITIVE_INFINITY,
    namespace,
    serviceAccount,
    keptIn,
  };
}
