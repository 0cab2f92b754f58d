import { basename, dirname } from 'node:path';
import { type Clock, type Logger, PathWatch } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { ManifestDecoder } from './manifest-decoder.ts';
import { ManifestFiles } from './manifest-files.ts';
import { PodSet } from './pod-set.ts';
import type { PodSource, PodsHandler } from './pod-source.ts';
import { PollLoop } from './poll-loop.ts';

/** What following manifest files takes. */
export interface FileSourceOptions {
  /** A directory, whose files are read but for those with a leading dot, or one file. It may be made later. */
  readonly path: string;
  /** Everything is looked at again after this time, whatever the system has announced. */
  readonly frequencyMs: number;
  readonly decoder: ManifestDecoder;
  readonly onPods: PodsHandler;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Follows manifest files. A file without a usable pod is logged with its path, once for each content, and its former pod
 * is gone; the others are not disturbed. A path that cannot be looked at keeps its pods, a missing one has none.
 */
export function startFileSource(options: FileSourceOptions): PodSource {
  const { path, clock } = options;
  const logger = options.logger.child({ source: 'file' });
  const files = new ManifestFiles({ ...options, logger });
  const seenAnnotation = options.decoder.annotations.seen;
  const pods = new PodSet({ ...options, source: 'file', seenAnnotation, logger });
  const watch = new PathWatch({ clock, onChange: () => loop.trigger() });
  let failure: string | undefined;

  const poll = async (signal: AbortSignal): Promise<void> => {
    try {
      const found = await files.read(path);
      const isNewlyWatched =
        found.kind === 'directory'
          ? watch.set(path, (name) => !name.startsWith('.'))
          : watch.set(dirname(path), (name) => name === basename(path));
      if (isNewlyWatched) loop.trigger(); // what happened between the scan and the watch is seen by another scan
      failure = undefined;
      if (!signal.aborted) pods.replace(found.pods);
    } catch (error) {
      const text = String(error);
      if (text !== failure) logger.error('manifest path read failed', { path, error: text });
      failure = text;
    }
  };
  const loop = new PollLoop({ poll, frequencyMs: options.frequencyMs, clock });
  return {
    whenRead: loop.whenPolled,
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
      watch[Symbol.dispose](); // a scan in progress may have set it again
    },
  };
}
