/** What a peer may make us keep, whichever side we are on. Peers of release 1.20 stay far below. */
export const limits = {
  /** Largest frame that is read. */
  maxFrameBytes: 1024 * 1024,
  /** Largest frame that is sent. */
  maxSentBytes: 64 * 1024,
  /** Headers of one stream, decompressed. */
  maxHeaderBytes: 64 * 1024,
  /** Streams of one connection that are open at the same time. */
  maxStreams: 1000,
} as const;
