import type { OptionSpec } from './options.ts';
import { plainValuePhrases, type ValuePhrases } from './values/value-phrases.ts';

/** What a program says about a command line that cannot be read; `written` is a flag with its dashes. */
export interface PhraseBook extends ValuePhrases {
  unknownFlag(written: string): string;
  /** A letter in a cluster of short flags (`x` in `-vx`). */
  unknownLetter(letter: string, cluster: string): string;
  missingValue(written: string): string;
  /** A text that is no value of the flag; `problem` is what the phrases of values say. */
  refusedValue(refused: RefusedValue): string;
}

/** A flag with a text that is no value of it. */
export interface RefusedValue {
  readonly option: OptionSpec;
  readonly written: string;
  readonly text: string;
  readonly problem: string;
}

/** The phrases of programs of ours: of flags in the words of Go's flag packages, which operators know. */
export const plainPhrases: PhraseBook = {
  ...plainValuePhrases,
  unknownFlag: (written) => `unknown flag: ${written}`,
  unknownLetter: (letter, cluster) => `unknown shorthand flag: '${letter}' in ${cluster}`,
  missingValue: (written) =>
    `flag needs an argument: ${written.startsWith('--') ? written : `'${written.slice(1)}' in ${written}`}`,
  refusedValue: ({ written, text, problem }) => `${written}=${showText(text)}: ${problem}`,
};

function showText(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return /^[\w./:=,@*+-]+$/.test(short) ? short : JSON.stringify(short);
}
