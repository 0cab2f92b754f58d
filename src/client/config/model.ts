/** One server: entry of `clusters`. Paths are absolute once a file is loaded. */
export interface ClusterEntry {
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  readonly certificateAuthorityData?: string;
  readonly proxyUrl?: string;
}

/** One set of credentials: entry of `users`. */
export interface UserEntry {
  readonly clientCertificate?: string;
  readonly clientCertificateData?: string;
  readonly clientKey?: string;
  readonly clientKeyData?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonate?: string;
  readonly impersonateGroups?: readonly string[];
}

/** Pairs a server with credentials and a namespace: entry of `contexts`. */
export interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** A client configuration, several files merged. Maps keep the order of the files. */
export interface ClientConfig {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string;
}

/** A configuration without entries. */
export const emptyClientConfig: ClientConfig = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: '',
};

/** A client configuration that cannot be read or makes no sense; the message is ready for the user. */
export class ClientConfigError extends Error {
  override readonly name = 'ClientConfigError';
}
