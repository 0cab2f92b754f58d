import type { Dialect } from '../../machinery/dialect.ts';
import type { Connection, QueryValue, RequestTrace } from '../rest/index.ts';

/** Width and height of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A connection to be opened: where, and as whom. */
export interface StreamTarget {
  readonly connection: Connection;
  readonly userAgent: string;
  readonly dialect: Dialect;
  readonly trace?: RequestTrace | undefined;
  /** Absolute path below the server's URL, already escaped. */
  readonly path: string;
  readonly query: Readonly<Record<string, QueryValue>>;
  /** Ends the connection, also while it is being opened. */
  readonly signal?: AbortSignal | undefined;
}

/** A process whose streams are wanted. The query has to name the same streams. */
export interface SessionRequest extends StreamTarget {
  readonly hasStdin: boolean;
  readonly hasStdout: boolean;
  readonly hasStderr: boolean;
  /** Whether the process has a terminal, whose size may change. */
  readonly isTty: boolean;
  /** Called with output as it comes, in order. */
  readonly onOutput: (stream: 'stdout' | 'stderr', bytes: Buffer) => void;
}

/** The open streams of a remote process. */
export interface RemoteSession {
  /** Sends input. Resolves when more may follow, also when nobody reads any more. */
  write(bytes: Buffer): Promise<void>;
  /** Says that no more input comes. */
  end(): void;
  resize(size: TerminalSize): void;
  /**
   * Resolves when the process has ended well and all of its output was handed over. @throws RemoteExitError,
   * LostConnectionError, or an Error with what the server says.
   */
  readonly finished: Promise<void>;
  /** Ends the connection. */
  close(): void;
}
