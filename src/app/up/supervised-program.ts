import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Clock, pause } from '../../base/index.ts';

/** What is run, and how it is told about. */
export interface SupervisedProgramOptions {
  /** As messages name it. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** File for what it prints, begun anew with each run of `orch up`; undefined for the standard error of this process. */
  readonly logFile: string | undefined;
  readonly clock: Clock;
  /** Called with what an operator should know. */
  readonly report: (text: string) => void;
  /** Called when it runs anew, with its number. */
  readonly onStart: (pid: number | undefined) => void;
}

const firstPauseMs = 1_000;
const maxPauseMs = 30_000;
/** Longer than this counts as running well, after which pauses begin small again. */
const steadyMs = 60_000;
/** How long a program may take to end before it is killed. */
const stopTimeoutMs = 60_000;
const shownBytes = 4_096;

/** A program that is started again whenever it ends, until it is stopped. */
export class SupervisedProgram implements AsyncDisposable {
  readonly #options: SupervisedProgramOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  #running: Promise<void> | undefined;
  #lastOutput = '';
  #onEnd: () => void = () => {};

  constructor(options: SupervisedProgramOptions) {
    this.#options = options;
  }

  /** Starts it. `onLine` sees the lines of its standard output. */
  start(onLine: (line: string) => void = () => {}): void {
    this.#running ??= this.#run(onLine);
  }

  /** The end of what it printed last, to tell why it does not run. */
  get lastOutput(): string {
    return this.#lastOutput.trim();
  }

  /** Calls back each time it ended without being told to. */
  onEnd(callback: () => void): void {
    this.#onEnd = callback;
  }

  async #run(onLine: (line: string) => void): Promise<void> {
    const { name, clock, report } = this.#options;
    let pauseMs = firstPauseMs;
    while (!this.#stopping.signal.aborted) {
      const startedAtMs = clock.nowMs();
      const ending = await this.#runOnce(onLine);
      if (this.#stopping.signal.aborted) return;
      this.#onEnd();
      pauseMs = clock.nowMs() - startedAtMs > steadyMs ? firstPauseMs : Math.min(2 * pauseMs, maxPauseMs);
      report(`${name} ended (${ending}); it starts again in ${pauseMs / 1000} s`);
      await pause(clock, pauseMs, this.#stopping.signal);
    }
  }

  async #runOnce(onLine: (line: string) => void): Promise<string> {
    const { command, args, logFile, onStart } = this.#options;
    const log = logFile === undefined ? undefined : openSync(logFile, 'a', 0o600);
    try {
      // In a group of its own: a key that interrupts must reach the supervisor only, which ends things in order.
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      this.#child = child;
      const write = (part: Buffer): void => {
        this.#lastOutput = (this.#lastOutput + part.toString('utf8')).slice(-shownBytes);
        if (log === undefined) process.stderr.write(part);
        else writeSync(log, part);
      };
      child.stderr.on('data', write);
      let rest = '';
      child.stdout.on('data', (part: Buffer) => {
        write(part);
        const lines = (rest + part.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(line);
      });
      onStart(child.pid);
      const [code, signal] = await once(child, 'close');
      return signal === null ? `exit code ${code}` : `signal ${signal}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      this.#child = undefined;
      onStart(undefined);
      if (log !== undefined) closeSync(log);
    }
  }

  /** Ends it, by force when it takes too long. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
    const cancel = this.#options.clock.setTimer(stopTimeoutMs, () => void this.#child?.kill('SIGKILL'));
    await this.#running;
    cancel();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
