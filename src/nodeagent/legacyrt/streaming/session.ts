import type { Duplex, Readable, Writable } from 'node:stream';

/** Streams of a command between a client and the engine; those that the client did not want are left out. */
export interface CommandSession {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** New sizes of the client's terminal, a JSON object each. */
  readonly resize: Readable | undefined;
  /** Takes how it ended. */
  readonly error: Writable;
  /** Whether the result is sent as a Status object; otherwise failures are sent as text. */
  readonly hasStatus: boolean;
  /** Aborted when the client has gone. */
  readonly closed: AbortSignal;
  /** Closes the connection once all is sent. */
  end(): void;
}

/** One connection to a port: what the client sends is read, what it gets is written. */
export interface PortSession {
  readonly port: number;
  readonly data: Duplex;
  readonly error: Writable;
}

/** Which streams a client may open. */
export interface RequestedStreams {
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}
