import { readFile } from 'node:fs/promises';
import type { Logger } from '../../base/index.ts';
import type { CredentialSource } from './credential-source.ts';
import { Keyring } from './keyring.ts';
import { type LegacyConfigEntries, readConfig, readConfigJson } from './registry-config.ts';

/** Where files with registry credentials are looked for. */
export interface CredentialFilesOptions {
  /** Folders that are searched for `config.json` and, after all of those, for `.dockercfg`; the first file counts. */
  readonly folders: readonly string[];
  readonly logger: Logger;
}

/** Credentials from files of the node, read anew for each pull. A file that cannot be used is logged and skipped. */
export function createCredentialFiles({ folders, logger }: CredentialFilesOptions): CredentialSource {
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
