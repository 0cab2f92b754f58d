import type { CtlIo, Output } from './io.ts';

/** Marks up text for a terminal; elsewhere every function is the identity. */
export interface Colours {
  readonly heading: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly caution: (text: string) => string;
}

const same = (text: string) => text;

/** No colours at all. */
export const plainColours: Colours = { heading: same, good: same, bad: same, caution: same };

/** Colours for a stream: none unless it is a terminal and NO_COLOR is unset. Only then is the library loaded. */
export async function loadColours(output: Output, env: CtlIo['env']): Promise<Colours> {
  if (!output.isTerminal || env.NO_COLOR || env.TERM === 'dumb') return plainColours;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return { heading: chalk.bold, good: chalk.green, bad: chalk.red, caution: chalk.yellow };
}
