import type { ValueKind } from './values/parse-value.ts';
import type { AnyOptionValue, OptionValues } from './values/value-types.ts';

/**
 * One option of a program: the only description of it that there is (flags, file, help, completion, man page). A type
 * that is read with the API machinery comes with its parser, of `config/typed-values`.
 */
export type OptionSpec = OptionDescription & ValueKind;

interface OptionDescription {
  /** Long name without dashes, words joined by `-`. */
  readonly name: string;
  /** Name in the configuration, where it is not the one that `ConfigKey` makes: with the unit of a number. */
  readonly key?: string;
  /** One letter. */
  readonly short?: string;
  /**
   * Text as on the command line, or the parsed value. Without a default: booleans are false, counts 0, lists and maps empty,
   * and everything else is `undefined`.
   */
  readonly default?:
    | string
    | number
    | boolean
    | readonly string[]
    | Readonly<Record<string, string | boolean>>;
  /** What help shows in place of the default. */
  readonly defaultText?: string;
  /** One or two sentences for help and man page; the default is added by the renderers. */
  readonly help: string;
  /** Lines below the help text, such as keys that a map knows; the text announces them. */
  readonly choices?: readonly string[];
  /** Heading under which help lists it. */
  readonly section: string;
  /** Warns with this text when the option is given. */
  readonly deprecated?: string;
  /** Known but not supported yet: giving it is an error that says so, unless it only repeats the default. */
  readonly unsupported?: boolean;
  /** Accepted for the sake of existing command lines; giving it is a warning. */
  readonly withoutEffect?: boolean;
  /** Why it is not supported, or has no effect. */
  readonly reason?: string;
  /** Works, but is not listed. */
  readonly hidden?: boolean;
  /** Environment variable read when the flag is absent; it wins over the file. */
  readonly env?: string;
  /** Placeholder in help, for example `FILE`; by default made from the type. */
  readonly valueName?: string;
  /** The value when the flag stands alone (`--dry-run`); such a flag takes a value only with `=`. */
  readonly impliedValue?: string;
  /** Of a map of texts: the value of a name that stands alone. Without it such a name is refused. */
  readonly loneValue?: string;
  /** For text and lists: the only values allowed. */
  readonly allowed?: readonly string[];
  /** Values that completion offers, where they are not the only ones or the help names them already. */
  readonly suggested?: readonly string[];
  /** Bounds of numbers, both included; of durations in milliseconds. */
  readonly min?: number;
  readonly max?: number;
  /** Says what is wrong with a parsed value, as the end of the sentence `--name=VALUE: ...`. */
  readonly validate?: (value: never) => string | undefined;
}

type AlwaysPresent =
  | 'bool'
  | 'strings'
  | 'stringArray'
  | 'mapStringString'
  | 'mapStringBool'
  | 'cidrs'
  | 'count';

/** Text with a closed list of values is their union where the table spells them out. */
type ParsedType<O extends OptionSpec> = O extends {
  readonly type: 'string';
  readonly allowed: readonly (infer A extends string)[];
}
  ? A
  : OptionValues[O['type']];

/** The type of one option's value in a configuration. */
export type OptionValue<O extends OptionSpec> = O['type'] extends AlwaysPresent
  ? OptionValues[O['type']]
  : 'default' extends keyof O
    ? ParsedType<O>
    : ParsedType<O> | undefined;

type CamelCase<N extends string> = N extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : N;

/** The name of an option's value in a configuration: its own key, else its name in camel case, `Ms` behind durations. */
export type ConfigKey<O extends OptionSpec> = O extends { readonly key: infer K extends string }
  ? K
  : `${CamelCase<O['name']>}${O['type'] extends 'duration' ? 'Ms' : ''}`;

/** The configuration that a table describes: with `secure-port` in it, `ConfigOf<typeof table>['securePort']` is a number. */
export type ConfigOf<S extends readonly OptionSpec[]> = {
  readonly [O in S[number] as ConfigKey<O>]: OptionValue<O>;
};

/** The keys of the configuration that a table describes. */
export type ConfigKeys<S extends readonly OptionSpec[]> = ConfigKey<S[number]>;

/** As the type `ConfigKey`, at run time. */
export function configKey({ key, name, type }: OptionSpec): string {
  if (key !== undefined) return key;
  const camelCase = name.replace(/-([^-])/g, (_, letter: string) => letter.toUpperCase());
  return type === 'duration' ? `${camelCase}Ms` : camelCase;
}

/** Values by option name or key, not yet tied to a table's static type. */
export type OptionRecord = Record<string, AnyOptionValue | undefined>;

/** A program or subcommand as help, man pages and completion show it. */
export interface ProgramSpec {
  /** As it is typed: `orch serve`. */
  readonly name: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** What follows the name: `[flags]`. */
  readonly usage?: string;
  /** Paragraphs. */
  readonly description?: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly commands?: readonly ProgramSpec[];
  readonly examples?: readonly { readonly command: string; readonly does: string }[];
  readonly files?: readonly { readonly path: string; readonly what: string }[];
  readonly seeAlso?: readonly string[];
  /** The program is asked what the word at the cursor may become: `NAME __complete WORD...`. */
  readonly completesItself?: boolean;
  /** Lines at the end of the help, which a manual page does not need. */
  readonly helpNotes?: readonly string[];
  /** Section of the manual: 1 for commands (the default), 8 for services. */
  readonly manualSection?: 1 | 8;
  /** Exit codes with their meanings, where they are not the usual ones. */
  readonly exitStatus?: readonly (readonly [code: string, meaning: string])[];
}

/** Everything that is wrong with the given options, at once. */
export class OptionsError extends Error {
  /** One sentence each, without a full stop. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'OptionsError';
    this.problems = problems;
  }
}
