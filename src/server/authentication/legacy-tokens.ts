import type { Dialect } from '../../machinery/dialect.ts';
import type { TokenReference } from './service-account-claims.ts';
import { serviceAccountUser } from './service-account-claims.ts';
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
