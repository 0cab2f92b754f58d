import type { ProgramSpec } from '../../config/index.ts';

const helpOption = {
  name: 'help',
  short: 'h',
  type: 'bool',
  section: 'General',
  help: 'Show this help.',
} as const;

/** Options of the commands below `orch plugins`. */
export const pluginsOptions = [helpOption] as const;

/** `orch plugins list` for help, man page and completion. */
export const pluginsListProgram: ProgramSpec = {
  name: 'orch plugins list',
  summary: 'List the plugins that are linked, with their commands',
  options: pluginsOptions,
};

/** `orch plugins link` for help, man page and completion. */
export const pluginsLinkProgram: ProgramSpec = {
  name: 'orch plugins link',
  summary: 'Take the commands of the oclif plugin in a folder',
  usage: 'FOLDER [flags]',
  description: [
    'The folder stays where it is: what changes there counts at once. Plugins run with the rights of the user; link only what you trust.',
  ],
  options: pluginsOptions,
};

/** `orch plugins unlink` for help, man page and completion. */
export const pluginsUnlinkProgram: ProgramSpec = {
  name: 'orch plugins unlink',
  summary: 'Let a plugin go; its folder is left alone',
  usage: 'NAME [flags]',
  options: pluginsOptions,
};

/** `orch plugins` for help, man page and completion. */
export const pluginsProgram: ProgramSpec = {
  name: 'orch plugins',
  summary: 'Look after commands that plugins add: list, link, unlink',
  usage: 'COMMAND [flags]',
  description: [
    'A plugin is a package for oclif, with commands and hooks, in a folder of its own. Its commands stand beside those of orch, which cannot be replaced.',
  ],
  options: pluginsOptions,
  commands: [pluginsListProgram, pluginsLinkProgram, pluginsUnlinkProgram],
  examples: [
    { command: 'orch plugins link ./orch-plugin-hello', does: 'take the commands of a plugin' },
    { command: 'orch help hello', does: 'show the help of one of them' },
  ],
};
