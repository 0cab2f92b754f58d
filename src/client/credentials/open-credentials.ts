import type { Clock } from '../../base/index.ts';
import { ClientConfigError, type ResolvedContext } from '../config/index.ts';
import type { Connection } from '../rest/index.ts';
import { type CredentialSource, type Credentials, KeptCredentials } from './credential-source.ts';
import { checkExecVersion, type ExecContext, runExecPlugin } from './exec-plugin.ts';
import { OidcProvider } from './oidc-provider.ts';

/** Where credentials are obtained. */
export interface CredentialContext extends ExecContext {
  readonly clock: Clock;
}

/** How long before the end of an ID token another one is asked for, as the release's client does. */
const oidcLeewayMs = 10_000;

/**
 * Where the credentials of a context come from, when they do not stand in its configuration. A token, or a user name and
 * a password, of configuration or flags win over that.
 *
 * @throws ClientConfigError for a form of answers, a provider or settings that are not known
 */
export function openCredentials(
  { connection, exec, authProvider }: ResolvedContext,
  context: CredentialContext,
): CredentialSource | undefined {
  if (connection.auth.token || connection.auth.username) return undefined;
  const { clock } = context;
  if (exec !== undefined) {
    checkExecVersion(exec, context.dialect);
    return new KeptCredentials({
      obtain: (refusal) => runExecPlugin({ entry: exec, connection, context, refusal }),
      clock,
    });
  }
  if (authProvider === undefined) return undefined;
  // Without this, requests would go out as anonymous.
  if (authProvider.name !== 'oidc')
    throw new ClientConfigError(`no Auth Provider found for name ${JSON.stringify(authProvider.name)}`);
  const provider = new OidcProvider({ entry: authProvider, clock, leewayMs: oidcLeewayMs });
  return new KeptCredentials({
    obtain: (refusal) => provider.obtain(refusal),
    clock,
    leewayMs: oidcLeewayMs,
  });
}

/**
 * The connection of a context with credentials that count now, for programs that are done before they expire.
 *
 * @throws ClientConfigError as `openCredentials`; TransportError when no credentials can be had
 */
export async function obtainConnection(
  resolved: ResolvedContext,
  context: CredentialContext,
): Promise<Connection> {
  const source = openCredentials(resolved, context);
  const { connection } = resolved;
  return source === undefined ? connection : withCredentials(connection, await source.current());
}

/** A connection that presents these credentials, a certificate in place of its own. */
export function withCredentials(connection: Connection, credentials: Credentials): Connection {
  const { token, certificatePem: cert, keyPem: key } = credentials;
  return {
    ...connection,
    tls: cert === undefined ? connection.tls : { ...connection.tls, cert, key },
    auth: token === undefined ? connection.auth : { ...connection.auth, token },
  };
}
