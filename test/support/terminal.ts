import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { findProgram } from './find-program.ts';

/** How a program is run in a pseudo-terminal. */
export interface TerminalOptions {
  /** A line of the system's shell. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What nothing is waited for longer than, in milliseconds. */
const patienceMs = 30_000;

/** A program that believes to be used by a person: it runs in a pseudo-terminal of 50 rows and 160 columns, by `script`. */
export class Terminal {
  readonly #child: ChildProcess;
  #shown = '';
  #onOutput = () => {};

  private constructor({ command, env, cwd }: TerminalOptions) {
    const line = `tty; stty rows 50 cols 160; exec ${command}`;
    this.#child = spawn('script', ['-qfec', line, '/dev/null'], {
      cwd,
      env: { TERM: 'xterm', ...env, SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#shown += text;
      this.#onOutput();
    });
  }

  /** Whether this machine has what is needed for it. */
  static isAvailable(): boolean {
    return findProgram('script') !== undefined;
  }

  static open(options: TerminalOptions): Terminal {
    return new Terminal(options);
  }

  /** Everything that was shown so far, as it was sent to the terminal. */
  get shown(): string {
    return this.#shown;
  }

  /** Changes the size, as a person does who drags an edge of the window: the program in it is told by a signal. */
  resize({ rows, columns }: { readonly rows: number; readonly columns: number }): void {
    const [, path = ''] = /(\/dev\/\S+)/.exec(this.#shown) ?? [];
    execFileSync('stty', ['-F', path, 'rows', String(rows), 'cols', String(columns)]);
  }

  /** Types keys, and waits until what is shown after that fits. */
  async type(keys: string, pattern: RegExp): Promise<RegExpExecArray> {
    const start = this.#shown.length;
    this.#child.stdin?.write(keys);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const text = JSON.stringify(this.#shown.slice(start));
        reject(new Error(`${pattern} was not shown after ${JSON.stringify(keys)}, but ${text}`));
      }, patienceMs);
      this.#onOutput = () => {
        const found = pattern.exec(this.#shown.slice(start));
        if (found === null) return;
        clearTimeout(timer);
        resolve(found);
      };
      this.#onOutput();
    });
  }

  /** Ends the program and what it started: a shell may take a signal for a wish. */
  close(): void {
    this.#child.stdin?.destroy();
    this.#child.kill('SIGKILL');
  }
}
