import type { OptionSpec } from '../../config/index.ts';
import { valueKind } from '../../config/typed-values/index.ts';
import { type AgentOption, agentParts, flagOptions } from './option-table.ts';

/** Heading of the options that release 1.20 does not have. */
export const ownSection = 'Additions of orch';

/** Options of ours, which release 1.20 does not have, and --help. */
export const ownOptions: readonly OptionSpec[] = [
  {
    name: 'help',
    short: 'h',
    type: 'bool',
    section: agentParts.general ?? '',
    help: 'Print help.',
  },
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

/** A row of the table as command lines, help, man page and completion need it. */
export function toOptionSpec(option: AgentOption & { readonly flag: string }): OptionSpec {
  const { type, short, loneValue, allowed } = option;
  const defaultText = optionDefaultText(option);
  return {
    name: option.flag,
    ...valueKind(type),
    section: agentParts[option.part] ?? '',
    help: [option.help, ...(option.stage === undefined ? [] : [`Stage: ${option.stage}.`])].join(' '),
    ...(short === undefined ? {} : { short }),
    ...(loneValue === undefined ? {} : { loneValue }),
    ...(type === 'bool' ? {} : { valueName: type === 'version' ? 'true' : (option.typeText ?? type) }),
    ...(type === 'version' ? { impliedValue: 'true' } : {}),
    ...(defaultText === undefined ? {} : { defaultText }),
    ...(allowed === undefined ? {} : { suggested: allowed }),
    ...(option.deprecated === undefined ? {} : { deprecated: shortDeprecation(option) }),
  };
}

/** The options of the agent's command line. */
export const agentOptionSpecs: readonly OptionSpec[] = [...flagOptions.map(toOptionSpec), ...ownOptions];

/** In a list of all options release 1.20's long sentence about the file would hide the rest. */
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
