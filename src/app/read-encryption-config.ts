import { asList, asText, type Clock, isJsonObject, type JsonObject } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { DurationError, parseDurationMs } from '../machinery/go-values/index.ts';
import {
  aescbcCipher,
  aesgcmCipher,
  type EncryptionProvider,
  KmsCipher,
  type NamedKey,
  secretboxCipher,
  type ValueCipher,
} from '../storage/encryption/index.ts';

/** Resources, and the providers of their values in order. */
export interface EncryptedResources {
  /** `secrets`, `deployments.apps`. */
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

const keyMakers = { aescbc: aescbcCipher, aesgcm: aesgcmCipher, secretbox: secretboxCipher } as const;
const keySizes = { aescbc: [16, 24, 32], aesgcm: [16, 24, 32], secretbox: [32] } as const;
const maxEntries = 1000;
const defaultCacheSize = 1000;
const defaultTimeoutMs = 3000;

/** What reading a configuration needs. */
export interface ReadEncryptionOptions {
  readonly dialect: Dialect;
  readonly clock: Clock;
}

/**
 * Reads an `EncryptionConfiguration` out of a parsed file.
 *
 * @throws Error with the path of what is wrong. It says nothing of keys.
 */
export function readEncryptionConfig(
  value: unknown,
  { dialect, clock }: ReadEncryptionOptions,
): readonly EncryptedResources[] {
  const config = object(value, 'the file', ['apiVersion', 'kind', 'metadata', 'resources']);
  const apiVersion = `${dialect.group('apiserver.config')}/v1`;
  const isOld = config.kind === 'EncryptionConfig' && config.apiVersion === 'v1';
  if (!isOld && (config.kind !== 'EncryptionConfiguration' || config.apiVersion !== apiVersion)) {
    throw new Error(`kind and apiVersion must be EncryptionConfiguration and ${apiVersion}`);
  }
  return list(config.resources, 'resources').map((entry, index) => {
    const at = `resources[${index}]`;
    const { resources, providers } = object(entry, at, ['resources', 'providers']);
    return {
      resources: list(resources, `${at}.resources`).map((name, place) =>
        text(name, `${at}.resources[${place}]`),
      ),
      providers: list(providers, `${at}.providers`).map((provider, place) =>
        readProvider(provider, `${at}.providers[${place}]`, clock),
      ),
    };
  });
}

function readProvider(value: unknown, at: string, clock: Clock): EncryptionProvider {
  const provider = object(value, at, ['aescbc', 'aesgcm', 'secretbox', 'kms', 'identity']);
  const [kind, ...others] = Object.keys(provider);
  if (kind === undefined) throw new Error(`${at}: provider does not contain any of the expected providers`);
  if (others.length > 0) throw new Error(`${at}: more than one provider specified in a single element`);
  if (kind === 'identity') return { kind };
  if (kind === 'kms') return { kind, ciphers: [readKms(provider.kms, `${at}.kms`, clock)] };
  if (kind !== 'aescbc' && kind !== 'aesgcm' && kind !== 'secretbox') throw new RangeError(kind);
  const { keys } = object(provider[kind], `${at}.${kind}`, ['keys']);
  const ciphers = list(keys, `${at}.${kind}.keys`).map((key, index) =>
    readKey(key, `${at}.${kind}.keys[${index}]`, kind),
  );
  return { kind, ciphers };
}

function readKey(value: unknown, at: string, kind: keyof typeof keyMakers): ValueCipher {
  const { name, secret } = object(value, at, ['name', 'secret']);
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'base64') : Buffer.alloc(0);
  const sizes: readonly number[] = keySizes[kind];
  if (!sizes.includes(bytes.length)) {
    throw new Error(
      `${at}.secret: must be ${sizes.join(', ')} bytes in base64 for ${kind}, and has ${bytes.length}`,
    );
  }
  const key: NamedKey = { name: keyName(name, `${at}.name`), secret: bytes };
  return keyMakers[kind](key);
}

function readKms(value: unknown, at: string, clock: Clock): KmsCipher {
  const kms = object(value, at, ['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout']);
  const { cachesize: cacheSize = defaultCacheSize, timeout } = kms;
  if (typeof cacheSize !== 'number' || !Number.isInteger(cacheSize) || cacheSize <= 0)
    throw new Error(`${at}.cachesize: must be a positive number`);
  const timeoutMs = timeout === undefined ? defaultTimeoutMs : durationOf(timeout);
  if (!(timeoutMs > 0)) throw new Error(`${at}.timeout: must be a positive duration`);
  const endpoint = text(kms.endpoint, `${at}.endpoint`);
  if (!/^unix:\/\/\/./.test(endpoint)) throw new Error(`${at}.endpoint: must be unix:///PATH`);
  return new KmsCipher({ name: keyName(kms.name, `${at}.name`), endpoint, cacheSize, timeoutMs, clock });
}

/** NaN for what is none. */
function durationOf(value: unknown): number {
  try {
    return parseDurationMs(asText(value) ?? '');
  } catch (error) {
    if (error instanceof DurationError) return Number.NaN;
    throw error;
  }
}

/** Names stand between colons in stored values. */
function keyName(value: unknown, at: string): string {
  const name = text(value, at);
  if (name.includes(':') || name.length > 253)
    throw new Error(`${at}: must have no colon and at most 253 characters`);
  return name;
}

function object(value: unknown, at: string, known: readonly string[]): JsonObject {
  if (value === null && at.endsWith('.identity')) return {};
  if (!isJsonObject(value)) throw new Error(`${at}: must be an object`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${at}: unknown field ${JSON.stringify(unknown)}`);
  return value;
}

function list(value: unknown, at: string): readonly unknown[] {
  const entries = asList(value);
  if (!Array.isArray(value) || entries.length === 0 || entries.length > maxEntries) {
    throw new Error(`${at}: must be a list of 1 to ${maxEntries} entries`);
  }
  return entries;
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${at}: must be a text`);
  return value;
}
