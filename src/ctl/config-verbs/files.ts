import { statSync } from 'node:fs';
import {
  type ClientConfig,
  type ConfigEdit,
  type ConfigLocations,
  type ConfigSection,
  editClientConfigFile,
  loadClientConfig,
  readClientConfigFile,
} from '../../client/config/index.ts';
import type { Ctl } from '../ctl.ts';

/** All files merged. A file that the user named but that does not exist yet is empty here: `config` may make it. */
export function loadMerged({ locations }: Ctl): Promise<ClientConfig> {
  return loadClientConfig({ ...locations, isExplicit: false });
}

/** The file to change for an entry: the one that has it, else the one for new entries. */
export async function fileOf({ locations }: Ctl, section: ConfigSection, name: string): Promise<string> {
  for (const file of locations.files) {
    if ((await readClientConfigFile(file))?.[section].has(name)) return file;
  }
  return defaultFile(locations);
}

/** The file for the current context: the first that says one, else the one for new entries. */
export async function fileOfCurrentContext({ locations }: Ctl): Promise<string> {
  for (const file of locations.files) {
    if ((await readClientConfigFile(file))?.currentContext) return file;
  }
  return defaultFile(locations);
}

/** Changes a file. @throws ClientConfigError */
export function edit(file: string, ...edits: readonly ConfigEdit[]): Promise<void> {
  return editClientConfigFile(file, edits);
}

function defaultFile({ files, isFromEnvironment }: ConfigLocations): string {
  const existing = files.find((file) => statSync(file, { throwIfNoEntry: false }) !== undefined);
  // Of several named by the environment, a new file is the last; in the home folder it is the product's own.
  return existing ?? (isFromEnvironment ? files.at(-1) : files[0]) ?? '';
}
