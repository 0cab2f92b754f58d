import { type AnyOptionValue, isZeroValue, recordOf } from '../../config/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentOptionValues } from './agent-option-values.ts';
import { agentDefaults } from './defaults.ts';
import { agentOptions, fieldOptions } from './option-table.ts';

/** Where a value came from. */
export type ValueOrigin = 'default' | 'file' | 'flag' | 'file and flag' | 'other option';

/** What the sources say, by key of the table. */
export interface OptionLayers {
  /** Undefined when there is no configuration file. */
  readonly file: ReadonlyMap<string, AnyOptionValue> | undefined;
  readonly flags: ReadonlyMap<string, AnyOptionValue>;
  readonly dialect: Dialect;
}

/** Every value, and where it came from. */
export interface LayeredOptions {
  readonly values: AgentOptionValues;
  readonly origins: ReadonlyMap<string, ValueOrigin>;
}

/** Merges defaults, file and flags, and completes what depends on other options. */
export function layerOptions(layers: OptionLayers): LayeredOptions {
  const { file, flags, dialect } = layers;
  const values = agentDefaults({ withFile: file !== undefined });
  const origins = new Map<string, ValueOrigin>([...values.keys()].map((key) => [key, 'default']));
  values.set('orchApiContentType', dialect.protobufMediaType);
  for (const [key, value] of givenInFile(file)) {
    values.set(key, value);
    origins.set(key, 'file');
  }
  for (const [key, value] of flags) {
    values.set(key, value);
    origins.set(key, 'flag');
  }
  mergeGates(layers, values, origins);
  unspellChoices(dialect, values);
  completeFromOthers(values, origins);
  // The table has a default for every key, and each value was made by its own option's reader.
  return { values: Object.fromEntries(values) as unknown as AgentOptionValues, origins };
}

/** Fields of the file that count: zero is the same as nothing, except where a field may be null. */
function givenInFile(file: OptionLayers['file']): [string, AnyOptionValue][] {
  return fieldOptions.flatMap((option): [string, AnyOptionValue][] => {
    const value = file?.get(option.key);
    if (value === undefined) return [];
    const isMissing = !option.nullable && typeof value !== 'object' && isZeroValue(value);
    return isMissing ? [] : [[option.key, value]];
  });
}

/** Gates are the one map of which flags replace single entries. */
function mergeGates(
  { file, flags, dialect }: OptionLayers,
  values: Map<string, AnyOptionValue>,
  origins: Map<string, ValueOrigin>,
): void {
  const fromFile = Object.entries(file?.get('featureGates') ?? {});
  const fromFlags = Object.entries(flags.get('featureGates') ?? {});
  const merged = recordOf(
    [...fromFile, ...fromFlags].map(([name, isOn]) => [dialect.unspell(name), isOn === true]),
  );
  values.set('featureGates', merged);
  if (fromFile.length > 0 && fromFlags.length > 0) origins.set('featureGates', 'file and flag');
}

/** Words of a closed list may be spelled as the dialect does; other texts are the user's own. */
function unspellChoices(dialect: Dialect, values: Map<string, AnyOptionValue>): void {
  for (const { key = '', allowed } of agentOptions) {
    if (allowed === undefined) continue;
    const unspell = (text: string): string => {
      const plain = dialect.unspell(text);
      return allowed.includes(plain) ? plain : text;
    };
    const value = values.get(key);
    if (typeof value === 'string') values.set(key, unspell(value));
    // Options with a closed list are texts and lists of texts.
    else if (Array.isArray(value)) values.set(key, value.map(String).map(unspell));
  }
}

function completeFromOthers(values: Map<string, AnyOptionValue>, origins: Map<string, ValueOrigin>): void {
  const isDefault = (key: string) => origins.get(key) === 'default';
  const follow = (key: string, value: AnyOptionValue | undefined) => {
    if (!isDefault(key) || value === undefined) return;
    values.set(key, value);
    origins.set(key, 'other option');
  };
  if (!isDefault('nodeStatusUpdateFrequencyMs')) {
    follow('cpuManagerReconcilePeriodMs', values.get('nodeStatusUpdateFrequencyMs'));
  }
  if (origins.get('nodeStatusUpdateFrequencyMs') === 'file') {
    follow('nodeStatusReportFrequencyMs', values.get('nodeStatusUpdateFrequencyMs'));
  }
  follow('imageServiceEndpoint', values.get('containerRuntimeEndpoint'));
  if (values.get('runOnce') === true) follow('enableServer', false);
}
