import type { OptionSpec } from '../../config/index.ts';

const section = 'Container';
const copy = 'Copy';
const streams = 'Streams';

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
  {
    name: 'image-pull-policy',
    type: 'string',
    suggested: ['Always', 'IfNotPresent', 'Never'],
    section,
    help: 'When the image is pulled: Always, IfNotPresent or Never; by default the server decides.',
  },
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
  { name: 'stdin', short: 'i', type: 'bool', section: streams, help: 'Keep the standard input open.' },
  { name: 'tty', short: 't', type: 'bool', section: streams, help: 'Give the container a terminal.' },
  {
    name: 'attach',
    type: 'bool',
    section: streams,
    help: 'Join the streams of the container. The default with -i.',
  },
  { name: 'quiet', type: 'bool', section: streams, help: 'Print nothing but what the container does.' },
] as const satisfies readonly OptionSpec[];

/** Options of `debug` as a table. */
export type DebugOptions = typeof debugOptions;
