import type { OptionSpec } from '../../config/index.ts';
import { loggingOptions } from './logging.ts';

const section = 'Connection';

/** Options of every command. */
export const globalOptions = [
  {
    name: 'orchconfig',
    type: 'string',
    valueName: 'FILE',
    section,
    help: 'Client configuration file, instead of those of ORCHCONFIG or the one in the home folder.',
  },
  {
    name: 'server',
    short: 's',
    type: 'string',
    valueName: 'URL',
    section,
    help: 'Address of the API server.',
  },
  { name: 'namespace', short: 'n', type: 'string', section, help: 'Namespace that the command works in.' },
  { name: 'context', type: 'string', section, help: 'Context of the client configuration to use.' },
  { name: 'cluster', type: 'string', section, help: 'Cluster of the client configuration to use.' },
  { name: 'user', type: 'string', section, help: 'User of the client configuration to use.' },
  { name: 'token', type: 'string', section, help: 'Bearer token to present.' },
  { name: 'username', type: 'string', section, help: 'User name for basic authentication.' },
  { name: 'password', type: 'string', section, help: 'Password for basic authentication.' },
  {
    name: 'certificate-authority',
    type: 'string',
    valueName: 'FILE',
    section,
    help: 'Certificates that the certificate of the server must derive from.',
  },
  {
    name: 'client-certificate',
    type: 'string',
    valueName: 'FILE',
    section,
    help: 'Certificate to present to the server.',
  },
  {
    name: 'client-key',
    type: 'string',
    valueName: 'FILE',
    section,
    help: 'Private key of the client certificate.',
  },
  {
    name: 'insecure-skip-tls-verify',
    type: 'bool',
    section,
    help: 'Trust any server. Whoever is on the line can then read and change everything.',
  },
  {
    name: 'tls-server-name',
    type: 'string',
    section,
    help: 'Name that the certificate of the server must carry, when it is not the host of its address.',
  },
  { name: 'as', type: 'string', valueName: 'USER', section, help: 'Act as this user.' },
  {
    name: 'as-group',
    type: 'stringArray',
    valueName: 'GROUP',
    section,
    help: 'Act as a member of this group.',
  },
  {
    name: 'request-timeout',
    type: 'string',
    default: '0',
    section,
    help: 'How long one request may take, such as 30s; 0 for no limit.',
  },
  {
    name: 'dialect',
    type: 'string',
    allowed: ['orch', 'kubernetes'],
    section,
    help: 'Whose product names the server uses. The server is asked when it is not set.',
    env: 'ORCH_DIALECT',
  },
  {
    name: 'cache-dir',
    type: 'string',
    valueName: 'DIR',
    section,
    help: 'Where answers of discovery are kept.',
  },
  {
    name: 'warnings-as-errors',
    type: 'bool',
    section: 'Output',
    help: 'Fail when the server sends a warning.',
  },
  {
    name: 'exit-codes',
    type: 'string',
    default: 'plain',
    allowed: ['plain', 'reason'],
    section: 'Output',
    help: 'plain: as each command documents them; reason: from 80 on by why a command failed.',
  },
  {
    name: 'v',
    key: 'verbosity',
    short: 'v',
    type: 'count',
    section: 'Output',
    help: 'Print requests to stderr: 6 their URLs, 7 and 8 headers and bodies too, 9 whole bodies.',
  },
  ...loggingOptions,
  {
    name: 'profile',
    type: 'string',
    default: 'none',
    allowed: ['none', 'cpu', 'heap'],
    section: 'Output',
    help: 'Profile of this run to write: cpu or heap.',
  },
  {
    name: 'profile-output',
    type: 'string',
    default: 'profile.pprof',
    valueName: 'FILE',
    section: 'Output',
    help: 'File for the profile, in the format of the runtime (.cpuprofile, .heapprofile).',
  },
  {
    name: 'match-server-version',
    type: 'bool',
    section,
    help: 'Fail when the server is of another version than this client.',
  },
  { name: 'help', short: 'h', type: 'bool', section: 'Output', help: 'Show this help.' },
] as const satisfies readonly OptionSpec[];

/** Options of every command by their long name. */
export type GlobalOptions = typeof globalOptions;
