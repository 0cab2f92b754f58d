import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { errorText, isJsonObject } from '../../../base/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** A plugin's part of a configuration. */
export type PluginConfig = Json & { readonly type: string };

/** A network: plugins that are run one after the other. */
export interface NetworkConfig {
  readonly name: string;
  readonly cniVersion: string;
  readonly plugins: readonly PluginConfig[];
}

const extensions: ReadonlySet<string> = new Set(['.conf', '.conflist', '.json']);
const maxFileBytes = 1024 * 1024;

/** The configuration in a folder's first usable file by name, or why there is none. */
export async function readNetwork(folder: string): Promise<NetworkConfig | { readonly problem: string }> {
  const names = await readdir(folder).catch(() => []);
  const problems: string[] = [];
  for (const name of names.filter((each) => extensions.has(extname(each))).sort()) {
    try {
      return parseNetwork(await readFile(join(folder, name), 'utf8'));
    } catch (error) {
      problems.push(`${name}: ${errorText(error)}`);
    }
  }
  const what =
    problems.length === 0 ? `no networks found in ${folder}` : `no valid networks found in ${folder}`;
  return { problem: [what, ...problems].join('; ') };
}

/** @throws Error for text that is no configuration of a network, or of a plugin alone */
export function parseNetwork(text: string): NetworkConfig {
  if (text.length > maxFileBytes) throw new Error('larger than a configuration can be');
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error('expected an object');
  const plugins: unknown = value.plugins ?? [value];
  if (!Array.isArray(plugins) || plugins.length === 0 || !plugins.every(isPlugin)) {
    throw new Error('expected plugins with a type');
  }
  const { name, cniVersion } = value;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name))
    throw new Error('expected a name');
  return { name, cniVersion: typeof cniVersion === 'string' ? cniVersion : '0.1.0', plugins };
}

/** A type is the name of a program in one of the plugin folders; a path that leads out of them is refused. */
const isPlugin = (value: unknown): value is PluginConfig =>
  isJsonObject(value) && typeof value.type === 'string' && /^[a-zA-Z0-9_.-]+$/.test(value.type);
