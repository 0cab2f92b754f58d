import type { OptionSpec } from '../../config/index.ts';

/** `-o` of the commands that open an editor. */
export const editOutputOption = {
  name: 'output',
  short: 'o',
  type: 'string',
  suggested: ['json', 'yaml'],
  section: 'Output',
  help: 'Format to edit in, and to print the changed objects in: yaml or json. By default yaml is edited, and a line says what was done.',
} as const satisfies OptionSpec;

/** `--windows-line-endings`. */
export const windowsLineEndingsOption = {
  name: 'windows-line-endings',
  type: 'bool',
  section: 'Output',
  help: 'End the lines of the file to edit as Windows does.',
} as const satisfies OptionSpec;

/** `--output-patch`. */
export const outputPatchOption = {
  name: 'output-patch',
  type: 'bool',
  section: 'Output',
  help: 'Print the patch that is sent for an edited object.',
} as const satisfies OptionSpec;
