import { FlushPacer } from './flush-pacer.ts';
import { FrameJoiner } from './frame-joiner.ts';

/** What all watches of a server share to send their frames. */
export interface WatchDelivery {
  readonly pacer: FlushPacer;
  readonly joiner: FrameJoiner;
}

/** The delivery of one server. */
export function createWatchDelivery(): WatchDelivery {
  return { pacer: new FlushPacer(), joiner: new FrameJoiner() };
}
