import type { OptionSpec } from '../options.ts';
import { etcdUrlProblem } from './etcd-servers.ts';

/** What `orch serve` adds to release 1.20's flags: where it keeps its state and what runs inside. */
export const generalOptions = [
  {
    name: 'config',
    type: 'string',
    section: 'General',
    valueName: 'FILE',
    env: 'ORCH_SERVE_CONFIG',
    help: 'YAML file with the names of these flags as keys; a flag on the command line wins over it.',
  },
  {
    name: 'data-dir',
    type: 'string',
    section: 'General',
    valueName: 'DIR',
    env: 'ORCH_DATA_DIR',
    help: 'Where objects, keys and certificates are kept. By default /var/lib/orch for root, else $XDG_DATA_HOME/orch or ~/.local/share/orch.',
  },
  {
    name: 'ephemeral',
    type: 'bool',
    section: 'General',
    help: 'Keep everything in memory and forget it at exit: for tests and trials.',
  },
  {
    name: 'storage',
    type: 'string',
    section: 'General',
    valueName: 'URL',
    validate: storageProblem,
    help: 'Where objects are stored: sqlite:PATH, memory: or etcd:URL,URL. By default sqlite in the data directory.',
  },
  {
    name: 'dialect',
    type: 'string',
    default: 'orch',
    allowed: ['orch', 'kubernetes'],
    section: 'General',
    help: 'How product names are spelled on the wire. A data directory keeps the dialect that it was made with.',
  },
  {
    name: 'controllers',
    type: 'strings',
    default: ['*'],
    section: 'General',
    valueName: 'LIST',
    validate: (value: readonly string[]) =>
      value.includes('none') && value.length > 1 ? 'none cannot be joined with others' : undefined,
    help: "Loops to run beside the API: '*' for all that are on by default, 'name' to add one, '-name' to leave one out, 'none'.",
  },
  {
    name: 'scheduler-names',
    type: 'strings',
    default: ['default-scheduler'],
    section: 'General',
    valueName: 'LIST',
    help: "Whose pods the controller 'scheduler' places: values of spec.schedulerName.",
  },
  {
    name: 'write-orchconfig',
    type: 'bool',
    default: true,
    section: 'General',
    help: 'Add the administrator to ~/.orch/config when no other cluster is configured there, so that ctl works at once.',
  },
  {
    name: 'allow-privileged',
    type: 'bool',
    default: false,
    section: 'General',
    help: 'Allow pods with privileged containers.',
  },
  {
    name: 'logging-format',
    type: 'string',
    default: 'text',
    allowed: ['text', 'json'],
    section: 'Logs',
    help: 'Form of the log on standard error.',
  },
  {
    name: 'v',
    key: 'verbosity',
    short: 'v',
    type: 'count',
    min: 0,
    max: 10,
    section: 'Logs',
    valueName: 'LEVEL',
    help: 'Log verbosity; 3 and above write debug messages.',
  },
] as const satisfies readonly OptionSpec[];

function storageProblem(value: string): string | undefined {
  if (value.startsWith('etcd:')) return etcdUrlProblem(value);
  return /^(sqlite:.+|memory:)$/.test(value) ? undefined : 'must be sqlite:PATH, memory: or etcd:URL,URL';
}
