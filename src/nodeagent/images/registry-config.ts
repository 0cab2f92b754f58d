import type { Secret } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** A name and password for a registry. */
export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** Logins by registry, in the order in which they are written. */
export type LegacyConfigEntries = ReadonlyMap<string, RegistryLogin>;

/** Content of a credential file or secret that cannot be read. The message reveals nothing of its contents. */
export class RegistryConfigError extends Error {
  override readonly name = 'RegistryConfigError';
}

/** Logins of pull secrets, one item per secret; secrets of other types are none. @throws RegistryConfigError */
export function readPullSecrets(secrets: readonly Secret[], dialect: Dialect): LegacyConfigEntries[] {
  return secrets.flatMap(({ type, data }) => {
    const json = data?.['.dockerconfigjson'];
    if (type === dialect.spell('orch.io/dockerconfigjson') && json) return [readConfigJson(decode(json))];
    const legacy = data?.['.dockercfg'];
    if (type === dialect.spell('orch.io/dockercfg') && legacy) return [readConfig(decode(legacy))];
    return [];
  });
}

/** Logins of a `config.json`. @throws RegistryConfigError */
export function readConfigJson(text: string): LegacyConfigEntries {
  const { auths } = parseObject(text);
  return auths === undefined || auths === null ? new Map() : readEntries(auths);
}

/** Logins of the older form, without the field `auths`. @throws RegistryConfigError */
export function readConfig(text: string): LegacyConfigEntries {
  return readEntries(parseObject(text));
}

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would quote the secret.
    throw new RegistryConfigError('registry credentials: not JSON');
  }
  return asObject(value);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RegistryConfigError('registry credentials: expected an object');
  }
  // A JSON object that is no array has string keys.
  return value as Readonly<Record<string, unknown>>;
}

function readEntries(value: unknown): LegacyConfigEntries {
  return new Map(
    Object.entries(asObject(value)).map(([registry, entry]) => [registry, readLogin(asObject(entry))]),
  );
}

function readLogin({ username, password, auth }: Readonly<Record<string, unknown>>): RegistryLogin {
  if (typeof auth === 'string' && auth !== '') return splitAuth(auth);
  return { username: readText(username), password: readText(password) };
}

function readText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new RegistryConfigError('registry credentials: expected a string');
  return value;
}

function splitAuth(auth: string): RegistryLogin {
  const text = decode(auth);
  const colon = text.indexOf(':');
  if (colon < 0) {
    throw new RegistryConfigError(
      'unable to parse auth field, must be formatted as base64(username:password)',
    );
  }
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
