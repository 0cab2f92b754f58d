import { statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { createDialect } from '../../machinery/dialect.ts';

/** The variables that matter for plugins. */
type PluginEnv = Readonly<Record<string, string | undefined>>;

/**
 * Programs whose names begin so are commands of the client: `ctl-NAME` runs as `ctl NAME`. In the other dialect those of the
 * release's client are as well, and win. No flag may stand before the name, so that only the environment can say which it is.
 */
export function pluginPrefixes({ ORCH_DIALECT: name }: PluginEnv): readonly string[] {
  const dialect = createDialect(name === 'kubernetes' ? name : 'orch');
  return [...new Set([`${dialect.spell('ctl')}-`, 'ctl-'])];
}

/** A program that serves as a command. */
export interface PluginCall {
  readonly path: string;
  /** What follows the words that its name is made of. */
  readonly args: readonly string[];
}

/**
 * The program for a command line whose first word is no command: that of the most words before the first flag, joined by
 * dashes (`ctl foo bar -x` runs `ctl-foo-bar -x`, else `ctl-foo bar -x`). Dashes within a word are underscores in file
 * names. Undefined when PATH has none.
 */
export function findPlugin(argv: readonly string[], env: PluginEnv): PluginCall | undefined {
  const flagAt = argv.findIndex((word) => word.startsWith('-'));
  const words = argv
    .slice(0, flagAt < 0 ? argv.length : flagAt)
    .slice(0, maxWords)
    .map((word) => word.replaceAll('-', '_'));
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join('-');
    // A word with a slash would lead out of the folders of PATH.
    if (name.includes('/')) continue;
    const found = pluginPrefixes(env)
      .flatMap((prefix) => pathFolders(env.PATH ?? '').map((folder) => join(folder, prefix + name)))
      .find(isExecutable);
    if (found !== undefined) return { path: found, args: argv.slice(count) };
  }
  return undefined;
}

/** Names of programs are not made of more words than this. */
const maxWords = 16;

/** The folders of PATH, each once; relative ones are left out, so that a command is the same wherever it is typed. */
export function pathFolders(path: string): readonly string[] {
  return [...new Set(path.split(delimiter))].filter(isAbsolute);
}

/** Whether a path is a file that somebody may execute. */
export function isExecutable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}
