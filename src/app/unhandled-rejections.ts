import type { EventEmitter } from 'node:events';
import type { Logger } from '../base/index.ts';

/** Rejections that nobody handled, from the call on and until disposed of. */
export interface UnhandledRejections extends Disposable {
  /** How many there were. */
  count(): number;
}

/**
 * Logs and counts promises whose rejection nobody handles, in place of ending the process: what one request did wrong
 * must not end all others. Exceptions that no promise holds still end it, because nobody knows what they left half done.
 */
export function watchRejections(logger: Logger, emitter: EventEmitter = process): UnhandledRejections {
  let count = 0;
  const onRejection = (error: unknown): void => {
    count++;
    logger.error('unhandled rejection', { error });
  };
  emitter.on('unhandledRejection', onRejection);
  return {
    count: () => count,
    [Symbol.dispose]: () => void emitter.off('unhandledRejection', onRejection),
  };
}
