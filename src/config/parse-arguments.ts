import { nearestName } from './nearest-name.ts';
import { parseOptionValue } from './option-values.ts';
import { type OptionRecord, type OptionSpec, OptionsError } from './options.ts';
import { type PhraseBook, plainPhrases } from './phrases.ts';
import { joinValues } from './values/format-value.ts';

/** What a command line says, before defaults. */
export interface ParsedArguments {
  /** Only options that were given. */
  readonly values: OptionRecord;
  /** Names of the options that were given. */
  readonly given: ReadonlySet<string>;
  /** Each flag as it was given, in order, by the option's name. */
  readonly typed: readonly TypedFlag[];
  /** Arguments that are not flags, in order. */
  readonly positionals: readonly string[];
  /** How many of them stand before `--`; undefined when it is not there. */
  readonly dashesAt?: number | undefined;
}

/** One flag of a command line with the text of its value, or of the one that it has alone. */
export interface TypedFlag {
  readonly name: string;
  readonly text: string;
}

/** How a command line is read. */
export interface ParseOptions {
  /** Maps another spelling of a long name to the table's. */
  readonly translateName?: (name: string) => string;
  /** Stop at the first positional and leave the rest alone, flags included. */
  readonly stopAtPositional?: boolean;
  /** A program's own words for flags that it does not know and values that are not there. */
  readonly phrases?: PhraseBook | undefined;
}

/** Something that keeps a command line from being read. */
export interface ArgumentProblem {
  readonly text: string;
  /** `did you mean --name?` */
  readonly advice?: string;
}

/** The problem as one sentence. */
export function formatArgumentProblem({ text, advice }: ArgumentProblem): string {
  return advice === undefined ? text : `${text}; ${advice}`;
}

/**
 * Reads a command line against a table, Go-style: `--flag`, `--flag=false`, `--flag value`, `-v3`, `-v=3`, `-v 3`,
 * clusters of short flags, `_` for `-` in names, `--` before positionals.
 * @throws OptionsError with every problem of the line
 */
export function parseArguments(
  specs: readonly OptionSpec[],
  argv: readonly string[],
  options: ParseOptions = {},
): ParsedArguments {
  const { problems, ...parsed } = readArguments(specs, argv, options);
  if (problems.length > 0) throw new OptionsError(problems.map(formatArgumentProblem));
  return parsed;
}

/** As `parseArguments`, but returns the problems so that they can be reported with others. */
export function readArguments(
  specs: readonly OptionSpec[],
  argv: readonly string[],
  options: ParseOptions = {},
): ParsedArguments & { readonly problems: readonly ArgumentProblem[] } {
  const reader = new ArgumentReader(specs, options);
  const queue = [...argv];
  for (let argument = queue.shift(); argument !== undefined; argument = queue.shift()) {
    if (argument === '--') {
      reader.dashesAt = reader.positionals.length;
      reader.positionals.push(...queue.splice(0));
    } else if (argument.startsWith('--')) {
      reader.readLong(argument.slice(2), queue);
    } else if (argument.startsWith('-') && argument !== '-') {
      reader.readShorts(argument.slice(1), queue);
    } else {
      reader.positionals.push(argument);
      if (options.stopAtPositional) reader.positionals.push(...queue.splice(0));
    }
  }
  return reader.result();
}

/** The state of one reading: what was seen so far and what was wrong with it. */
class ArgumentReader {
  readonly positionals: string[] = [];
  dashesAt: number | undefined;
  readonly #values: OptionRecord = Object.create(null);
  readonly #given = new Set<string>();
  readonly #typed: TypedFlag[] = [];
  readonly #problems: ArgumentProblem[] = [];
  readonly #byName: Map<string, OptionSpec>;
  readonly #byLetter = new Map<string, OptionSpec>();
  readonly #options: ParseOptions;
  readonly #phrases: PhraseBook;

  constructor(specs: readonly OptionSpec[], options: ParseOptions) {
    this.#options = options;
    this.#phrases = options.phrases ?? plainPhrases;
    this.#byName = new Map(specs.map((spec) => [spec.name, spec]));
    for (const spec of specs) if (spec.short !== undefined) this.#byLetter.set(spec.short, spec);
  }

  result() {
    return {
      values: this.#values,
      given: this.#given,
      typed: this.#typed,
      positionals: this.positionals,
      ...(this.dashesAt === undefined ? {} : { dashesAt: this.dashesAt }),
      problems: this.#problems,
    };
  }

  readLong(body: string, queue: string[]): void {
    const equals = body.indexOf('=');
    const written = equals < 0 ? body : body.slice(0, equals);
    const spec = this.#find(written);
    if (spec === undefined) this.#rejectLong(written);
    else this.#readValue(spec, `--${written}`, equals < 0 ? undefined : body.slice(equals + 1), queue);
  }

  /** Letters one after another; the first that needs a value takes the rest (`-v3`, `-v=3`) or the next argument. */
  readShorts(letters: string, queue: string[]): void {
    for (let index = 0; index < letters.length; index++) {
      const letter = letters[index] ?? '';
      const spec = this.#byLetter.get(letter);
      const rest = letters.slice(index + 1);
      if (spec === undefined) {
        const meant = this.#find(letters);
        this.#reject(this.#phrases.unknownLetter(letter, `-${letters}`), meant?.name);
        return;
      }
      const takesRest = standsAlone(spec) ? spec.type === 'count' && /^\d+$/.test(rest) : rest !== '';
      if (takesRest || rest.startsWith('=')) {
        this.#readValue(spec, `-${letter}`, rest.replace(/^=/, ''), queue);
        return;
      }
      this.#readValue(spec, `-${letter}`, undefined, queue);
    }
  }

  #find(written: string): OptionSpec | undefined {
    const name = written.replaceAll('_', '-');
    return this.#byName.get(name) ?? this.#byName.get(this.#options.translateName?.(name) ?? name);
  }

  #rejectLong(written: string): void {
    const visible = [...this.#byName.values()].filter((spec) => !spec.hidden && !spec.unsupported);
    const near = nearestName(
      written,
      visible.map((spec) => spec.name),
    );
    this.#reject(this.#phrases.unknownFlag(`--${written}`), near);
  }

  /** `near` is the name that was likely meant. */
  #reject(text: string, near?: string): void {
    this.#problems.push(near === undefined ? { text } : { text, advice: `did you mean --${near}?` });
  }

  #readValue(spec: OptionSpec, written: string, attached: string | undefined, queue: string[]): void {
    if (attached === undefined && spec.type === 'count') {
      this.#countUp(spec, written, queue);
      return;
    }
    const text = attached ?? (standsAlone(spec) ? (spec.impliedValue ?? 'true') : queue.shift());
    if (text === undefined) {
      this.#reject(this.#phrases.missingValue(written));
      this.#given.add(spec.name);
      return;
    }
    this.#take(spec, written, text);
  }

  /** `-v` adds one; `-v 3` and `--v 3` set it, as programs of this family have always allowed. */
  #countUp(spec: OptionSpec, written: string, queue: string[]): void {
    if (/^\d+$/.test(queue[0] ?? '')) {
      this.#take(spec, written, queue.shift() ?? '');
      return;
    }
    const soFar = Number(this.#values[spec.name] ?? 0);
    this.#values[spec.name] = soFar + 1;
    this.#given.add(spec.name);
    this.#typed.push({ name: spec.name, text: String(soFar + 1) });
  }

  #take(spec: OptionSpec, written: string, text: string): void {
    const earlier = this.#values[spec.name];
    this.#given.add(spec.name);
    this.#typed.push({ name: spec.name, text });
    const parsed = parseOptionValue(spec, text, this.#phrases);
    if ('problem' in parsed) {
      this.#reject(this.#phrases.refusedValue({ option: spec, written, text, problem: parsed.problem }));
    } else {
      this.#values[spec.name] =
        earlier === undefined ? parsed.value : joinValues(spec.type, earlier, parsed.value);
    }
  }
}

function standsAlone(spec: OptionSpec): boolean {
  return spec.type === 'bool' || spec.type === 'count' || spec.impliedValue !== undefined;
}
