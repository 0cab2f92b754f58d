import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { isExecutable, pathFolders, pluginPrefixes } from './find-plugin.ts';

const options = [
  {
    name: 'name-only',
    type: 'bool',
    section: 'Output',
    help: 'Print the names of the files only, not where they are.',
  },
] as const;

/** `ctl plugin list`: the programs on PATH that are commands, and what keeps them from being called. */
export const pluginListVerb = defineVerb({
  program: {
    name: 'ctl plugin list',
    summary: 'List the programs on PATH that serve as commands',
    options,
  },
  async run({ io, commands }, { options: { nameOnly } }) {
    const seen = new Map<string, string>();
    let warnings = 0;
    const prefixes = pluginPrefixes(io.env);
    const tell = (text: string) => io.stderr.write(text);
    for (const { folder, name } of findPluginFiles(io.env.PATH ?? '', prefixes, tell)) {
      if (seen.size === 0) io.stdout.write('The following compatible plugins are available:\n\n');
      const path = join(folder, name);
      io.stdout.write(`${nameOnly ? name : path}\n`);
      const found = warningsAbout({ path, name, earlier: seen.get(name), commands, prefixes });
      for (const text of found) io.stderr.write(`  - warning: ${text}\n`);
      warnings += found.length;
      if (!seen.has(name)) seen.set(name, path);
    }
    if (seen.size === 0)
      throw new CtlError(`unable to find any ${prefixes[0]?.slice(0, -1)} plugins in your PATH`);
    if (warnings > 0)
      throw new CtlError(
        warnings === 1 ? 'one plugin warning was found' : `${warnings} plugin warnings were found`,
      );
  },
});

interface PluginFile {
  readonly folder: string;
  readonly name: string;
}

function findPluginFiles(
  path: string,
  prefixes: readonly string[],
  tell: (text: string) => void,
): readonly PluginFile[] {
  return pathFolders(path).flatMap((folder) => {
    try {
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => !entry.isDirectory() && prefixOf(entry.name, prefixes) !== undefined)
        .map(({ name }) => ({ folder, name }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      tell(
        `Unable to read directory ${JSON.stringify(folder)} from your PATH: ${errorText(error)}. Skipping...\n`,
      );
      return [];
    }
  });
}

const prefixOf = (name: string, prefixes: readonly string[]): string | undefined =>
  prefixes.find((prefix) => name.startsWith(prefix));

interface PluginFacts {
  readonly path: string;
  readonly name: string;
  /** Where PATH has another of this name before. */
  readonly earlier: string | undefined;
  readonly commands: readonly string[];
  readonly prefixes: readonly string[];
}

/** A command of the client wins over any program that is named after it or after words that follow it. */
function warningsAbout({ path, name, earlier, commands, prefixes }: PluginFacts): string[] {
  const prefix = prefixOf(name, prefixes) ?? '';
  const client = prefix.slice(0, -1);
  const word = name.slice(prefix.length).split('-')[0] ?? '';
  const own = commands.find((command) => command.replaceAll('-', '_') === word);
  return [
    ...(isExecutable(path) ? [] : [`${path} identified as a ${client} plugin, but it is not executable`]),
    ...(earlier === undefined ? [] : [`${path} is overshadowed by a similarly named plugin: ${earlier}`]),
    ...(own === undefined ? [] : [`${name} overwrites existing command: "${client} ${own}"`]),
  ];
}
