/** What a program sees of the process that runs it; tests pass their own. */
export interface ProgramIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder, if there is one. */
  readonly home: string | undefined;
  readonly isRoot: boolean;
  /** Whether a person looks at standard error: progress goes to terminals only. */
  readonly isTerminal?: boolean;
  /** Width of the terminal that standard output is; undefined when it is none. */
  readonly outputColumns?: number | undefined;
  /** Writes to standard output: the command's answer. */
  out(text: string): void;
  /** Writes to standard error: everything else. */
  err(text: string): void;
}

/** The real process. Its streams, which take time to make, are looked at when somebody asks. */
export function processIo(): ProgramIo {
  return {
    env: process.env,
    home: process.env.HOME,
    isRoot: process.geteuid?.() === 0,
    get isTerminal() {
      return process.stderr.isTTY === true;
    },
    get outputColumns() {
      return process.stdout.isTTY ? process.stdout.columns : undefined;
    },
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  };
}
