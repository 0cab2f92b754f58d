import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { errorText } from '../../../base/index.ts';

/** How a log file is kept. */
export interface LogFileOptions {
  /** Path of the first file, and of each that follows when one is full. It may stay the same. */
  readonly nextPath: () => string;
  /** Whether a file may be a link to another one. Links of strangers in a folder for all must not be followed. */
  readonly followsLinks: boolean;
  /** Bytes at which another file begins; 0 lets it grow. */
  readonly maxBytes: number;
  /** What each file begins with when it is opened. */
  readonly header: () => string;
  /** Follows the opening of each file. */
  readonly onOpen: (path: string) => void;
  /** Takes what cannot be written; the reason comes with the first loss in a row. */
  readonly onLoss: (text: string, reason: string | undefined) => void;
}

const mode = 0o640;
/** Release 1.20's figure: what grows larger is written before its time. */
const mostPendingBytes = 256 * 1024;
const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NOFOLLOW } = constants;

/** A file that lines are written to, several at a time. It outlives what is wrong with its disk. */
export class LogFile {
  readonly #options: LogFileOptions;
  #descriptor: number | undefined;
  #path = '';
  /** Bytes that are written and those that wait. */
  #size = 0;
  #pending: string[] = [];
  #pendingBytes = 0;
  #isLossy = false;

  constructor(options: LogFileOptions) {
    this.#options = options;
  }

  /** Opens the file and goes on at its end. @throws Error when it cannot be opened */
  open(): void {
    this.#open(O_APPEND);
    this.flush();
  }

  /** Keeps a line to be written with others. Another file begins when it does not fit into this one. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    const { maxBytes } = this.#options;
    if (maxBytes > 0 && this.#size + bytes > maxBytes && this.#descriptor !== undefined) this.#startAnew();
    this.#keep(line, bytes);
    if (this.#pendingBytes >= mostPendingBytes) this.flush();
  }

  /** Writes what waits; opens the file if it could not be opened so far. */
  flush(): void {
    if (this.#pendingBytes === 0) return;
    let rest: Buffer | undefined;
    try {
      if (this.#descriptor === undefined) this.#open(O_APPEND);
      rest = this.#takePending();
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor ?? -1, rest));
      this.#isLossy = false;
    } catch (error) {
      this.#lose(rest ?? this.#takePending(), error);
    }
  }

  close(): void {
    this.flush();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #keep(text: string, bytes: number): void {
    this.#pending.push(text);
    this.#pendingBytes += bytes;
    this.#size += bytes;
  }

  #takePending(): Buffer {
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    this.#pendingBytes = 0;
    return bytes;
  }

  #lose(bytes: Buffer, error: unknown): void {
    this.#size -= bytes.length;
    const reason = `${this.#path} ${errorText(error)}`.trim();
    this.#options.onLoss(bytes.toString(), this.#isLossy ? undefined : reason);
    this.#isLossy = true;
  }

  #startAnew(): void {
    this.flush();
    try {
      this.#open(O_APPEND | O_TRUNC);
    } catch {
      this.#size = 0; // the file that is open goes on; the next attempt comes after as many bytes
    }
  }

  #open(flags: number): void {
    const { nextPath, followsLinks, header, onOpen } = this.#options;
    const path = nextPath();
    const links = followsLinks ? 0 : O_NOFOLLOW;
    const descriptor = openSync(path, O_WRONLY | O_CREAT | links | flags, mode);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = descriptor;
    this.#path = path;
    this.#size = fstatSync(descriptor).size + this.#pendingBytes;
    onOpen(path);
    const text = header();
    this.#pending.unshift(text);
    this.#pendingBytes += Buffer.byteLength(text);
    this.#size += Buffer.byteLength(text);
  }
}
