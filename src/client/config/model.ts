/** One server: entry of `clusters`. Paths are absolute once a file is loaded. */
export interface ClusterEntry {
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  readonly certificateAuthorityData?: string;
  readonly proxyUrl?: string;
  readonly extensions?: Extensions;
}

/** What other programs keep in an entry, in the form of the file. */
export type Extensions = readonly Readonly<Record<string, unknown>>[];

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
  /** What else is to be known of that user. */
  readonly impersonateExtra?: Readonly<Record<string, readonly string[]>>;
  /** A program that gives credentials, in the form of the file. */
  readonly exec?: Readonly<Record<string, unknown>>;
  /** A way of the release's client to get credentials, in the form of the file. */
  readonly authProvider?: Readonly<Record<string, unknown>>;
  readonly extensions?: Extensions;
  /** The file that has this entry, where an `authProvider` writes what it got; undefined for one of no file. */
  readonly origin?: string;
}

/** A program that gives credentials, checked. */
export interface ExecEntry {
  /** A path, or a name to be looked for. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
}

/** A provider of credentials that the client speaks to itself, and where its settings are. */
export interface AuthProviderEntry {
  readonly name: string;
  /** Settings, in the form of the file. */
  readonly config: Readonly<Record<string, string>>;
  /** Name of the entry of `users`. */
  readonly user: string;
  /** The file that has the entry; undefined for one of no file. */
  readonly file: string | undefined;
}

/** Pairs a server with credentials and a namespace: entry of `contexts`. */
export interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly extensions?: Extensions;
}

/** A client configuration, several files merged. Maps keep the order of the files. */
export interface ClientConfig {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string;
  /** In the form of the file; nothing here depends on them. */
  readonly preferences?: Readonly<Record<string, unknown>> | undefined;
  readonly extensions?: Extensions | undefined;
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
  /** The name that an entry was looked for by, and those that there are; undefined when the error is of another kind. */
  readonly unknown: UnknownEntry | undefined;

  constructor(message: string, options: { readonly cause?: unknown; readonly unknown?: UnknownEntry } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.unknown = options.unknown;
  }
}

/** An entry of a client configuration that is not there. */
export interface UnknownEntry {
  readonly name: string;
  readonly known: readonly string[];
}
