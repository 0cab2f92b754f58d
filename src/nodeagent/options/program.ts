import { type OptionSpec, type ProgramSpec, spellProgram } from '../../config/index.ts';
import { describeFeatureGates } from '../../config/serve/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type AgentOption, agentParts, flagOptions } from './option-table.ts';

/** Heading of the options that the reference does not have. */
export const ownSection = 'Additions of orch';

/** `nodeagent` for help, man page and completion: made from the table of options, in the words of the dialect. */
export function nodeAgentProgram(dialect: Dialect): ProgramSpec {
  const sections = Object.keys(agentParts);
  const options = flagOptions.toSorted(
    (a, b) =>
      sections.indexOf(a.part) - sections.indexOf(b.part) ||
      (dialect.spell(a.flag) < dialect.spell(b.flag) ? -1 : 1),
  );
  const program: ProgramSpec = {
    name: 'nodeagent',
    manualSection: 8,
    summary: 'Run the pods of one node',
    usage: '[flags]',
    description: [
      'Keeps the containers of the pods of one node running and healthy. Pods come from files and URLs and, with --orchconfig, from an API server with which the node registers itself.',
      'Options count in this order: the command line, the file of --config, the defaults. Only feature gates of both are merged. Names may be written with underscores instead of dashes.',
      'It runs until it is told to end, and leaves the pods running: the agent that is started next goes on with them.',
    ],
    options: [...options.map((option) => renderOption(option, dialect)), helpOption, ...ownOptions],
    examples: [
      {
        command:
          'nodeagent --container-runtime=remote --container-runtime-endpoint=unix:///run/containerd/containerd.sock --pod-manifest-path=/etc/orch/manifests',
        does: 'run the pods of the files in a folder',
      },
      { command: 'nodeagent --config=agent.yaml --print-config', does: 'show what a configuration comes to' },
    ],
    exitStatus: [
      ['0', 'success'],
      ['1', 'the agent failed'],
      ['255', 'the command line or configuration is wrong'],
    ],
    seeAlso: ['orch(1)', 'ctl(1)'],
  };
  return spellProgram(program, (text) => dialect.spell(text));
}

const helpOption: OptionSpec = {
  name: 'help',
  short: 'h',
  type: 'bool',
  section: agentParts.general ?? '',
  help: 'Print help.',
};

const ownOptions: readonly OptionSpec[] = [
  {
    name: 'print-config',
    type: 'bool',
    section: ownSection,
    help: 'Print the effective configuration and where each value came from, as a file that --config takes, and end.',
  },
  {
    name: 'strict-config',
    type: 'bool',
    section: ownSection,
    help: 'Refuse a configuration file with unknown or repeated fields instead of warning.',
  },
  {
    name: 'dialect',
    type: 'string',
    valueName: 'string',
    default: 'orch',
    section: ownSection,
    help: 'How product names are spelled in flags, file and API: orch or the other one that orch serve knows.',
  },
];

function renderOption(option: AgentOption & { readonly flag: string }, dialect: Dialect): OptionSpec {
  const text = spellDefault(option, dialect);
  const isBool = option.type === 'bool';
  const help = [option.help, ...(option.stage === undefined ? [] : [`Stage: ${option.stage}.`])];
  return {
    name: option.flag,
    type: isBool ? 'bool' : 'string',
    section: agentParts[option.part] ?? '',
    help: help.join(' '),
    ...(option.short === undefined ? {} : { short: option.short }),
    ...(isBool ? {} : { valueName: option.type === 'version' ? 'true' : (option.typeText ?? option.type) }),
    ...(option.type === 'version' ? { impliedValue: 'true' } : {}),
    ...(text === undefined ? {} : { default: isBool ? text === 'true' : text }),
    ...(option.allowed === undefined ? {} : { suggested: option.allowed.map((word) => dialect.spell(word)) }),
    ...(option.deprecated === undefined ? {} : { deprecated: shortDeprecation(option) }),
    ...(option.flag === 'feature-gates' ? { choices: describeFeatureGates() } : {}),
  };
}

/** Defaults of a closed list, and names of the protocol; paths are the same in all dialects. */
function spellDefault(option: AgentOption, dialect: Dialect): string | undefined {
  const text = optionDefaultText(option);
  const isSpelled = option.key === 'orchApiContentType' || option.allowed?.includes(text ?? '') === true;
  return isSpelled && text !== undefined ? dialect.spell(text) : text;
}

/** In a list of all options the reference's long sentence about the file would hide the rest. */
function shortDeprecation({ deprecated = '', field }: AgentOption): string {
  if (deprecated !== 'config') return deprecated;
  return field === undefined ? 'set it in the file of --config.' : `set ${field} in the file of --config.`;
}

/** A default as help shows it; undefined when there is none. */
export function optionDefaultText({
  defaultText: written,
  default: value,
  type,
}: AgentOption): string | undefined {
  if (written !== undefined || value === undefined) return written;
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  const separator = type === 'thresholds' ? '<' : '=';
  return Object.entries(value)
    .map(([key, entry]) => `${key}${separator}${entry}`)
    .join(',');
}
