import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import { isatty } from 'node:tty';
import { reasonText } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { CtlIo, Output } from '../io.ts';

/** A program of the user's own that a command runs. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Give it this process's terminal; else its output goes where the command's own does. */
  readonly isInteractive: boolean;
}

/**
 * Runs a program to its end and returns its exit code, as shells do 128 and its number when a signal ended it. Meanwhile
 * an interrupt is the program's to handle: this process lives on.
 *
 * @throws CtlError when it cannot be started.
 */
export async function runProgram(io: CtlIo, call: ProgramCall): Promise<number> {
  const ignore = () => {};
  const terminal = call.isInteractive ? openTerminal() : undefined;
  process.on('SIGINT', ignore);
  try {
    return await runChild(io, call, terminal ?? 0);
  } finally {
    process.off('SIGINT', ignore);
    if (terminal !== undefined) closeSync(terminal);
  }
}

/** The terminal, when the standard input is something else, such as a manifest. */
function openTerminal(): number | undefined {
  if (isatty(0)) return undefined;
  try {
    return openSync('/dev/tty', 'r');
  } catch {
    return undefined; // there is none: editors that are scripts need none
  }
}

/** Whoever ends this process means the program too. */
const passedSignals = ['SIGTERM', 'SIGHUP'] as const;

function runChild(io: CtlIo, { command, args, isInteractive }: ProgramCall, input: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // What can be handed over is, so that programs see where they write to, and may write anything.
    const modeOf = ({ descriptor }: Output) => (isInteractive ? 'inherit' : (descriptor ?? 'pipe'));
    const child = spawn(command, args, {
      env: { ...io.env },
      stdio: [input, modeOf(io.stdout), modeOf(io.stderr)],
    });
    forward(child.stdout, io.stdout);
    forward(child.stderr, io.stderr);
    child.on('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'ENOENT' ? 'executable file not found' : reasonText(cause);
      reject(new CtlError(`unable to run ${JSON.stringify(command)}: ${reason}`, { cause }));
    });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of passedSignals) process.on(signal, pass);
    child.on('close', () => {
      for (const signal of passedSignals) process.off(signal, pass);
    });
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? 'SIGKILL'] ?? 0)));
  });
}

function forward(stream: NodeJS.ReadableStream | null, output: Output): void {
  if (stream === null) return;
  const decoder = new StringDecoder('utf8');
  stream.on('data', (part: Buffer) => output.write(decoder.write(part)));
  stream.on('end', () => output.write(decoder.end()));
}
