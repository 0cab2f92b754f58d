import type { Clock, Logger } from '../../base/index.ts';
import type { ManifestDecoder } from './manifest-decoder.ts';
import type { PodSource, PodsHandler } from './pod-source.ts';

/** What following manifest files takes. */
export interface FileSourceOptions {
  /** A directory, whose files are read but for those with a leading dot, or one file. It may be made later. */
  readonly path: string;
  /** Everything is looked at again after this time, whatever the system has announced. */
  readonly frequencyMs: number;
  readonly decoder: ManifestDecoder;
  readonly onPods: PodsHandler;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Follows manifest files. A file without a usable pod is logged with its name, once per content; its pod is gone. */
export declare function startFileSource(options: FileSourceOptions): PodSource;
