import type { OptionSpec } from '../../config/index.ts';
import { selectorOption } from '../options/shared.ts';
import { runningTimeoutOption } from '../pods/running-timeout.ts';

const section = 'Output';

/** Flags of `ctl logs`. */
export const logsOptions = [
  {
    name: 'container',
    short: 'c',
    type: 'string',
    section: 'Selection',
    help: 'Container whose log is meant. May be left out when the pod has only one.',
  },
  {
    name: 'all-containers',
    type: 'bool',
    section: 'Selection',
    help: 'The logs of all containers of the pods, one after another.',
  },
  selectorOption,
  {
    name: 'previous',
    short: 'p',
    type: 'bool',
    section: 'Selection',
    help: 'The log of the container before its last restart.',
  },
  runningTimeoutOption('20s'),
  { name: 'follow', short: 'f', type: 'bool', section, help: 'Go on with what is written from now on.' },
  {
    name: 'tail',
    key: 'tailLines',
    type: 'int',
    default: -1,
    section,
    help: 'Only so many of the last lines; -1 for all. With a selector 10 when nothing is said.',
  },
  {
    name: 'since',
    type: 'duration',
    default: '0s',
    section,
    help: 'Only what was written within this time, such as 5s, 2m or 3h. Not with --since-time.',
  },
  {
    name: 'since-time',
    type: 'string',
    section,
    help: 'Only what was written after this time (RFC 3339). Not with --since.',
  },
  { name: 'timestamps', type: 'bool', section, help: 'Write the time in front of each line.' },
  {
    name: 'prefix',
    type: 'bool',
    section,
    help: 'Write the names of pod and container in front of each line.',
  },
  { name: 'limit-bytes', type: 'int', default: 0, section, help: 'Most bytes of each log; 0 for no limit.' },
  {
    name: 'max-log-requests',
    type: 'int',
    default: 5,
    section,
    help: 'How many logs may be followed at the same time.',
  },
  {
    name: 'ignore-errors',
    type: 'bool',
    section,
    help: 'Write what goes wrong with one log among the lines, and go on with the others.',
  },
  {
    name: 'insecure-skip-tls-verify-backend',
    type: 'bool',
    section: 'Connection',
    help: 'Let the server trust any agent: for agents whose certificates have expired. Somebody else could answer.',
  },
] as const satisfies readonly OptionSpec[];

/** Flags of `ctl logs` by their names. */
export type LogsOptions = typeof logsOptions;
