import type { OptionSpec } from '../../config/index.ts';
import { fileChangeOptions } from '../options/change.ts';
import { cascadeOption, gracePeriodOption } from '../options/deletion.ts';
import { pruneOptions } from './prune-options.ts';

/** Options of `apply`. */
export const applyOptions = [
  ...fileChangeOptions,
  {
    name: 'server-side',
    type: 'bool',
    section: 'Changes',
    help: 'Let the server merge and keep track of who owns which field.',
  },
  {
    name: 'force-conflicts',
    type: 'bool',
    section: 'Changes',
    help: 'With --server-side: take fields over that others own.',
  },
  {
    name: 'force',
    type: 'bool',
    section: 'Changes',
    help: 'Delete and create anew what cannot be changed in place.',
  },
  {
    name: 'overwrite',
    type: 'bool',
    default: true,
    section: 'Changes',
    help: 'Let the configuration win where live object and configuration differ.',
  },
  {
    ...cascadeOption,
    help: 'With --prune and --force: background deletes dependents afterwards, foreground before, orphan keeps them.',
  },
  {
    ...gracePeriodOption,
    help: 'With --prune and --force: seconds that objects get to end; negative: as long as they ask for.',
  },
  ...pruneOptions,
] as const satisfies readonly OptionSpec[];

/** Options of `apply` as a table. */
export type ApplyOptions = typeof applyOptions;
