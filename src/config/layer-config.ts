import { nearestName } from './nearest-name.ts';
import { defaultValue, parseOptionValue, readFileValue } from './option-values.ts';
import { type ConfigOf, type OptionRecord, type OptionSpec, OptionsError } from './options.ts';
import { formatArgumentProblem, type ParseOptions, readArguments } from './parse-arguments.ts';
import { type AnyOptionValue, formatValue, type Parsed } from './values/index.ts';

/** Where a program's options come from; flags win over the environment, which wins over the file. */
export interface ConfigSources<S extends readonly OptionSpec[]> extends ParseOptions {
  readonly specs: S;
  /** The parsed configuration file: a map with the names of the flags. */
  readonly file?: unknown;
  /** How problems call the file. */
  readonly fileName?: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A complete configuration and what is worth saying about it. */
export interface LayeredConfig<S extends readonly OptionSpec[]> {
  /** Frozen; every option of the table is there. */
  readonly config: ConfigOf<S>;
  /** Options that somebody set, by flag, environment or file. */
  readonly given: ReadonlySet<string>;
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
  const fromFile = readFile(sources);
  const fromEnv = readEnvironment(sources);
  const fromFlags = readArguments(sources.specs, sources.argv, sources);
  const given = new Set([
    ...Object.keys(fromFile.values),
    ...Object.keys(fromEnv.values),
    ...fromFlags.given,
  ]);
  const config: OptionRecord = {};
  for (const spec of sources.specs) {
    const value = fromFlags.values[spec.name] ?? fromEnv.values[spec.name] ?? fromFile.values[spec.name];
    config[spec.name] = freeze(value ?? defaultValue(spec));
  }
  const problems = [
    ...fromFlags.problems.map(formatArgumentProblem),
    ...fromEnv.problems,
    ...fromFile.problems,
    ...unsupportedProblems(sources.specs, given, config),
  ];
  if (problems.length > 0) throw new OptionsError(problems);
  return {
    // Filled from the same table that the static type is computed from, each value by its own type's parser.
    config: Object.freeze(config) as unknown as ConfigOf<S>,
    given,
    positionals: fromFlags.positionals,
    ...(fromFlags.dashesAt === undefined ? {} : { dashesAt: fromFlags.dashesAt }),
    warnings: sources.specs.filter((spec) => given.has(spec.name)).flatMap(warningsAbout),
  };
}

function warningsAbout(spec: OptionSpec): string[] {
  return [
    ...(spec.deprecated === undefined ? [] : [`--${spec.name} is deprecated: ${spec.deprecated}`]),
    ...(spec.withoutEffect ? [`--${spec.name} has no effect in orch`] : []),
  ];
}

function unsupportedProblems(
  specs: readonly OptionSpec[],
  given: ReadonlySet<string>,
  config: OptionRecord,
): string[] {
  return specs
    .filter((spec) => spec.unsupported && given.has(spec.name) && !isDefault(spec, config[spec.name]))
    .map((spec) => `--${spec.name}: not supported yet by this version of orch`);
}

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

function readFile({
  specs,
  file,
  fileName = 'configuration file',
  translateName,
}: ConfigSources<readonly OptionSpec[]>): Layer {
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

function readEnvironment({ specs, env = {} }: ConfigSources<readonly OptionSpec[]>): Layer {
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
