import { asText, isJsonObject } from '../../base/index.ts';
import {
  type ClientConfig,
  ClientConfigError,
  type ClusterEntry,
  type ContextEntry,
  type UserEntry,
} from './model.ts';

type FieldType = 'string' | 'boolean' | 'strings' | 'map' | 'map of lists' | 'list of maps';

/** File field to model field, and the type that the file must have; some are written without a value, too. */
type Fields = readonly (readonly [wire: string, field: string, type: FieldType, always?: 'always'])[];

const clusterFields: Fields = [
  ['certificate-authority', 'certificateAuthority', 'string'],
  ['certificate-authority-data', 'certificateAuthorityData', 'string'],
  ['extensions', 'extensions', 'list of maps'],
  ['insecure-skip-tls-verify', 'insecureSkipTlsVerify', 'boolean'],
  ['proxy-url', 'proxyUrl', 'string'],
  ['server', 'server', 'string', 'always'],
  ['tls-server-name', 'tlsServerName', 'string'],
];

const userFields: Fields = [
  ['as', 'impersonate', 'string'],
  ['as-groups', 'impersonateGroups', 'strings'],
  ['as-user-extra', 'impersonateExtra', 'map of lists'],
  ['auth-provider', 'authProvider', 'map'],
  ['client-certificate', 'clientCertificate', 'string'],
  ['client-certificate-data', 'clientCertificateData', 'string'],
  ['client-key', 'clientKey', 'string'],
  ['client-key-data', 'clientKeyData', 'string'],
  ['exec', 'exec', 'map'],
  ['extensions', 'extensions', 'list of maps'],
  ['password', 'password', 'string'],
  ['token', 'token', 'string'],
  ['tokenFile', 'tokenFile', 'string'],
  ['username', 'username', 'string'],
];

const contextFields: Fields = [
  ['cluster', 'cluster', 'string', 'always'],
  ['extensions', 'extensions', 'list of maps'],
  ['namespace', 'namespace', 'string'],
  ['user', 'user', 'string', 'always'],
];

const rootFields: Fields = [
  ['extensions', 'extensions', 'list of maps'],
  ['preferences', 'preferences', 'map'],
];

/** The file's lists, their entry's key, and their entry's fields. */
const sections = {
  clusters: ['cluster', clusterFields],
  contexts: ['context', contextFields],
  users: ['user', userFields],
} as const;

/**
 * Reads the parsed document of one file (`kind: Config`, `apiVersion: v1`).
 *
 * @throws ClientConfigError for a document of another kind, or naming the field that has the wrong type.
 */
export function decodeClientConfig(document: unknown): ClientConfig {
  if (document === null || document === undefined) return decodeClientConfig({});
  const root = asRecord(document, 'the document');
  requireKind(root);
  // The table's fields, each of the type that it must have.
  const { preferences, extensions } = readEntry(root, rootFields) as Pick<
    ClientConfig,
    'preferences' | 'extensions'
  >;
  const hasPreferences = preferences !== undefined && Object.keys(preferences).length > 0;
  return {
    clusters: readSection<ClusterEntry>(root, 'clusters'),
    users: readSection<UserEntry>(root, 'users'),
    contexts: readSection<ContextEntry>(root, 'contexts'),
    currentContext: asText(readField(root, 'current-context', 'string')),
    ...(hasPreferences && { preferences }),
    ...(extensions && { extensions }),
  };
}

/** What says nothing of itself counts as a configuration. */
function requireKind(root: Record<string, unknown>): void {
  const kind = asText(readField(root, 'kind', 'string')) || 'Config';
  const version = asText(readField(root, 'apiVersion', 'string')) || 'v1';
  if (kind === 'Config' && version === 'v1') return;
  throw new ClientConfigError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)}`,
  );
}

/** The file form of a configuration, keys in the order in which client-go writes them. */
export function encodeClientConfig(config: ClientConfig): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    clusters: writeSection(config.clusters, 'clusters'),
    contexts: writeSection(config.contexts, 'contexts'),
    'current-context': config.currentContext,
    ...(config.extensions && { extensions: config.extensions }),
    kind: 'Config',
    preferences: config.preferences ?? {},
    users: writeSection(config.users, 'users'),
  };
}

/** `Entry` must have exactly the fields of the section. */
function readSection<Entry>(
  root: Record<string, unknown>,
  section: keyof typeof sections,
): Map<string, Entry> {
  const [key, fields] = sections[section];
  const list = root[section] ?? [];
  if (!Array.isArray(list)) throw new ClientConfigError(`${section} must be a list`);
  const entries = new Map<string, Entry>();
  for (const item of list) {
    const row = asRecord(item, `an entry of ${section}`);
    const name = asText(readField(row, 'name', 'string'));
    if (name === '') throw new ClientConfigError(`an entry of ${section} has no name`);
    if (!entries.has(name)) {
      // Made of the section's fields, each of the type that it must have.
      entries.set(name, readEntry(asRecord(row[key] ?? {}, `${section}.${key}`), fields) as Entry);
    }
  }
  return entries;
}

function readEntry(row: Record<string, unknown>, fields: Fields): object {
  const entry: Record<string, unknown> = {};
  for (const [wire, field, type] of fields) {
    const value = readField(row, wire, type);
    if (value !== undefined) entry[field] = value;
  }
  return entry;
}

function writeSection(entries: ReadonlyMap<string, object>, section: keyof typeof sections): unknown[] {
  const [key, fields] = sections[section];
  return [...entries].sort(byName).map(([name, entry]) => {
    const values = entry as Record<string, unknown>; // an entry's own fields, named by the table
    const row: Record<string, unknown> = {};
    for (const [wire, field, , always] of fields) {
      if (values[field] !== undefined || always !== undefined) row[wire] = values[field] ?? '';
    }
    return key < 'name' ? { [key]: row, name } : { name, [key]: row };
  });
}

function byName(a: readonly [string, object], b: readonly [string, object]): number {
  return a[0] < b[0] ? -1 : 1;
}

function readField(row: Record<string, unknown>, name: string, type: FieldType): unknown {
  const value = row[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (!fits(value, type))
    throw new ClientConfigError(`${name} must be a ${type === 'strings' ? 'list of strings' : type}`);
  return value;
}

function fits(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'map':
      return isJsonObject(value);
    case 'map of lists':
      return isJsonObject(value) && Object.values(value).every((item) => fits(item, 'strings'));
    case 'list of maps':
      return Array.isArray(value) && value.every(isJsonObject);
    default:
      return typeof value === type;
  }
}

function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (!isJsonObject(value)) throw new ClientConfigError(`${what} must be a map`);
  return value;
}
