import type { OptionSpec } from '../../config/index.ts';
import { recordOption } from '../options/change.ts';
import {
  allNamespacesOption,
  allOption,
  dryRunOption,
  fieldManagerOption,
  fieldSelectorOption,
  fileOptions,
  printOptions,
  selectorOption,
} from '../options/shared.ts';

/** Options of `label` and `annotate`. */
export const labelOptions = [
  ...fileOptions,
  selectorOption,
  fieldSelectorOption,
  allOption,
  allNamespacesOption,
  { name: 'overwrite', type: 'bool', section: 'Changes', help: 'Let values that are there be replaced.' },
  {
    name: 'list',
    type: 'bool',
    section: 'Output',
    help: 'Show what the objects carry, or would carry after the changes; nothing is sent.',
  },
  {
    name: 'resource-version',
    type: 'string',
    section: 'Changes',
    help: 'Change the object only when it is at this version.',
  },
  {
    name: 'local',
    type: 'bool',
    section: 'Changes',
    help: 'Change the objects of the files and print them, without asking the server.',
  },
  dryRunOption,
  fieldManagerOption,
  recordOption,
  ...printOptions,
] as const satisfies readonly OptionSpec[];

/** Options of `label` and `annotate` as a table. */
export type LabelOptions = typeof labelOptions;
