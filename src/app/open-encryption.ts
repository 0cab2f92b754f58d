import { errorText } from '../base/index.ts';
import { OptionsError } from '../config/index.ts';
import { type ServeConfig, storageRoot } from '../config/serve/index.ts';
import {
  createEncryptedStorage,
  type EncryptionProvider,
  KmsCipher,
  ProviderChain,
} from '../storage/encryption/index.ts';
import type { Storage } from '../storage/index.ts';
import type { ApiModel } from './api-model.ts';
import {
  type EncryptedResources,
  type ReadEncryptionOptions,
  readEncryptionConfig,
} from './read-encryption-config.ts';
import { readFlagFile } from './read-flag-file.ts';

/** Encryption of stored values as the flags say. */
export interface Encryption extends Disposable {
  /** The store with its values sealed, where they are to be. */
  over(storage: Storage): Storage;
  /** The services that must answer, in the order of the file. */
  readonly services: readonly { check(): Promise<void> }[];
}

const flag = 'encryption-provider-config';

/** Reads the file of `--encryption-provider-config`, at `path`. @throws OptionsError naming what is wrong with it */
export async function openEncryption(
  path: string,
  config: ServeConfig,
  model: Pick<ApiModel, 'dialect' | 'table'>,
  options: Pick<ReadEncryptionOptions, 'clock'>,
): Promise<Encryption> {
  const entries = await readEntries(path, { dialect: model.dialect, ...options });
  const chains = chainsOf(entries, model.table, storageRoot(config));
  const services = entries.flatMap(({ providers }) => providers.flatMap(servicesOf));
  return {
    over: (storage) => createEncryptedStorage(storage, createLookup(chains)),
    services,
    [Symbol.dispose]() {
      for (const service of services) service[Symbol.dispose]();
    },
  };
}

async function readEntries(
  path: string,
  options: ReadEncryptionOptions,
): Promise<readonly EncryptedResources[]> {
  const text = await readFlagFile(flag, path);
  try {
    const { CORE_SCHEMA, load } = await import('js-yaml');
    return readEncryptionConfig(load(text, { schema: CORE_SCHEMA }), options);
  } catch (error) {
    // A parser's message would show the line, and keys are in it.
    const isParsed = error instanceof Error && error.name !== 'YAMLException';
    throw new OptionsError([`--${flag}: ${path}: ${isParsed ? errorText(error) : 'it is not YAML'}`]);
  }
}

/** Providers by prefix of keys; of a resource that is named several times, the first entry counts. */
function chainsOf(
  entries: readonly EncryptedResources[],
  table: ApiModel['table'],
  root: string,
): ReadonlyMap<string, ProviderChain> {
  const chains = new Map<string, ProviderChain>();
  for (const { resources, providers } of entries) {
    const chain = new ProviderChain(providers);
    for (const name of resources) {
      const prefix = prefixOf(name, table, root);
      if (!chains.has(prefix)) chains.set(prefix, chain);
    }
  }
  return chains;
}

/** `deployments.apps` is stored below `/registry/deployments/`; what is not built in, below its group. */
function prefixOf(name: string, table: ApiModel['table'], root: string): string {
  const [resource = '', ...rest] = name.split('.');
  const group = rest.join('.');
  const found = table.resources.find(
    (candidate) =>
      candidate.resource === resource && candidate.group === group && candidate.storePrefix !== undefined,
  );
  return `${root}${found?.storePrefix ?? `/${group}/${resource}`}/`;
}

/** Values of one resource often follow one another. */
function createLookup(
  chains: ReadonlyMap<string, ProviderChain>,
): (key: string) => ProviderChain | undefined {
  const prefixes = [...chains];
  return (key) => {
    for (const [prefix, chain] of prefixes) if (key.startsWith(prefix)) return chain;
    return undefined;
  };
}

const servicesOf = (provider: EncryptionProvider): KmsCipher[] =>
  provider.kind === 'identity' ? [] : provider.ciphers.filter((cipher) => cipher instanceof KmsCipher);
