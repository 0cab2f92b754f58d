import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, writeFileAtomic } from '../../base/index.ts';

/** A plugin in a folder of its own, as oclif's list of plugins has it. */
export interface LinkedPlugin {
  readonly name: string;
  /** Absolute path of its folder. */
  readonly root: string;
}

/** The list is in a `package.json` of oclif's data directory: where oclif itself looks for plugins of the user. */
const listName = 'package.json';

/** The plugins of the list, those first that were linked first; none when there is no list. @throws Error of a list that is no JSON */
export function readLinkedPlugins(dataDirectory: string): readonly LinkedPlugin[] {
  const { oclif } = readList(dataDirectory);
  const entries: unknown = isJsonObject(oclif) ? oclif.plugins : undefined;
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) =>
    isJsonObject(entry) && typeof entry.name === 'string' && typeof entry.root === 'string'
      ? [{ name: entry.name, root: entry.root }]
      : [],
  );
}

/** Replaces the list; what else the file says stays. */
export async function writeLinkedPlugins(
  dataDirectory: string,
  plugins: readonly LinkedPlugin[],
): Promise<void> {
  const entries = plugins.map(({ name, root }) => ({ name, root, type: 'link' }));
  const list = { private: true, ...readList(dataDirectory), oclif: { schema: 1, plugins: entries } };
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await writeFileAtomic(join(dataDirectory, listName), `${JSON.stringify(list, null, 2)}\n`);
}

function readList(dataDirectory: string): Readonly<Record<string, unknown>> {
  try {
    const list: unknown = JSON.parse(readFileSync(join(dataDirectory, listName), 'utf8'));
    return isJsonObject(list) ? list : {};
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
