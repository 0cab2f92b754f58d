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
  {
    name: 'timeout',
    type: 'duration',
    default: '0s',
    section: 'Changes',
    help: 'With --prune and --force: how long to wait for an object to be gone; 0 for as long as it takes.',
  },
  {
    name: 'wait',
    type: 'bool',
    section: 'Changes',
    help: 'With --prune: wait until what was pruned is gone. With --force that is done in any case.',
  },
  {
    name: 'watch',
    type: 'bool',
    section: 'Changes',
    help: 'Follow the files, and apply what changes in them, until interrupted. Objects that are no longer in a file stay, unless --prune is given.',
  },
  {
    name: 'openapi-patch',
    type: 'bool',
    default: true,
    section: 'Changes',
    help: 'Accepted for the sake of scripts: patches are made by the types that the client knows, which are those of the document.',
  },
  ...pruneOptions,
] as const satisfies readonly OptionSpec[];

/** Options of `apply` as a table. */
export type ApplyOptions = typeof applyOptions;
