import { defaultValue } from './option-values.ts';
import type { OptionSpec } from './options.ts';
import { formatValue } from './values/format-value.ts';
import type { OptionType } from './values/value-types.ts';

const placeholders: Readonly<Record<OptionType, string>> = {
  bool: '',
  string: 'TEXT',
  int: 'N',
  uint: 'N',
  float: 'N',
  duration: 'DURATION',
  strings: 'LIST',
  stringArray: 'TEXT',
  mapStringString: 'KEY=VALUE,...',
  mapStringBool: 'NAME=true|false,...',
  ip: 'ADDRESS',
  cidrs: 'CIDR,...',
  portRange: 'FIRST-LAST',
  quantity: 'QUANTITY',
  count: 'N',
  int32: 'N',
  int64: 'N',
  ips: 'ADDRESS,...',
  thresholds: 'SIGNAL<AMOUNT,...',
  headers: 'NAME:VALUE,...',
  taints: 'KEY=VALUE:EFFECT,...',
  severity: 'SEVERITY',
  traceLocation: 'FILE:LINE',
  moduleSpec: 'PATTERN=N,...',
  version: '',
};

/** The options that help, man pages and completion show. */
export function visibleOptions(options: readonly OptionSpec[]): OptionSpec[] {
  return options.filter((option) => !option.hidden && !option.unsupported && !option.withoutEffect);
}

/** Options by their section, sections in the order of their first option. */
export function optionsBySection(options: readonly OptionSpec[]): Map<string, OptionSpec[]> {
  return Map.groupBy(visibleOptions(options), (option) => option.section);
}

/** What stands for an option's value: empty for flags that stand alone. */
export function valuePlaceholder(option: OptionSpec): string {
  return option.valueName ?? placeholders[option.type];
}

/** The flag as help shows it: `-v, --v=LEVEL`, `--dry-run[=TEXT]`. */
export function flagText(option: OptionSpec): string {
  const placeholder = valuePlaceholder(option);
  const value =
    placeholder === '' ? '' : option.impliedValue === undefined ? `=${placeholder}` : `[=${placeholder}]`;
  return `${option.short === undefined ? '' : `-${option.short}, `}--${option.name}${value}`;
}

/** The explanation with allowed values, default, environment variable and deprecation added. */
export function explanation(option: OptionSpec): string {
  const isShort = option.allowed !== undefined && option.allowed.length <= 8;
  const value =
    option.defaultText ??
    (option.default === undefined ? '' : formatValue(option.type, defaultValue(option)));
  const hasDefault = value !== '' && value !== 'false';
  return [
    option.help,
    ...(isShort ? [`One of: ${option.allowed?.join(', ')}.`] : []),
    ...(hasDefault ? [`(default ${value})`] : []),
    ...(option.env === undefined ? [] : [`[$${option.env}]`]),
    ...(option.deprecated === undefined ? [] : [`Deprecated: ${option.deprecated}`]),
  ].join(' ');
}
