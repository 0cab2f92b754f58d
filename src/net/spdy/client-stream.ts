/** How the other side's direction of a stream ended: in order, given up, or with the connection. */
export type StreamEnd = 'ended' | 'reset' | 'lost';

/** Receives what arrives on a stream. */
export interface StreamReader {
  onData?(bytes: Buffer): void;
  /** No more comes. */
  onEnd?(how: StreamEnd): void;
}

/** A stream that the other side has accepted. */
export interface OpenedStream {
  /** Resolves when more may follow, also when nobody reads any more. */
  write(bytes: Buffer): Promise<void>;
  /** Ends this side's direction. */
  end(): void;
  /** Gives the stream up in both directions. */
  cancel(): void;
}

/** A stream as the connection keeps it. */
export interface OpenStream {
  readonly reader: StreamReader;
  readonly accept: () => void;
  readonly refuse: (error: Error) => void;
  isAccepted: boolean;
}
