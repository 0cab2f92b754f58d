import { type LayeredConfig, layerConfig } from '../layer-config.ts';
import { type ConfigOf, OptionsError, type ProgramSpec } from '../options.ts';
import { agentOptions } from './agent-options.ts';
import { apiOptions } from './api-options.ts';
import { auditOptions } from './audit-options.ts';
import { featureGateWarnings } from './feature-gates.ts';
import { generalOptions } from './general-options.ts';
import { otherReferenceOptions } from './other-reference-options.ts';
import { securityOptions } from './security-options.ts';
import { servingOptions } from './serving-options.ts';
import { storageOptions } from './storage-options.ts';
import { serveConfigProblems } from './validate-serve.ts';

/** The options of `orch serve` that have an effect. */
export const serveOptions = [
  ...generalOptions,
  ...servingOptions,
  ...securityOptions,
  ...auditOptions,
  ...apiOptions,
  ...storageOptions,
  ...agentOptions,
] as const;

/** The configuration of `orch serve`: a value for each option, durations in milliseconds. */
export type ServeConfig = ConfigOf<typeof serveOptions>;

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

/** `orch serve` for help, man page and completion. */
export const serveProgram: ProgramSpec = {
  name: 'orch serve',
  summary: 'Run the API server',
  usage: '[flags]',
  description: [
    'Serves the API over HTTPS until it is told to stop. Without any flag it keeps its objects in SQLite in the data directory, makes the certificates and keys that it needs there, listens on 127.0.0.1:6443 and sets ctl up to reach it.',
    'SIGTERM and SIGINT stop it once running requests are done; a second signal stops it at once.',
  ],
  options: [
    ...serveOptions,
    { name: 'help', short: 'h', type: 'bool', section: 'General', help: 'Show this help.' },
  ],
  examples: [
    { command: 'orch serve', does: 'serve on this machine, with data kept between runs' },
    {
      command: 'orch serve --ephemeral --secure-port=0',
      does: 'a throw-away server on a free port, for a test',
    },
    {
      command: 'orch serve --bind-address=0.0.0.0 --external-hostname=api.example.org',
      does: 'serve other machines too',
    },
  ],
  files: [
    { path: '/var/lib/orch, ~/.local/share/orch', what: 'data directory: orch.db, pki/, admin.orchconfig' },
    { path: '~/.orch/config', what: 'client configuration that ctl reads' },
  ],
  seeAlso: ['ctl(1)', 'nodeagent(8)'],
};

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
