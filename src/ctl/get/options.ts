import type { OptionSpec } from '../../config/index.ts';
import {
  allNamespacesOption,
  fieldSelectorOption,
  fileOptions,
  managedFieldsOption,
  missingKeysOption,
  outputOption,
  selectorOption,
  templateOption,
} from '../options/shared.ts';

/** Options of `get`. */
export const getOptions = [
  allNamespacesOption,
  selectorOption,
  fieldSelectorOption,
  ...fileOptions,
  {
    name: 'ignore-not-found',
    type: 'bool',
    section: 'Selection',
    help: 'Do not fail when an object does not exist.',
  },
  {
    name: 'chunk-size',
    type: 'int',
    default: 500,
    min: 0,
    section: 'Selection',
    help: 'Read large lists in parts of this many objects; 0 reads all at once.',
  },
  {
    name: 'at',
    type: 'string',
    valueName: 'MOMENT',
    section: 'Selection',
    help: 'Show what there was: 10m ago, at a time such as 2026-01-02T15:04:05Z, or at a resource version.',
  },
  {
    name: 'raw',
    type: 'string',
    valueName: 'PATH',
    section: 'Selection',
    help: 'Print what the server has at a path.',
  },
  {
    name: 'watch',
    short: 'w',
    type: 'bool',
    section: 'Watching',
    help: 'Show what is there, then every change: on a terminal as a table that changes in place, else as lines.',
  },
  { name: 'watch-only', type: 'bool', section: 'Watching', help: 'Show changes only.' },
  {
    name: 'output-watch-events',
    type: 'bool',
    section: 'Watching',
    help: 'Show the event of each change (ADDED, MODIFIED, DELETED) with it.',
  },
  outputOption,
  templateOption,
  missingKeysOption,
  managedFieldsOption,
  { name: 'no-headers', type: 'bool', section: 'Output', help: 'Leave out the headings of columns.' },
  { name: 'show-kind', type: 'bool', section: 'Output', help: 'Put the type in front of names.' },
  { name: 'show-labels', type: 'bool', section: 'Output', help: 'Show all labels in a last column.' },
  {
    name: 'label-columns',
    short: 'L',
    type: 'strings',
    valueName: 'LABEL',
    section: 'Output',
    help: 'Show these labels in columns of their own.',
  },
  {
    name: 'sort-by',
    type: 'string',
    valueName: 'PATH',
    section: 'Output',
    help: 'Sort by a field given as a JSONPath, such as .metadata.creationTimestamp.',
  },
  {
    name: 'server-print',
    type: 'bool',
    default: true,
    section: 'Output',
    help: 'Let the server choose the columns; otherwise only names and ages are shown.',
  },
] as const satisfies readonly OptionSpec[];

/** Options of `get` as a table. */
export type GetOptions = typeof getOptions;
