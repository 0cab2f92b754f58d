import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import { createCredentialFiles } from './credential-files.ts';
import type { CredentialSource } from './credential-source.ts';

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
