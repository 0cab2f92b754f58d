import type { Colours } from './colour.ts';
import type { Output } from './io.ts';

/** Shows warnings of the server, each text once. */
export interface WarningPrinter {
  readonly print: (text: string) => void;
  readonly count: () => number;
}

/** Prints warnings to `output` as `Warning: text`. */
export function createWarningPrinter(output: Output, colours: Colours): WarningPrinter {
  const seen = new Set<string>();
  let count = 0;
  return {
    print(text) {
      count++;
      if (seen.has(text)) return;
      seen.add(text);
      output.write(`${colours.caution('Warning:')} ${text}\n`);
    },
    count: () => count,
  };
}
