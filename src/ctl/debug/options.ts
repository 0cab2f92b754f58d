import type { OptionSpec } from '../../config/index.ts';
import { joinOptions, pullPolicyOption } from '../options/new-container.ts';

const section = 'Container';
const copy = 'Copy';

/** Options of `debug`. */
export const debugOptions = [
  { name: 'image', type: 'string', section, help: 'Image of the container to debug with.' },
  {
    name: 'container',
    short: 'c',
    type: 'string',
    section,
    help: 'Name of the container to debug with; in a copy, one that is there already is changed.',
  },
  {
    name: 'env',
    type: 'mapStringString',
    section,
    valueName: 'NAME=VALUE,...',
    help: 'Environment variables.',
  },
  pullPolicyOption(section),
  {
    name: 'arguments-only',
    type: 'bool',
    section,
    help: 'The words behind -- are the arguments of the command that the image has, not a command.',
  },
  {
    name: 'target',
    type: 'string',
    section,
    help: 'Container of the running pod whose processes are seen, where the runtime can do that.',
  },
  { name: 'copy-to', type: 'string', section: copy, help: 'Work with a copy of the pod, of this name.' },
  { name: 'replace', type: 'bool', section: copy, help: 'Delete the pod that is copied.' },
  { name: 'same-node', type: 'bool', section: copy, help: 'Run the copy on the node of the pod.' },
  {
    name: 'set-image',
    type: 'mapStringString',
    valueName: 'CONTAINER=IMAGE,...',
    section: copy,
    help: 'Other images for containers of the copy; * stands for all containers.',
  },
  {
    name: 'share-processes',
    type: 'bool',
    default: true,
    section: copy,
    help: 'Whether the containers of the copy see the processes of one another; as in the pod when it is not given.',
  },
  ...joinOptions,
] as const satisfies readonly OptionSpec[];

/** Options of `debug` as a table. */
export type DebugOptions = typeof debugOptions;
