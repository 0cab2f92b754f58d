import type { OptionSpec } from '../../config/index.ts';
import { CtlError } from '../errors.ts';
import { namesSources, type SourceRequest } from '../resource/read-sources.ts';

/** `-f`: files, folders, URLs, `-` for standard input. */
export const filenameOption = {
  name: 'filename',
  short: 'f',
  type: 'strings',
  valueName: 'FILE',
  section: 'Selection',
  help: 'File, folder or URL with the objects; - reads the standard input.',
} as const satisfies OptionSpec;

/** `-R`: folders below folders. */
export const recursiveOption = {
  name: 'recursive',
  short: 'R',
  type: 'bool',
  section: 'Selection',
  help: 'Read the folders below a folder too.',
} as const satisfies OptionSpec;

/** `-k`. */
const kustomizeOption = {
  name: 'kustomize',
  short: 'k',
  type: 'string',
  valueName: 'FOLDER',
  section: 'Selection',
  help: 'Folder with a kustomization whose objects are taken.',
} as const satisfies OptionSpec;

/** Options that name objects by files. */
export const fileOptions = [filenameOption, kustomizeOption, recursiveOption] as const;

/** What these options name; not every command has all of them. */
export const sourcesOf = ({ filename, recursive, kustomize }: FileOptions): SourceRequest => ({
  filenames: filename,
  isRecursive: recursive,
  kustomize,
});

/** Values of `-f`, `-R` and, where a command has it, `-k`. */
export interface FileOptions {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly kustomize?: string | undefined;
}

/** Whether a command line names files. */
export const hasFiles = (options: FileOptions): boolean => namesSources(sourcesOf(options));

/** `-l`. */
export const selectorOption = {
  name: 'selector',
  short: 'l',
  type: 'string',
  section: 'Selection',
  help: 'Only objects whose labels fit, such as app=web,tier!=cache.',
} as const satisfies OptionSpec;

/** `--field-selector`. */
export const fieldSelectorOption = {
  name: 'field-selector',
  type: 'string',
  section: 'Selection',
  help: 'Only objects whose fields fit, such as status.phase=Running. Servers know few fields per type.',
} as const satisfies OptionSpec;

/** `-A`. */
export const allNamespacesOption = {
  name: 'all-namespaces',
  short: 'A',
  type: 'bool',
  section: 'Selection',
  help: 'Work in all namespaces, whatever --namespace says.',
} as const satisfies OptionSpec;

/** `--all`. */
export const allOption = {
  name: 'all',
  type: 'bool',
  section: 'Selection',
  help: 'Take all objects of the given types in the namespace.',
} as const satisfies OptionSpec;

/** `-o`. */
export const outputOption = {
  name: 'output',
  short: 'o',
  type: 'string',
  section: 'Output',
  help: 'Output format: json, yaml, name, wide, jsonpath=TEMPLATE, jsonpath-as-json=TEMPLATE, jsonpath-file=FILE, go-template=TEMPLATE, go-template-file=FILE, custom-columns=COLUMNS or custom-columns-file=FILE.',
} as const satisfies OptionSpec;

/** `--template`. */
export const templateOption = {
  name: 'template',
  type: 'string',
  section: 'Output',
  help: 'Template, or its file, for an output format that names none; without -o a go-template.',
} as const satisfies OptionSpec;

/**
 * What `-o` and `--template` say together, as one text of `-o`: scripts give the template in either place. Undefined for
 * templates in both, which is no format.
 */
export function joinTemplate(output: string | undefined, template: string): string | undefined {
  if (!output) return `go-template=${template}`;
  if (!/^(go-template|template|jsonpath|custom-columns)/.test(output)) return output;
  return output.includes('=') ? undefined : `${output}=${template}`;
}

/** `--allow-missing-template-keys`. */
export const missingKeysOption = {
  name: 'allow-missing-template-keys',
  type: 'bool',
  default: true,
  section: 'Output',
  help: 'Let templates find nothing where a field is missing, instead of failing.',
} as const satisfies OptionSpec;

/** `--show-managed-fields`. */
export const managedFieldsOption = {
  name: 'show-managed-fields',
  type: 'bool',
  default: true,
  section: 'Output',
  help: 'Keep metadata.managedFields when objects are printed as JSON or YAML.',
} as const satisfies OptionSpec;

/** Options with which objects are printed after a change. */
export const printOptions = [outputOption, templateOption, missingKeysOption, managedFieldsOption] as const;

/** `--dry-run`; alone it means the client, as it did before it had values. */
export const dryRunOption = {
  name: 'dry-run',
  type: 'string',
  default: 'none',
  impliedValue: 'unchanged',
  suggested: ['none', 'client', 'server'],
  section: 'Changes',
  help: 'client: only print what would be sent; server: let the server try it without keeping anything; none: do it.',
} as const satisfies OptionSpec;

/** `--field-manager`. */
export const fieldManagerOption = {
  name: 'field-manager',
  type: 'string',
  section: 'Changes',
  help: 'Name under which the server records who set which field. By default made from the name of the command.',
} as const satisfies OptionSpec;

/** What `--dry-run` says. */
export type DryRun = 'none' | 'client' | 'server';

/** Values of `--dry-run`: later releases do not know it without one, which is `unchanged`, nor truths. */
const dryRuns: ReadonlyMap<string, DryRun> = new Map([
  ['none', 'none'],
  ['client', 'client'],
  ['server', 'server'],
  ['unchanged', 'client'],
  ['true', 'client'],
  ['false', 'none'],
]);

/** Reads `--dry-run`. @throws CtlError in the words of release 1.20 */
export function readDryRun(value: string): DryRun {
  const dryRun = dryRuns.get(value);
  if (dryRun !== undefined) return dryRun;
  throw new CtlError(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
}
