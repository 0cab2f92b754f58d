import { readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isJsonObject, writeFileAtomic } from '../../base/index.ts';
import type { OptionSpec, ProgramSpec } from '../../config/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderTable } from '../human-table.ts';
import type { ProgramIo } from '../program-io.ts';
import { readCommand } from '../read-command.ts';
import { openOclif } from './open-oclif.ts';
import {
  pluginsLinkProgram,
  pluginsListProgram,
  pluginsOptions,
  pluginsUnlinkProgram,
} from './plugins-program.ts';

/** `orch plugins list`. Returns the exit code. @throws OptionsError */
export async function runPluginsList(argv: readonly string[], io: ProgramIo): Promise<number> {
  if ((await read(argv, io, pluginsListProgram)) === undefined) return exitCodes.success;
  const oclif = await openOclif();
  const rows = readLinkedPlugins(oclif.dataDir).map(({ name, root }) => {
    const plugin = oclif.plugins.get(name);
    const ids = plugin?.commandIDs.map((id) => id.replaceAll(':', ' ')).sort() ?? [];
    return [name, plugin?.version ?? '-', ids.join(', ') || '-', root];
  });
  io.out(
    rows.length === 0
      ? 'No plugins are linked.\n'
      : await renderTable({ head: ['NAME', 'VERSION', 'COMMANDS', 'FOLDER'], rows }, io),
  );
  return exitCodes.success;
}

/** `orch plugins link`. Returns the exit code. @throws OptionsError, and Error for a folder that is no plugin */
export async function runPluginsLink(argv: readonly string[], io: ProgramIo): Promise<number> {
  const folder = (await read(argv, io, pluginsLinkProgram, ['a folder']))?.[0];
  if (folder === undefined) return exitCodes.success;
  const root = resolve(folder);
  const name = await pluginName(root);
  const { dataDir, name: ownName, plugins } = await openOclif();
  const { Plugin } = await import('@oclif/core/config');
  const plugin = new Plugin({ name, root, type: 'link', ignoreManifest: true });
  await plugin.load();
  if (name === ownName) throw new Error(`${root} is ${name} itself`);
  const others = readLinkedPlugins(dataDir).filter((linked) => linked.name !== name);
  await writeLinkedPlugins(dataDir, [...others, { name, root }]);
  const show = (id: string): string => id.replaceAll(':', ' ');
  io.out(
    `linked ${name} ${plugin.version}: ${plugin.commandIDs.map(show).sort().join(', ') || 'no commands'}\n`,
  );
  const own = new Set(plugins.get(ownName)?.commandIDs);
  for (const id of plugin.commandIDs.filter((id) => own.has(id)))
    io.err(`warning: ${show(id)} is a command of orch, which the one of ${name} does not replace\n`);
  return exitCodes.success;
}

/** `orch plugins unlink`. Returns the exit code. @throws OptionsError, and Error for a plugin that is not linked */
export async function runPluginsUnlink(argv: readonly string[], io: ProgramIo): Promise<number> {
  const name = (await read(argv, io, pluginsUnlinkProgram, ['a name']))?.[0];
  if (name === undefined) return exitCodes.success;
  const { dataDir } = await openOclif();
  const linked = readLinkedPlugins(dataDir);
  const others = linked.filter((plugin) => plugin.name !== name && plugin.root !== resolve(name));
  if (others.length === linked.length) throw new Error(`no plugin ${JSON.stringify(name)} is linked`);
  await writeLinkedPlugins(dataDir, others);
  io.out(`unlinked ${name}\n`);
  return exitCodes.success;
}

/** The arguments; undefined when help was asked for, which is then printed. */
async function read(
  argv: readonly string[],
  io: ProgramIo,
  program: ProgramSpec,
  names: readonly string[] = [],
): Promise<readonly string[] | undefined> {
  const specs: readonly OptionSpec[] = pluginsOptions;
  return (await readCommand(argv, io, { program, specs, arguments: names }))?.arguments;
}

/** @throws Error unless the folder has a package with a name that says how oclif finds its commands */
async function pluginName(root: string): Promise<string> {
  const file = join(root, 'package.json');
  const content: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (isJsonObject(content) && typeof content.name === 'string' && isJsonObject(content.oclif))
    return content.name;
  throw new Error(`${file}: not a plugin for oclif: it needs a name, and an oclif section`);
}

/** A plugin in a folder of its own, as oclif's list of plugins has it. */
interface LinkedPlugin {
  readonly name: string;
  /** Absolute path of its folder. */
  readonly root: string;
}

/** The list is in a `package.json` of oclif's data directory: where oclif itself looks for plugins of the user. */
const listName = 'package.json';

/** The plugins of the list, those first that were linked first; none when there is no list. @throws Error of a list that is no JSON */
function readLinkedPlugins(dataDirectory: string): readonly LinkedPlugin[] {
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
async function writeLinkedPlugins(dataDirectory: string, plugins: readonly LinkedPlugin[]): Promise<void> {
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
