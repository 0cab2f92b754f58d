/** Marks up text for a terminal; elsewhere every function is the identity. */
export interface Colours {
  readonly heading: (text: string) => string;
  readonly flag: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly caution: (text: string) => string;
}

/** What decides whether an output gets colours. */
export interface ColourSetting {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const same = (text: string): string => text;

/** No colours at all. */
export const plainColours: Colours = { heading: same, flag: same, good: same, bad: same, caution: same };

/**
 * Colours for an output: none unless it is a terminal and NO_COLOR is unset (https://no-color.org). Only then is the
 * library loaded.
 */
export async function loadColours({ isTerminal, env }: ColourSetting): Promise<Colours> {
  if (!isTerminal || env.NO_COLOR || env.TERM === 'dumb') return plainColours;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    heading: chalk.bold,
    flag: chalk.cyan,
    good: chalk.green,
    bad: chalk.red,
    caution: chalk.yellow,
  };
}

/** Marks what happens in a picture that is drawn again and again. */
export interface ChangeMarks {
  readonly changed: (text: string) => string;
  readonly gone: (text: string) => string;
}

/** Marks for a terminal; without colours where these are not wanted, since a line below or through a text is none. */
export async function loadChangeMarks(env: ColourSetting['env']): Promise<ChangeMarks> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  if (env.NO_COLOR) return { changed: chalk.underline, gone: chalk.strikethrough };
  return { changed: chalk.inverse, gone: chalk.dim.strikethrough };
}
