import type { OptionSpec } from '../../config/index.ts';
import { cascadeOption, gracePeriodOption } from '../options/deletion.ts';
import {
  allNamespacesOption,
  allOption,
  dryRunOption,
  fieldSelectorOption,
  fileOptions,
  outputOption,
  selectorOption,
} from '../options/shared.ts';

/** Options of `delete`. */
export const deleteOptions = [
  ...fileOptions,
  selectorOption,
  fieldSelectorOption,
  allOption,
  allNamespacesOption,
  {
    name: 'ignore-not-found',
    type: 'bool',
    section: 'Selection',
    help: 'Do not fail when an object does not exist. With --all this is the default.',
  },
  cascadeOption,
  gracePeriodOption,
  { name: 'now', type: 'bool', section: 'Changes', help: 'Give objects one second to end.' },
  {
    name: 'force',
    type: 'bool',
    section: 'Changes',
    help: 'Remove objects at once, without waiting for what they stand for to end.',
  },
  { name: 'wait', type: 'bool', default: true, section: 'Changes', help: 'Wait until the objects are gone.' },
  {
    name: 'timeout',
    type: 'duration',
    default: '0s',
    section: 'Changes',
    help: 'How long to wait for an object to be gone; 0 for as long as it takes.',
  },
  {
    name: 'raw',
    type: 'string',
    valueName: 'PATH',
    section: 'Selection',
    help: 'Delete what the server has at a path.',
  },
  dryRunOption,
  { ...outputOption, suggested: ['name'] },
] as const satisfies readonly OptionSpec[];

/** Options of `delete` as a table. */
export type DeleteVerbOptions = typeof deleteOptions;
