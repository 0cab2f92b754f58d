import { readFileSync } from 'node:fs';
import { asText, fileErrorText, isJsonObject } from '../../base/index.ts';
import type { AuthOptions, Connection, TlsOptions } from '../rest/index.ts';
import { readExec } from './exec-entry.ts';
import {
  type AuthProviderEntry,
  type ClientConfig,
  ClientConfigError,
  type ClusterEntry,
  type ExecEntry,
  type UserEntry,
} from './model.ts';

/** What flags say; each wins over the configuration. */
export interface ConnectionOverrides {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  readonly server?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly impersonate?: string | undefined;
  readonly impersonateGroups?: readonly string[] | undefined;
  /** Entries that a context names need not be there, as for the client of release 1.20: their settings are empty then. */
  readonly toleratesMissing?: boolean | undefined;
}

/** A connection and the namespace that requests go to unless they say otherwise. */
export interface ResolvedContext {
  readonly connection: Connection;
  /** True when nothing names a server, so that it is where client-go goes then. */
  readonly isServerUnnamed?: boolean;
  readonly namespace: string;
  /** True when a flag chose the namespace, which then binds the objects of files too. */
  readonly isNamespaceEnforced: boolean;
  /** A program to be asked for credentials before the first request; undefined where there is none. */
  readonly exec?: ExecEntry | undefined;
  /** The provider of credentials that the user names; undefined where there is none. */
  readonly authProvider?: AuthProviderEntry | undefined;
}

/** Where client-go goes when nothing names a server. */
const defaultServer = 'http://localhost:8080';

/**
 * Chooses context, cluster and user and reads the files that they name.
 *
 * @throws ClientConfigError when a name is unknown, a file cannot be read or options exclude one another.
 */
export function resolveContext(config: ClientConfig, overrides: ConnectionOverrides = {}): ResolvedContext {
  const contextName = overrides.context || config.currentContext;
  const context = contextName === '' ? undefined : config.contexts.get(contextName);
  if (contextName !== '' && context === undefined) {
    const unknown = { name: contextName, known: [...config.contexts.keys()] };
    const text = `Error in configuration: context was not found for specified context: ${contextName}`;
    throw new ClientConfigError(text, { unknown });
  }
  const found = <T extends object>(entries: ReadonlyMap<string, T>, name: string | undefined) =>
    name !== undefined && overrides.toleratesMissing === true && !entries.has(name) ? undefined : name;
  const cluster =
    pick(
      config.clusters,
      overrides.cluster || found(config.clusters, context?.cluster),
      (name) => `no server found for cluster "${name}"`,
    ) ?? {};
  const user =
    pick(
      config.users,
      overrides.user || found(config.users, context?.user),
      (name) => `auth info "${name}" does not exist`,
    ) ?? {};
  const userName = overrides.user || context?.user || '';
  const named = overrides.server || cluster.server;
  const server = normalizeServer(named || defaultServer);
  return {
    isServerUnnamed: !named,
    connection: {
      server,
      tls: resolveTls(cluster, user, overrides, server),
      auth: resolveAuth(user, userName, overrides),
    },
    namespace: overrides.namespace || context?.namespace || 'default',
    isNamespaceEnforced: Boolean(overrides.namespace),
    ...(user.exec === undefined ? {} : { exec: readExec(user, userName) }),
    ...(user.authProvider === undefined ? {} : { authProvider: readAuthProvider(user, userName) }),
  };
}

/**
 * The connection of the current context, for programs that obtain no credentials elsewhere. A user who needs that is
 * refused, because requests without credentials would be anonymous; a token or a user name and password win over both ways.
 *
 * @throws ClientConfigError as resolveContext does, and for a user with `exec` or `auth-provider`.
 */
export function resolveConnection(config: ClientConfig, overrides: ConnectionOverrides = {}): Connection {
  const { connection, exec, authProvider } = resolveContext(config, overrides);
  const way = exec !== undefined ? 'exec' : authProvider !== undefined ? 'auth-provider' : undefined;
  const { token, username } = connection.auth ?? {};
  if (way === undefined || token || username) return connection;
  const context = config.contexts.get(overrides.context || config.currentContext);
  const user = overrides.user || context?.user || '';
  throw new ClientConfigError(`user "${user}": ${way} is not supported here`);
}

/** @throws ClientConfigError for settings that are no texts */
function readAuthProvider({ authProvider = {}, origin }: UserEntry, user: string): AuthProviderEntry {
  const { name, config } = authProvider;
  const settings: Record<string, string> = {};
  const isMap = config === undefined || config === null || isJsonObject(config);
  for (const [key, value] of Object.entries(isJsonObject(config) ? config : {}))
    if (typeof value === 'string') settings[key] = value;
  if (!isMap || Object.keys(settings).length < Object.keys(config ?? {}).length)
    throw new ClientConfigError(`user "${user}": auth-provider.config must be a map of strings`);
  return { name: asText(name), config: settings, user, file: origin };
}

function pick<T extends object>(
  entries: ReadonlyMap<string, T>,
  name: string | undefined,
  complain: (name: string) => string,
): T | undefined {
  if (name === undefined || name === '') return undefined;
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const unknown = { name, known: [...entries.keys()] };
  throw new ClientConfigError(complain(name), { unknown });
}

/** Accepts `host:port` for a URL as client-go does: without a scheme it is plain HTTP. */
function normalizeServer(text: string): string {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  try {
    const url = new URL(withScheme);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('protocol');
    return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
  } catch (cause) {
    throw new ClientConfigError(`the server's address ${JSON.stringify(text)} is no HTTP URL`, { cause });
  }
}

function resolveTls(
  cluster: ClusterEntry,
  user: UserEntry,
  overrides: ConnectionOverrides,
  server: string,
): TlsOptions {
  if (!server.startsWith('https:')) return {};
  const skipsVerification = overrides.insecureSkipTlsVerify ?? cluster.insecureSkipTlsVerify ?? false;
  const ca = overrides.certificateAuthority
    ? readPem('certificate-authority', overrides.certificateAuthority)
    : inlineOrFile('certificate-authority', cluster.certificateAuthorityData, cluster.certificateAuthority);
  if (skipsVerification && ca !== undefined && !overrides.insecureSkipTlsVerify) {
    throw new ClientConfigError('specifying a root certificates file with the insecure flag is not allowed');
  }
  return {
    ca: skipsVerification ? undefined : ca,
    cert: overrides.clientCertificate
      ? readPem('client-cert', overrides.clientCertificate)
      : inlineOrFile('client-cert', user.clientCertificateData, user.clientCertificate),
    key: overrides.clientKey
      ? readPem('client-key', overrides.clientKey)
      : inlineOrFile('client-key', user.clientKeyData, user.clientKey),
    serverName: overrides.tlsServerName || cluster.tlsServerName,
    skipsVerification,
  };
}

function resolveAuth(user: UserEntry, userName: string, overrides: ConnectionOverrides): AuthOptions {
  const impersonated = overrides.impersonate || user.impersonate;
  const groups = overrides.impersonateGroups?.length ? overrides.impersonateGroups : user.impersonateGroups;
  const { impersonateExtra: extra = {} } = user;
  const hasExtra = Object.keys(extra).length > 0;
  if (!impersonated && (groups?.length || hasExtra)) {
    throw new ClientConfigError(
      `requesting groups or user-extra for ${userName} without impersonating a user`,
    );
  }
  // A token file is read again for each command, because such tokens expire.
  const fileToken =
    user.tokenFile === undefined ? undefined : readPem('token', user.tokenFile).toString('utf8').trim();
  const username = overrides.username || user.username;
  return {
    token: overrides.token || (overrides.username ? undefined : fileToken || user.token),
    ...(username ? { username, password: overrides.password || user.password || '' } : {}),
    ...(impersonated
      ? { impersonate: { user: impersonated, groups: groups ?? [], ...(hasExtra && { extra }) } }
      : {}),
  };
}

function inlineOrFile(what: string, data: string | undefined, file: string | undefined): Buffer | undefined {
  if (data !== undefined) return Buffer.from(data, 'base64');
  return file === undefined ? undefined : readPem(what, file);
}

function readPem(what: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new ClientConfigError(`unable to read ${what} ${file}: ${fileErrorText(cause, file)}`, { cause });
  }
}
