import { nearestName } from './nearest-name.ts';
import { defaultValue, parseOptionValue, readFileValue } from './option-values.ts';
import {
  type ConfigKeys,
  type ConfigOf,
  configKey,
  type OptionRecord,
  type OptionSpec,
  OptionsError,
} from './options.ts';
import {
  formatArgumentProblem,
  type ParseOptions,
  readArguments,
  type TypedFlag,
} from './parse-arguments.ts';
import { formatValue } from './values/format-value.ts';
import type { Parsed } from './values/parsed.ts';
import type { AnyOptionValue } from './values/value-types.ts';

/** Where a program's options come from; flags win over the environment, which wins over the file. */
export interface ConfigSources<S extends readonly OptionSpec[]> extends ParseOptions {
  readonly specs: S;
  /** Options that are read and checked, but have no place in the configuration. */
  readonly others?: readonly OptionSpec[];
  /** The parsed configuration file: a map with the names of the flags. */
  readonly file?: unknown;
  /** How problems call the file. */
  readonly fileName?: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A set that can be asked for known keys only. */
export interface KeySet<K extends string> {
  has(key: K): boolean;
}

/** A complete configuration and what is worth saying about it. */
export interface LayeredConfig<S extends readonly OptionSpec[]> {
  /** Frozen; every option of the table is there. */
  readonly config: ConfigOf<S>;
  /** Keys of the options that somebody set, by flag, environment or file. */
  readonly given: KeySet<ConfigKeys<S>>;
  /** Each flag of the command line as it was given, in order. */
  readonly typed: readonly TypedFlag[];
  readonly positionals: readonly string[];
  /** How many of them stand before `--`; undefined when it is not there. */
  readonly dashesAt?: number | undefined;
  /** Sentences about deprecated options in use. */
  readonly warnings: readonly string[];
}

/**
 * Merges defaults, file, environment and flags into one frozen, typed configuration.
 * @throws OptionsError with the problems of all sources together
 */
export function layerConfig<const S extends readonly OptionSpec[]>(
  sources: ConfigSources<S>,
): LayeredConfig<S> {
  const known: readonly OptionSpec[] = [...sources.specs, ...(sources.others ?? [])];
  const fromFile = readFile(known, sources);
  const fromEnv = readEnvironment(known, sources);
  const fromFlags = readArguments(known, sources.argv, sources);
  const valueFor = ({ name }: OptionSpec) =>
    fromFlags.values[name] ?? fromEnv.values[name] ?? fromFile.values[name];
  const given = known.filter((spec) => fromFlags.given.has(spec.name) || valueFor(spec) !== undefined);
  const problems = [
    ...fromFlags.problems.map(formatArgumentProblem),
    ...fromEnv.problems,
    ...fromFile.problems,
    ...given
      .filter((spec) => spec.unsupported && !isDefault(spec, valueFor(spec)))
      .map((spec) => `--${spec.name}: not supported yet by this version of orch${because(spec)}`),
  ];
  if (problems.length > 0) throw new OptionsError(problems);
  return {
    config: configOf(sources.specs, valueFor),
    given: new Set(given.map(configKey)),
    typed: fromFlags.typed,
    positionals: fromFlags.positionals,
    ...(fromFlags.dashesAt === undefined ? {} : { dashesAt: fromFlags.dashesAt }),
    warnings: given.flatMap(warningsAbout),
  };
}

function configOf<S extends readonly OptionSpec[]>(
  specs: S,
  valueFor: (spec: OptionSpec) => OptionRecord[string],
): ConfigOf<S> {
  const config: OptionRecord = {};
  for (const spec of specs) config[configKey(spec)] = freeze(valueFor(spec) ?? defaultValue(spec));
  // Filled from the same table that the static type is computed from, each value by its own type's parser.
  return Object.freeze(config) as unknown as ConfigOf<S>;
}

function warningsAbout(spec: OptionSpec): string[] {
  return [
    ...(spec.deprecated === undefined ? [] : [`--${spec.name} is deprecated: ${spec.deprecated}`]),
    ...(spec.withoutEffect ? [`--${spec.name} has no effect in orch${because(spec)}`] : []),
  ];
}

const because = ({ reason }: OptionSpec): string => (reason === undefined ? '' : `: ${reason}`);

/** Repeating the default asks for nothing; without one, the empty value of release 1.20's type does. */
function isDefault(spec: OptionSpec, value: OptionRecord[string]): boolean {
  const text = formatValue(spec.type, value);
  if (spec.default !== undefined) return text === formatValue(spec.type, defaultValue(spec));
  return text === '' || text === '0' || text === '0s' || text === 'false';
}

interface Layer {
  readonly values: OptionRecord;
  readonly problems: string[];
}

function readFile(
  specs: readonly OptionSpec[],
  { file, fileName = 'configuration file', translateName }: ConfigSources<readonly OptionSpec[]>,
): Layer {
  const layer: Layer = { values: Object.create(null), problems: [] };
  if (file === undefined || file === null) return layer;
  if (typeof file !== 'object' || Array.isArray(file)) {
    layer.problems.push(`${fileName}: must be a map from option names to values`);
    return layer;
  }
  const byName = new Map(specs.map((spec) => [spec.name, spec]));
  for (const [key, raw] of Object.entries(file)) {
    const name = key.replaceAll('_', '-');
    const spec = byName.get(name) ?? byName.get(translateName?.(name) ?? name);
    if (spec === undefined) {
      const near = nearestName(name, byName.keys());
      layer.problems.push(
        `${fileName}: unknown option ${key}${near === undefined ? '' : `; did you mean ${near}?`}`,
      );
    } else {
      keep(layer, spec, readFileValue(spec, raw), `${fileName}: ${key}`);
    }
  }
  return layer;
}

function readEnvironment(
  specs: readonly OptionSpec[],
  { env = {} }: ConfigSources<readonly OptionSpec[]>,
): Layer {
  const layer: Layer = { values: Object.create(null), problems: [] };
  for (const spec of specs) {
    const text = spec.env === undefined ? undefined : env[spec.env];
    if (text !== undefined && text !== '') {
      keep(layer, spec, parseOptionValue(spec, text), `environment variable ${spec.env}`);
    }
  }
  return layer;
}

function keep(layer: Layer, spec: OptionSpec, parsed: Parsed<AnyOptionValue>, where: string): void {
  if ('problem' in parsed) layer.problems.push(`${where}: ${parsed.problem}`);
  else layer.values[spec.name] = parsed.value;
}

function freeze(value: OptionRecord[string]): OptionRecord[string] {
  return typeof value === 'object' ? Object.freeze(value) : value;
}
