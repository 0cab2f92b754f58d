import type { OptionType } from '../src/config/index.ts';
import type { AgentOption } from '../src/nodeagent/options/index.ts';
import { agentOptions } from '../src/nodeagent/options/option-table.ts';

const typeNames: Readonly<Partial<Record<OptionType, string>>> = {
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  uint: 'number',
  float: 'number',
  duration: 'number',
  severity: 'number',
  strings: 'readonly string[]',
  ips: 'readonly string[]',
  taints: 'readonly NodeTaint[]',
  mapStringBool: 'Readonly<Record<string, boolean>>',
  mapStringString: 'Readonly<Record<string, string>>',
  thresholds: 'Readonly<Record<string, string>>',
  headers: 'Readonly<Record<string, readonly string[]>>',
  version: "boolean | 'raw'",
};

/** The text of `src/nodeagent/options/agent-option-values.ts`, made from the table of options. */
export function renderAgentOptionTypes(): string {
  const rows = agentOptions
    .filter(({ key }) => key !== undefined)
    .toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  return `// Made from agent-options.json by scripts/generate-nodeagent.ts.
import type { NodeTaint } from '../../config/index.ts';

/** The value of every option and field of the node agent; nothing is undefined. */
export interface AgentOptionValues {
${rows.map(renderRow).join('\n')}
}
`;
}

function renderRow(option: AgentOption): string {
  const name = option.flag === undefined ? `Field ${option.field}` : `--${option.flag}`;
  return `  /** ${name}: ${option.help.replaceAll('*/', '*\\/')} */\n  readonly ${option.key}: ${typeOf(option)};`;
}

function typeOf(option: AgentOption): string {
  if (option.type !== 'string' || option.allowed === undefined || option.lenient)
    return typeNames[option.type] ?? 'string';
  const isOptional = option.default === undefined;
  return [...(isOptional ? [''] : []), ...option.allowed].map((value) => `'${value}'`).join(' | ');
}
