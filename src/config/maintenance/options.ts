import type { OptionSpec } from '../options.ts';

const running = 'Running server';
const stopped = 'Stopped server';
const output = 'Output';

/** How the running server is found; by default as `ctl` finds it. */
export const connectionOptions = [
  {
    name: 'orchconfig',
    type: 'string',
    valueName: 'FILE',
    section: running,
    help: 'Client configuration file, instead of those of ORCHCONFIG or the one in the home folder.',
  },
  {
    name: 'context',
    type: 'string',
    section: running,
    help: 'Context of the client configuration to use.',
  },
  {
    name: 'server',
    short: 's',
    type: 'string',
    valueName: 'URL',
    section: running,
    help: 'Address of the API server.',
  },
  {
    name: 'certificate-authority',
    type: 'string',
    valueName: 'FILE',
    section: running,
    help: 'Certificates that the certificate of the server must derive from.',
  },
  {
    name: 'token',
    type: 'string',
    section: running,
    help: 'Bearer token to present. The user must be in the group system:masters.',
  },
] as const satisfies readonly OptionSpec[];

/** The data of a server, where no server runs. */
export const dataDirectoryOption = {
  name: 'data-dir',
  type: 'string',
  valueName: 'DIR',
  section: stopped,
  help: 'Data directory of a server that is stopped: its database is opened directly.',
} as const satisfies OptionSpec;

/** A store by its URL. */
export const storageOption = {
  name: 'storage',
  type: 'string',
  valueName: 'URL',
  section: stopped,
  help: 'Store to open directly: sqlite:PATH or etcd:URL,URL.',
} as const satisfies OptionSpec;

/** Product names in the stored objects, for stores that do not say. */
export const dialectOption = {
  name: 'dialect',
  type: 'string',
  default: 'orch',
  allowed: ['orch', 'kubernetes'],
  section: 'Storage',
  help: 'How product names are spelled in a store that does not say so itself. A database says so.',
  env: 'ORCH_DIALECT',
} as const satisfies OptionSpec;

/** How an etcd cluster is reached. */
export const etcdOptions = [
  {
    name: 'etcd-prefix',
    type: 'string',
    default: '/registry',
    section: 'Storage',
    help: 'Prefix of all keys in etcd.',
  },
  {
    name: 'etcd-cafile',
    type: 'string',
    valueName: 'FILE',
    section: 'Storage',
    help: 'PEM authorities that certificates of etcd must derive from.',
  },
  {
    name: 'etcd-certfile',
    type: 'string',
    valueName: 'FILE',
    section: 'Storage',
    help: 'PEM client certificate for etcd.',
  },
  {
    name: 'etcd-keyfile',
    type: 'string',
    valueName: 'FILE',
    section: 'Storage',
    help: 'PEM private key of --etcd-certfile.',
  },
] as const satisfies readonly OptionSpec[];

/** `-o` and `-h`. */
export const outputOptions = [
  {
    name: 'output',
    short: 'o',
    type: 'string',
    default: 'text',
    allowed: ['text', 'json'],
    section: output,
    help: 'Form of the answer.',
  },
  { name: 'help', short: 'h', type: 'bool', section: output, help: 'Show this help.' },
] as const satisfies readonly OptionSpec[];

/** Where a store is: behind a running server, or in reach itself. */
export const accessOptions = [
  ...connectionOptions,
  dataDirectoryOption,
  storageOption,
  dialectOption,
  ...etcdOptions,
] as const;
