import type { Colours } from '../config/index.ts';
import type { Output } from './io.ts';

/** Shows warnings of the server, each text once. */
export interface WarningPrinter {
  /** Prints a text that was not printed before; an empty one is no warning. */
  readonly print: (text: string) => void;
  /** How many different warnings came. */
  readonly count: () => number;
}

// A text is a line of the terminal: what could move its cursor or change its colours is not passed on.
const controls = /[\p{Cc}\u2028\u2029]/gu;

/** Prints warnings to `output` as `Warning: text`. */
export function createWarningPrinter(output: Output, colours: Colours): WarningPrinter {
  const seen = new Set<string>();
  return {
    print(given) {
      const text = given.replace(controls, ' ').trim();
      if (text === '' || seen.has(text)) return;
      seen.add(text);
      output.write(`${colours.caution('Warning:')} ${text}\n`);
    },
    count: () => seen.size,
  };
}
