import { readSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { type Clock, errorCode, systemClock } from '../base/index.ts';
import { ExitError } from './errors.ts';

/** One of the two output streams. */
export interface Output {
  /** Text, or bytes as they are. @throws ExitError when nobody reads any more */
  write(content: string | Uint8Array): void;
  /** Whether a person looks at it: colour and progress lines go to terminals only. */
  readonly isTerminal: boolean;
  /** The process's own descriptor, which a program that is started can be given; undefined for other outputs. */
  readonly descriptor?: number;
}

/** Everything outside that a command touches, so that tests can stand in for it. */
export interface CtlIo {
  readonly stdout: Output;
  readonly stderr: Output;
  /** All of the standard input. */
  readStdin(): Buffer;
  /** The standard input while it arrives. */
  readonly input: StreamedInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly clock: Clock;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  /** Ends the process at once, whatever the runtime still waits for; undefined where it is not ours. */
  readonly endNow?: () => void;
}

/** Width and height in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The standard input for commands that hand it on as it comes. */
export interface StreamedInput {
  readonly isTerminal: boolean;
  /** Its bytes, until it ends or the stream is destroyed. To be called once. */
  open(): Readable;
  /** In raw mode every key comes at once and none has a meaning here, not even those that interrupt. */
  setRawMode(isRaw: boolean): void;
  /** Undefined where there is no terminal. */
  size(): TerminalSize | undefined;
  /** Calls back after each change of the size; the returned function ends that. */
  onResize(callback: () => void): () => void;
}

/** Standard input above this is refused: manifests are small. */
const maxStdinBytes = 256 * 1024 * 1024;

/** The process's own streams and environment. Output is written at once, without the runtime's streams. */
export function createProcessIo(signal: AbortSignal = new AbortController().signal): CtlIo {
  return {
    stdout: createOutput(1),
    stderr: createOutput(2),
    readStdin: () => readAll(0),
    input: createInput(),
    env: process.env,
    home: homedir(),
    clock: systemClock,
    signal,
    // The runtime's own way waits for name servers that were asked.
    endNow: () => process.kill(process.pid, 'SIGTERM'),
  };
}

/** Asks the runtime's module for terminals, which most commands do without: with it come sockets and streams. */
function isTerminal(descriptor: number): boolean {
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}

function createOutput(descriptor: number): Output {
  return {
    descriptor,
    get isTerminal() {
      return isTerminal(descriptor);
    },
    write: (content) =>
      writeFully(descriptor, typeof content === 'string' ? Buffer.from(content, 'utf8') : content),
  };
}

/** The runtime's own stream is made when it is asked for only: that takes time, and keeps the process alive. */
function createInput(): StreamedInput {
  return {
    get isTerminal() {
      return isTerminal(0);
    },
    open: () => process.stdin,
    setRawMode: (isRaw) => void (process.stdin.isTTY && process.stdin.setRawMode(isRaw)),
    size() {
      // The size of the terminal is known to its output side.
      const { columns, rows } = process.stdout;
      return columns > 0 && rows > 0 ? { columns, rows } : undefined;
    },
    onResize(callback) {
      process.stdout.on('resize', callback);
      return () => process.stdout.off('resize', callback);
    },
  };
}

/** What shells see of a program that wrote to a pipe which nobody reads any more: 128 and the number of SIGPIPE. */
const brokenPipeExitCode = 141;

/** @throws ExitError without a message when nobody reads any more: programs of this kind end quietly then */
function writeFully(descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      // A socket that is closed while a write waits tells it by a reset.
      if (errorCode(error) === 'EPIPE' || errorCode(error) === 'ECONNRESET')
        throw new ExitError(brokenPipeExitCode);
      if (errorCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); // a slow reader on a non-blocking pipe
    }
  }
}

function readAll(descriptor: number): Buffer {
  const parts: Buffer[] = [];
  for (let total = 0; total <= maxStdinBytes; ) {
    const part = Buffer.allocUnsafe(65536);
    try {
      const count = readSync(descriptor, part);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      total += count;
    } catch (error) {
      if (errorCode(error) === 'EOF') return Buffer.concat(parts);
      if (errorCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  throw new RangeError('the standard input is too large');
}
