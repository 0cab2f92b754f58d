import { dirname, resolve } from 'node:path';
import { errorText } from '../../base/index.ts';
import { type AnyOptionValue, type OptionSpec, readArguments } from '../../config/index.ts';
import { createDialect, type Dialect } from '../../machinery/dialect.ts';
import { type AgentConfig, completeAgentConfig, isStandalone } from './agent-config.ts';
import type { CheckContext } from './check-context.ts';
import { checkConfig } from './checks/check-config.ts';
import { ConfigFileError, configFileKind, readConfigFile } from './config-file.ts';
import { effectiveFeatures } from './feature-gates.ts';
import { type LayeredOptions, layerOptions, type ValueOrigin } from './layer-options.ts';
import { configWarnings, deprecationNotices, usageHints } from './notices.ts';
import { AgentOptionsError, type AgentProblem, formatProblem } from './problem.ts';
import { type AgentFlags, readAgentFlags } from './read-flags.ts';

/** Where the configuration comes from. */
export interface AgentConfigSources {
  readonly argv: readonly string[];
  /** Reads a whole file; a failure is told by its message. */
  readonly readFile: (path: string) => Buffer;
  /** Absolute; a relative `--config` is seen from it. */
  readonly workingDirectory: string;
  /** Absolute path of a file that counts in place of that of `--config`. */
  readonly assignedFile?: string | undefined;
}

/** A configuration that can run, and what is worth saying about it. */
export interface LoadedAgentConfig {
  readonly config: AgentConfig;
  readonly dialect: Dialect;
  /** By key of `AgentConfig`. */
  readonly origins: ReadonlyMap<string, ValueOrigin>;
  /** Sentences of release 1.20 about deprecated flags. */
  readonly notices: readonly string[];
  readonly warnings: readonly string[];
  /** What release 1.20 does not say: where deprecated flags have moved, stages of options. */
  readonly hints: readonly string[];
}

/** What a command line asks for. */
export type AgentRequest =
  | { readonly kind: 'help'; readonly dialect: Dialect }
  | { readonly kind: 'version'; readonly isRaw: boolean; readonly dialect: Dialect }
  | ({ readonly kind: 'run' | 'print-config' } & LoadedAgentConfig);

/**
 * Reads flags and configuration file, completes and checks the configuration.
 * @throws AgentOptionsError with everything that is wrong: with the command line, else with the file, else with the values
 */
export function readAgentRequest(sources: AgentConfigSources): AgentRequest {
  const dialect = chooseDialect(sources.argv);
  const flags = readAgentFlags(sources.argv, dialect);
  if (flags.problems.length > 0) throw new AgentOptionsError(flags.problems, { dialect });
  if (flags.own.help) return { kind: 'help', dialect };
  const version = flags.values.get('version');
  if (version === true || version === 'raw') return { kind: 'version', isRaw: version === 'raw', dialect };
  const loaded = loadAgentConfig(sources, flags, dialect);
  return { kind: flags.own.printConfig ? 'print-config' : 'run', ...loaded };
}

const dialectSpec: OptionSpec = { name: 'dialect', type: 'string', section: '', help: '' };

/** The dialect comes first: it says how flags and fields are spelled. */
function chooseDialect(argv: readonly string[]): Dialect {
  const name = readArguments([dialectSpec], argv).values.dialect ?? 'orch';
  if (name === 'orch' || name === 'kubernetes') return createDialect(name);
  const text = `invalid argument ${JSON.stringify(name)} for "--dialect" flag: must be orch or 'kubernetes'`;
  throw new AgentOptionsError([{ text, names: [], isUsage: true }]);
}

function loadAgentConfig(
  sources: AgentConfigSources,
  flags: AgentFlags,
  dialect: Dialect,
): LoadedAgentConfig {
  const notices = deprecationNotices(flags.given).map((text) => dialect.spell(text));
  const file = loadFile(sources, flags, { dialect, notices });
  const layered = layerOptions({ file: file?.values, flags: flags.values, dialect });
  const context = contextOf(layered, dialect);
  const found = checkConfig(context);
  const isAlone = isStandalone(layered.values);
  const problems = found.filter(({ isForServerOnly }) => !(isAlone && isForServerOnly === true));
  if (problems.length > 0) throw new AgentOptionsError(problems, { notices, dialect });
  return {
    config: completeAgentConfig(layered.values, context.features),
    dialect,
    origins: layered.origins,
    notices,
    warnings: [
      ...(file?.warnings ?? []),
      ...found.map((problem) => `${formatProblem(problem)}; ignored without an API server`),
      ...configWarnings(context, flags.given),
    ],
    hints: usageHints(flags.given, layered).map((text) => dialect.spell(text)),
  };
}

function contextOf({ values }: LayeredOptions, dialect: Dialect): CheckContext {
  return {
    values,
    features: effectiveFeatures(values.featureGates),
    dialect,
  };
}

interface LoadedFile {
  readonly values: ReadonlyMap<string, AnyOptionValue>;
  readonly warnings: readonly string[];
}

function loadFile(
  { readFile, workingDirectory, assignedFile }: AgentConfigSources,
  { values, own }: AgentFlags,
  { dialect, notices }: { readonly dialect: Dialect; readonly notices: readonly string[] },
): LoadedFile | undefined {
  const name = assignedFile ?? values.get('configPath');
  if (typeof name !== 'string' || name === '') return undefined;
  const path = resolve(workingDirectory, name);
  try {
    const file = readConfigFile(readBytes(readFile, path, dialect), {
      name: path,
      folder: dirname(path),
      dialect,
    });
    const complaint = `strict decoder error for kind: ${dialect.spell(configFileKind)}: ${file.strays.join('; ')}`;
    if (file.strays.length === 0) return { values: file.values, warnings: [] };
    if (own.strictConfig) throw new ConfigFileError(file.strays);
    return {
      values: file.values,
      warnings: [`using lenient decoding as strict decoding failed: ${complaint}`],
    };
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new AgentOptionsError(
      error.problems.map((text) => fileProblem(path, text, dialect)),
      { notices, dialect },
    );
  }
}

function readBytes(readFile: (path: string) => Buffer, path: string, { spell }: Dialect): Buffer {
  try {
    return readFile(path);
  } catch (error) {
    const detail = errorText(error);
    throw new ConfigFileError([
      `${spell('failed to read nodeagent config file')} "${path}", error: ${detail}`,
    ]);
  }
}

function fileProblem(path: string, text: string, { spell }: Dialect): AgentProblem {
  const sentence = `${spell('failed to load NodeAgent config file')} ${path}, error ${text}`;
  return { text: sentence, names: ['--config'], isFile: true };
}
