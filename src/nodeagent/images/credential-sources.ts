import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import type { CredentialSource } from './credential-source.ts';
import { Keyring } from './keyring.ts';
import { type LegacyConfigEntries, readConfig, readConfigJson } from './registry-config.ts';

/** Settings that decide where registry credentials of the node come from. */
export interface CredentialSourcesOptions {
  readonly config: Pick<
    AgentConfig,
    'rootDir' | 'imageCredentialProviderBinDir' | 'imageCredentialProviderConfig' | 'features'
  >;
  /** Folder of the user who runs the agent; none when left out. */
  readonly homeFolder?: string | undefined;
  /** Environment that the programs of providers get. */
  readonly environment: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Where the node itself has credentials: files of the agent's and the user's folder, and providers where their feature is
 * on.
 *
 * @throws Error when the configuration of providers cannot be read
 */
export async function openCredentialSources(
  options: CredentialSourcesOptions,
): Promise<readonly CredentialSource[]> {
  const { config, homeFolder, logger } = options;
  const folders = [
    config.rootDir,
    ...(homeFolder === undefined ? [] : [`${homeFolder}/.docker`, homeFolder]),
  ];
  const files = createCredentialFiles({ folders, logger });
  const path = config.imageCredentialProviderConfig;
  if (path === '' || !config.features.NodeAgentCredentialProviders) return [files];
  // Hardly any node has providers.
  const [{ createCredentialProviders }, { readCredentialProviders }] = await Promise.all([
    import('./credential-providers.ts'),
    import('./credential-provider-config.ts'),
  ]);
  const providers = readCredentialProviders(await readFile(path));
  const binDirectory = resolve(config.imageCredentialProviderBinDir);
  return [files, ...createCredentialProviders({ ...options, providers, binDirectory })];
}

/** Where files with registry credentials are looked for. */
interface CredentialFilesOptions {
  /** Folders that are searched for `config.json` and, after all of those, for `.dockercfg`; the first file counts. */
  readonly folders: readonly string[];
  readonly logger: Logger;
}

/** Credentials from files of the node, read anew for each pull. A file that cannot be used is logged and skipped. */
function createCredentialFiles({ folders, logger }: CredentialFilesOptions): CredentialSource {
  const files = [
    ...folders.map((folder) => ({ path: `${folder}/config.json`, read: readConfigJson })),
    ...folders.map((folder) => ({ path: `${folder}/.dockercfg`, read: readConfig })),
  ];
  const readFirst = async (): Promise<LegacyConfigEntries> => {
    for (const { path, read } of files) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      try {
        return read(text);
      } catch (error) {
        logger.error('registry credential file unusable', { path, error });
      }
    }
    return new Map();
  };
  return {
    async find(repository) {
      const keyring = new Keyring();
      keyring.add(await readFirst());
      return keyring.find(repository);
    },
  };
}
