import type { OptionSpec, ProgramSpec } from '../../config/index.ts';

const helpOption = {
  name: 'help',
  short: 'h',
  type: 'bool',
  section: 'General',
  help: 'Show this help.',
} as const satisfies OptionSpec;

const dataDirectoryOption = {
  name: 'data-dir',
  type: 'string',
  valueName: 'DIR',
  section: 'General',
  help: 'Data directory of the server, with all that the node needs in up/. By default that of orch serve.',
} as const satisfies OptionSpec;

/** Options of `orch up`. */
export const upOptions = [
  {
    name: 'status',
    type: 'bool',
    section: 'General',
    help: 'Only say what runs and whether the node is ready; exit code 3 when nothing runs.',
  },
  {
    name: 'detach',
    short: 'd',
    type: 'bool',
    section: 'General',
    help: 'Return once the node is ready; orch down ends it.',
  },
  {
    name: 'timeout',
    type: 'duration',
    default: '2m',
    section: 'General',
    help: 'How long the node may take to become ready.',
  },
  dataDirectoryOption,
  {
    name: 'secure-port',
    type: 'int',
    default: 6443,
    min: 0,
    max: 65535,
    section: 'Server',
    help: 'Port of the API; 0 for a free one.',
  },
  {
    name: 'server-flag',
    type: 'stringArray',
    valueName: 'FLAG',
    section: 'Server',
    help: 'Flag for orch serve, such as --server-flag=--v=4; repeatable.',
  },
  {
    name: 'node-name',
    type: 'string',
    section: 'Node',
    help: 'Name of the node. By default the host name, in lower case.',
  },
  {
    name: 'container-runtime-endpoint',
    type: 'string',
    default: 'unix:///run/containerd/containerd.sock',
    section: 'Node',
    help: 'Socket of the container runtime.',
  },
  {
    name: 'pod-cidr',
    type: 'string',
    default: '10.85.0.0/16',
    section: 'Node',
    help: 'Addresses of pods, for the network that is set up when the machine has none.',
  },
  {
    name: 'cni-conf-dir',
    type: 'string',
    default: '/etc/cni/net.d',
    valueName: 'DIR',
    section: 'Node',
    help: 'Where the runtime looks for networks of pods. An empty one gets a bridge.',
  },
  {
    name: 'node-flag',
    type: 'stringArray',
    valueName: 'FLAG',
    section: 'Node',
    help: 'Flag for nodeagent, such as --node-flag=--cgroup-driver=systemd; repeatable.',
  },
  helpOption,
] as const satisfies readonly OptionSpec[];

/** `orch up` for help, man page and completion. */
export const upProgram: ProgramSpec = {
  name: 'orch up',
  summary: 'Run server, controllers, scheduler and node agent of this machine',
  usage: '[flags]',
  description: [
    'Starts the API server with its controllers and scheduler, joins this machine to it as a node, and keeps both running until it is stopped. Needs root, and a container runtime such as containerd.',
    'Pods run on when it stops; the next start takes them over.',
  ],
  options: upOptions,
  examples: [
    { command: 'orch up', does: 'run a whole cluster on this machine' },
    { command: 'orch up --detach', does: 'the same in the background' },
    { command: 'orch up --status', does: 'say what runs' },
  ],
};

/** Options of `orch down`. */
export const downOptions = [dataDirectoryOption, helpOption] as const satisfies readonly OptionSpec[];

/** `orch down` for help, man page and completion. */
export const downProgram: ProgramSpec = {
  name: 'orch down',
  summary: 'Stop what orch up has started',
  usage: '[flags]',
  description: ['Pods run on: delete them first (ctl delete) when they are to end too.'],
  options: downOptions,
};
