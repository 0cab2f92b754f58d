import { readFile } from 'node:fs/promises';
import type { Clock, Logger } from '../../../base/index.ts';

/** Who is told of changes, and for how long. */
export interface WatchFileOptions {
  readonly clock: Clock;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Takes the new content; what it throws is logged, and the content before stays in force. */
  readonly onChange: (text: string) => void;
}

/** How often the file is read again. Source: release 1.20. */
const everyMs = 60_000;

/** Polls a small file for contents other than `text`. */
export function watchFile(
  path: string,
  text: string,
  { clock, signal, logger, onChange }: WatchFileOptions,
): void {
  let known = text;
  const check = async (): Promise<void> => {
    const next = await readFile(path, 'utf8').catch(() => known); // missing while it is replaced
    if (signal.aborted) return;
    if (next !== known) {
      known = next;
      try {
        onChange(next);
        logger.info('certificate file reloaded', { path });
      } catch (error) {
        logger.error('certificate file reload failed', { path, error });
      }
    }
    wait();
  };
  const wait = (): void => {
    cancel = clock.setTimer(everyMs, () => void check());
  };
  let cancel = (): void => {};
  wait();
  signal.addEventListener('abort', () => cancel(), { once: true });
}
