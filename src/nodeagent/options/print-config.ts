import type { AnyOptionValue, NodeTaint } from '../../config/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { AgentOptionValues } from './agent-option-values.ts';
import { configFileKind, configFileVersion } from './config-file.ts';
import { type ConfigField, configFields, spellValue } from './configz.ts';
import { agentDefaults } from './defaults.ts';
import type { ValueOrigin } from './layer-options.ts';
import type { LoadedAgentConfig } from './load-config.ts';
import { agentOptions, flagOptions, valueOption } from './option-table.ts';

const fileDefaults = agentDefaults({ withFile: true });

/**
 * The effective configuration as a file that `--config` takes, each value with where it came from; what only flags can
 * say follows as comments.
 */
export function printConfig({ config, origins, dialect }: LoadedAgentConfig): string {
  const lines: string[] = [
    `apiVersion: ${dialect.spell(configFileVersion)}`,
    `kind: ${dialect.spell(configFileKind)}`,
  ];
  let open: readonly string[] = [];
  for (const field of configFields(config, dialect)) {
    lines.push(...openFolders(open, field.path));
    open = field.path.slice(0, -1);
    lines.push(fieldLine(field, originText(origins.get(field.key), field.key, dialect)));
  }
  lines.push('', '# What only flags can say:');
  const values: AgentOptionValues = config;
  const byKey = new Map<string, AnyOptionValue>(Object.entries(values));
  for (const option of flagOptions) {
    if (option.field !== undefined || option.aliasOf !== undefined || option.flag === 'version') continue;
    const { key } = valueOption(option);
    const value = spellValue(option, byKey.get(key) ?? '', dialect);
    const shown = option.type === 'duration' ? formatDurationMs(Number(value)) : flagText(value);
    lines.push(`# --${dialect.spell(option.flag)}=${shown} # ${originText(origins.get(key), key, dialect)}`);
  }
  return `${lines.join('\n')}\n`;
}

function fieldLine({ key, path, value, isShown }: ConfigField, origin: string): string {
  const indent = '  '.repeat(path.length - 1);
  const text = `${path.at(-1)}: ${JSON.stringify(value)}`;
  // What is empty by default need not stand in a file, and an empty text or number there would mean the default.
  const isNeeded =
    isShown || (typeof value === 'object' && Object.keys(fileDefaults.get(key) ?? {}).length > 0);
  return isNeeded ? `${indent}${text} # ${origin}` : `${indent}# ${text} # ${origin}`;
}

function openFolders(open: readonly string[], path: readonly string[]): string[] {
  const folders = path.slice(0, -1);
  const common = folders.findIndex((name, index) => open[index] !== name);
  if (common < 0) return [];
  return folders.slice(common).map((name, index) => `${'  '.repeat(common + index)}${name}:`);
}

function originText(origin: ValueOrigin | undefined, key: string, dialect: Dialect): string {
  const flag = dialect.spell(agentOptions.find((option) => option.key === key)?.flag ?? '');
  if (origin === 'flag') return `from --${flag}`;
  if (origin === 'file') return 'from the file';
  if (origin === 'file and flag') return `from the file and --${flag}`;
  return origin === 'other option' ? 'follows another option' : 'default';
}

function flagText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!Array.isArray(value))
    return Object.entries(value)
      .map(([key, entry]) => `${key}=${entry}`)
      .join(',');
  const taintText = ({ key, value: text, effect }: NodeTaint) =>
    effect === '' ? key : `${key}=${text}:${effect}`;
  return value
    .map((item: string | NodeTaint) => (typeof item === 'string' ? item : taintText(item)))
    .join(',');
}
