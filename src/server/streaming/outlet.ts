/** Where the frames of a watch go: the answer of HTTP, or the messages of a WebSocket. */
export interface StreamOutlet {
  /** Bytes that were written and wait for the client. */
  readonly bufferedBytes: number;
  /** Sends frames, in order, with as few writes as it can. There is at least one. */
  write(frames: readonly Buffer[]): void;
  /** Calls back once when the client has read enough to be sent more. Returns how to stop waiting. */
  onceDrained(callback: () => void): () => void;
  /** Calls back when the connection is gone, or what was sent last has left. */
  onClose(callback: () => void): void;
  /** Ends in order, after what was written. */
  end(): void;
  /** Ends at once. */
  destroy(): void;
}
