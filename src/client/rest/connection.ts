import { encodeHeader, escapeHeaderName } from '../../base/index.ts';

/** What TLS needs to know; texts are PEM. Without `ca` the machine's roots decide. */
export interface TlsOptions {
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  /** Name that the server's certificate must carry, when it is not the host of the URL. */
  readonly serverName?: string | undefined;
  /** Trust any server. */
  readonly skipsVerification?: boolean | undefined;
}

/** Who the client is. A bearer token wins over a user name. */
export interface AuthOptions {
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly impersonate?: Impersonation | undefined;
}

/** Who to act as. */
export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
  /** What else is to be known of the user, by name. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A server and how to reach it. */
export interface Connection {
  /** `http://` or `https://`, host and port, perhaps a path prefix, no slash at the end. */
  readonly server: string;
  readonly tls: TlsOptions;
  readonly auth: AuthOptions;
}

/** Headers that tell the server who asks. */
export function authHeaders(auth: AuthOptions): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (auth.token !== undefined && auth.token !== '')
    headers.authorization = encodeHeader(`Bearer ${auth.token}`);
  else if (auth.username !== undefined && auth.username !== '') {
    const pair = Buffer.from(`${auth.username}:${auth.password ?? ''}`, 'utf8').toString('base64');
    headers.authorization = `Basic ${pair}`;
  }
  if (auth.impersonate !== undefined) {
    headers['impersonate-user'] = encodeHeader(auth.impersonate.user);
    if (auth.impersonate.groups.length > 0)
      headers['impersonate-group'] = auth.impersonate.groups.map(encodeHeader);
    for (const [name, values] of Object.entries(auth.impersonate.extra ?? {})) {
      if (values.length > 0)
        headers[`impersonate-extra-${escapeHeaderName(name)}`] = values.map(encodeHeader);
    }
  }
  return headers;
}
