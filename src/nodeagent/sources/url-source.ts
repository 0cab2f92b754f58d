import type { Clock, Logger } from '../../base/index.ts';
import type { ManifestDecoder } from './manifest-decoder.ts';
import type { PodSource, PodsHandler } from './pod-source.ts';

/** What following a manifest URL takes. */
export interface UrlSourceOptions {
  readonly url: string;
  /** Sent with each request, values in the order given. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly frequencyMs: number;
  readonly decoder: ManifestDecoder;
  readonly onPods: PodsHandler;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asks a URL for a pod or a `PodList`, again and again. An empty answer removes the pods; any failure keeps them.
 * Failures are logged three times in a row, then only for debugging.
 */
export declare function startUrlSource(options: UrlSourceOptions): PodSource;
