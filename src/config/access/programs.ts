import { parseDurationMs } from '../../machinery/go-values/index.ts';
import { connectionOptions, dialectOption } from '../maintenance/options.ts';
import type { OptionSpec, ProgramSpec } from '../options.ts';

const dayMs = 86_400_000;
const helpOption = {
  name: 'help',
  short: 'h',
  type: 'bool',
  section: 'Output',
  help: 'Show this help.',
} as const satisfies OptionSpec;

/** A lifetime in milliseconds: days as `30d`, or a duration as `12h`; undefined when it is neither, or not above zero. */
export function parseLifetime(text: string): number | undefined {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const lifetimeMs = days === undefined ? durationOrUndefined(text) : Number(days) * dayMs;
  return lifetimeMs !== undefined && lifetimeMs > 0 ? lifetimeMs : undefined;
}

function durationOrUndefined(text: string): number | undefined {
  try {
    return parseDurationMs(text);
  } catch {
    return undefined; // its message is about durations only
  }
}

const lifetimeProblem = (text: string): string | undefined =>
  parseLifetime(text) === undefined ? 'is no lifetime such as 30d or 12h' : undefined;

/** Options of `orch user add`. */
export const userAddOptions = [
  {
    name: 'group',
    short: 'g',
    type: 'stringArray',
    section: 'User',
    help: 'Group of the user; repeatable. Members of system:masters may do everything.',
  },
  {
    name: 'expires',
    type: 'string',
    default: '365d',
    section: 'User',
    validate: lifetimeProblem,
    help: 'How long the certificate counts, in days (30d) or as a duration (12h). Nobody can take it back before.',
  },
  {
    name: 'data-dir',
    type: 'string',
    valueName: 'DIR',
    section: 'Server',
    help: 'Data directory of the server, with its authority in pki/. By default that of orch serve.',
  },
  {
    name: 'server',
    short: 's',
    type: 'string',
    valueName: 'URL',
    section: 'Server',
    help: 'Address of the server in the client configuration. By default as the administrator reaches it.',
  },
  {
    name: 'output',
    short: 'o',
    type: 'string',
    valueName: 'FILE',
    section: 'Output',
    help: 'Client configuration to write. By default NAME.orchconfig.',
  },
  helpOption,
] as const;

/** `orch user add` for help, man page and completion. */
export const userAddProgram: ProgramSpec = {
  name: 'orch user add',
  summary: 'Sign a certificate for a user and write a client configuration with it',
  usage: 'NAME [flags]',
  description: [
    "Signs a client certificate for a new key with the server's authority, whether the server runs or not, and writes a client configuration with both in it. What the user may do is up to roles: bind one to the name or to a group.",
    'The file that is written holds a private key: only its owner can read it.',
  ],
  options: userAddOptions,
  examples: [
    { command: 'orch user add alice --group=devs --expires=30d', does: 'write alice.orchconfig' },
    {
      command: 'ctl create clusterrolebinding devs-view --clusterrole=view --group=devs',
      does: 'let the group read',
    },
  ],
};

/** `orch user` for help, man page and completion. */
export const userProgram: ProgramSpec = {
  name: 'orch user',
  summary: 'Give users access: add',
  usage: 'COMMAND [flags]',
  options: [helpOption],
  commands: [userAddProgram],
};

/** Options of `orch token create`. */
export const tokenCreateOptions = [
  {
    name: 'ttl',
    type: 'string',
    default: '24h',
    section: 'Token',
    validate: lifetimeProblem,
    help: 'How long the token counts, in days (7d) or as a duration (12h).',
  },
  {
    name: 'description',
    type: 'string',
    section: 'Token',
    help: 'What the token is for, for people who list tokens.',
  },
  {
    name: 'output',
    short: 'o',
    type: 'string',
    valueName: 'FILE',
    section: 'Output',
    help: 'Client configuration with the token to write. By default bootstrap.orchconfig.',
  },
  ...connectionOptions,
  dialectOption,
  helpOption,
] as const;

/** `orch token create` for help, man page and completion. */
export const tokenCreateProgram: ProgramSpec = {
  name: 'orch token create',
  summary: 'Make a bootstrap token with which a node joins',
  usage: '[flags]',
  description: [
    'Stores a bootstrap token in the server that ctl uses, lets those who have one ask for certificates of nodes, which the server then signs without a hand, and lets nodes renew theirs. Writes a client configuration with the token, and prints the line to run on the node.',
    'The server takes such tokens with --enable-bootstrap-token-auth.',
  ],
  options: tokenCreateOptions,
  examples: [
    { command: 'orch token create --ttl=2h', does: 'prepare the joining of nodes in the next two hours' },
  ],
};

/** `orch token` for help, man page and completion. */
export const tokenProgram: ProgramSpec = {
  name: 'orch token',
  summary: 'Let nodes join: create',
  usage: 'COMMAND [flags]',
  options: [helpOption],
  commands: [tokenCreateProgram],
};
