import type { OptionType } from '../../config/index.ts';
import table from './agent-options.json' with { type: 'json' };

/** One option of the node agent: the only description of it that there is. */
export interface AgentOption {
  /** Flag without its dashes; fields that only the configuration file has, have none. */
  readonly flag?: string;
  /** One letter. */
  readonly short?: string;
  /** Name in `AgentConfig`, with its unit. An alias has none. */
  readonly key?: string;
  /** Flag whose value this one sets under an older name. */
  readonly aliasOf?: string;
  readonly type: OptionType;
  /** Type as `--help` shows it, where it has another name there. */
  readonly typeText?: string;
  /** Of a map: the value of a name that stands alone. */
  readonly loneValue?: string;
  /** Value when nobody says anything; without it: false, zero or empty. */
  readonly default?: unknown;
  /** The same when a configuration file is given and does not name the field. */
  readonly fileDefault?: unknown;
  /** What help says instead of the default. */
  readonly defaultText?: string;
  /** Path of the field in the configuration file, parts joined by dots. */
  readonly field?: string;
  /** A zero in the file stands; in other fields it means the default. Null means the default. */
  readonly nullable?: boolean;
  readonly stage?: string;
  /** `config` when it belongs into the configuration file, else release 1.20's words. */
  readonly deprecated?: string;
  /** Feature without which only the default is allowed. */
  readonly gate?: string;
  /** Bounds, both included. */
  readonly range?: readonly number[];
  /** Zero is allowed beside the range. */
  readonly orZero?: boolean;
  readonly notNegative?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** Bound that is not included. */
  readonly above?: number;
  readonly allowed?: readonly string[];
  /** Other values than the allowed ones are a warning. */
  readonly lenient?: boolean;
  /** Release 1.20's sentence about a value out of bounds; `{value}`, `{quoted}`, `{nanos}`, `{duration}`, `{field}`, `{flag}` are filled in. */
  readonly refusal?: string;
  /** A relative path in the file is seen from the file's folder. */
  readonly isPath?: boolean;
  /** The parser of the flag says no more than `parse error` or `value out of range`. */
  readonly terse?: boolean;
  /** Part of the agent that reads it: a key of `agentParts`. */
  readonly part: string;
  readonly help: string;
  /** What it does in this agent. */
  readonly effect?: string;
  /** The test that shows the effect. */
  readonly test?: string;
  /** In place of an effect: why nothing acts on it. It is read, checked and shown all the same. */
  readonly noEffect?: string;
}

/** Parts of the agent, in the order in which help lists their options. */
export const agentParts: Readonly<Record<string, string>> = {
  general: 'General',
  sources: 'Pod sources',
  api: 'API server',
  server: 'Servers',
  access: 'Authentication and authorization',
  node: 'Node',
  runtime: 'Container runtime',
  images: 'Images',
  resources: 'Resources',
  eviction: 'Eviction',
  network: 'Network',
  volumes: 'Volumes',
  logging: 'Logging',
};

/** Every option: first those that the configuration file knows, in the order of its fields. */
export const agentOptions: readonly AgentOption[] = table as readonly AgentOption[]; // a test checks the shape of every row

/** Options that a command line may name. */
export const flagOptions: readonly (AgentOption & { readonly flag: string })[] = agentOptions.filter(
  (option): option is AgentOption & { readonly flag: string } => option.flag !== undefined,
);

/** Options that a configuration file may name. */
export const fieldOptions: readonly (AgentOption & { readonly field: string; readonly key: string })[] =
  agentOptions.filter(
    (option): option is AgentOption & { readonly field: string; readonly key: string } =>
      option.field !== undefined && option.key !== undefined,
  );

const byFlag = new Map(flagOptions.map((option) => [option.flag, option]));

/** The row of a flag. */
export function flagOption(name: string): (AgentOption & { readonly flag: string }) | undefined {
  return byFlag.get(name);
}

/** The row that holds the value of a flag: of an alias, the row of the name that it stands for. */
export function valueOption(option: AgentOption): AgentOption & { readonly key: string } {
  const target = option.aliasOf === undefined ? option : byFlag.get(option.aliasOf);
  if (target?.key === undefined) throw new TypeError(`option table: --${option.flag} has no value`);
  return { ...target, key: target.key };
}

/** The flag as messages name it: `--max-pods`; the field where there is no flag. */
export function optionName(option: AgentOption): string {
  return option.flag === undefined ? (option.field ?? '') : `--${option.flag}`;
}
