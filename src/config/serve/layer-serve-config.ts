import { type LayeredConfig, layerConfig } from '../layer-config.ts';
import { OptionsError } from '../options.ts';
import { featureGateWarnings } from './feature-gates.ts';
import { otherReferenceOptions } from './other-reference-options.ts';
import { type ServeConfig, serveOptions } from './serve-options.ts';
import { serveConfigProblems } from './validate-serve.ts';

/** What `layerServeConfig` reads. */
export interface ServeSources {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The parsed YAML file named by --config. */
  readonly file?: unknown;
  readonly fileName?: string;
  /** Maps the dialect's spelling of flags, feature gates and the like to the tables'. */
  readonly unspell?: (text: string) => string;
  /** The inverse of `unspell`, for messages. */
  readonly spell?: (text: string) => string;
}

/**
 * The complete, validated configuration of `orch serve`.
 * @throws OptionsError with everything that is wrong with it
 */
export function layerServeConfig(given: ServeSources): LayeredConfig<typeof serveOptions> {
  const { unspell = (text) => text, spell = (text) => text, ...sources } = given;
  const layered = layerConfig({
    ...sources,
    specs: serveOptions,
    others: otherReferenceOptions,
    translateName: unspell,
  });
  const config = unspellKeys(layered.config, unspell);
  const problems = [...serveConfigProblems(config, spell), ...positionalProblems(layered.positionals)];
  if (problems.length > 0) throw new OptionsError(problems);
  const warnings = [...layered.warnings, ...featureGateWarnings(config.featureGates, spell)];
  return { ...layered, config, warnings };
}

function unspellKeys(config: ServeConfig, unspell: (text: string) => string): ServeConfig {
  const rename = <T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.freeze(Object.fromEntries(Object.entries(map).map(([key, value]) => [unspell(key), value])));
  return Object.freeze({
    ...config,
    featureGates: rename(config.featureGates),
    runtimeConfig: rename(config.runtimeConfig),
  });
}

function positionalProblems(positionals: readonly string[]): string[] {
  return positionals.length === 0
    ? []
    : [`unexpected argument ${JSON.stringify(positionals[0])}: serve takes only flags`];
}
