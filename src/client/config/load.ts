import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { errorCode, errorText, fileErrorText } from '../../base/index.ts';
import type { ConfigLocations } from './locations.ts';
import { mergeClientConfigs } from './merge.ts';
import { type ClientConfig, ClientConfigError, type ClusterEntry, type UserEntry } from './model.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { decodeClientConfig } from './wire.ts';

/** A file above this size is no client configuration. */
const maxFileBytes = 16 * 1024 * 1024;

/**
 * Reads and merges the files; those that do not exist count as empty unless the user named one. Relative paths
 * inside a file become absolute, seen from its folder.
 *
 * @throws ClientConfigError when a file cannot be read or is no configuration.
 */
export async function loadClientConfig(locations: ConfigLocations): Promise<ClientConfig> {
  const configs: ClientConfig[] = [];
  for (const file of locations.files) {
    const config = await readClientConfigFile(file);
    if (config === undefined && locations.isExplicit)
      throw new ClientConfigError(`stat ${file}: no such file or directory`);
    if (config !== undefined) configs.push(seenFrom(config, resolve(file)));
  }
  return configs.length === 1 && configs[0] !== undefined ? configs[0] : mergeClientConfigs(configs);
}

/**
 * Reads one file as it stands; undefined when there is none.
 *
 * @throws ClientConfigError when it cannot be read or is no configuration.
 */
export async function readClientConfigFile(file: string): Promise<ClientConfig | undefined> {
  const document = await loadDocument(file);
  if (document === undefined) return undefined;
  try {
    return decodeClientConfig(document);
  } catch (error) {
    const detail = errorText(error);
    throw new ClientConfigError(`error loading config file "${file}": ${detail}`, { cause: error });
  }
}

/**
 * The parsed document of a file, null when it is empty; undefined when there is none.
 *
 * @throws ClientConfigError when it cannot be read or parsed.
 */
export async function loadDocument(file: string): Promise<unknown> {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    return (await parseDocument(text)) ?? null;
  } catch (error) {
    const detail = errorText(error);
    throw new ClientConfigError(`error loading config file "${file}": ${detail}`, { cause: error });
  }
}

function readText(file: string): string | undefined {
  try {
    // One small file, needed before anything else can happen: a synchronous read is the fastest way.
    const bytes = readFileSync(file);
    if (bytes.length > maxFileBytes)
      throw new ClientConfigError(`error loading config file "${file}": too large`);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof ClientConfigError) throw error;
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ClientConfigError(`error loading config file "${file}": ${fileErrorText(error, file)}`, {
      cause: error,
    });
  }
}

/** JSON and plain documents are YAML too, and need no YAML library, whose loading a command would notice. */
async function parseDocument(text: string): Promise<unknown> {
  if (text.trimStart().startsWith('{')) return JSON.parse(text);
  const plain = readPlainYaml(text);
  if (plain !== undefined) return plain;
  const { CORE_SCHEMA, load } = await import('js-yaml');
  return text.trim() === '' ? undefined : load(text, { schema: CORE_SCHEMA });
}

function seenFrom(config: ClientConfig, file: string): ClientConfig {
  const folder = dirname(file);
  return {
    ...config,
    clusters: mapValues(config.clusters, (entry: ClusterEntry) =>
      resolveFields(entry, ['certificateAuthority'], folder),
    ),
    users: mapValues(config.users, (entry: UserEntry) => {
      const found = resolveFields(entry, ['clientCertificate', 'clientKey', 'tokenFile'], folder);
      const user = withCommandFolder(found, folder);
      return user.authProvider === undefined ? user : { ...user, origin: file };
    }),
  };
}

/** A command with a slash is a path as well; others are looked for where all commands are. */
function withCommandFolder(entry: UserEntry, folder: string): UserEntry {
  const { exec } = entry;
  const command = exec?.command;
  if (typeof command !== 'string' || !command.includes('/') || isAbsolute(command)) return entry;
  return { ...entry, exec: { ...exec, command: resolve(folder, command) } };
}

function resolveFields<T extends object>(entry: T, fields: readonly (keyof T)[], folder: string): T {
  const changed: Partial<Record<keyof T, unknown>> = {};
  for (const field of fields) {
    const path = entry[field];
    if (typeof path === 'string' && !isAbsolute(path)) changed[field] = resolve(folder, path);
  }
  return { ...entry, ...changed };
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T) => T): Map<string, T> {
  return new Map([...map].map(([name, value]) => [name, change(value)]));
}
