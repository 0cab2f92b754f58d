import type { Clock, Logger } from '../../base/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { Image, ImageService, RuntimeService } from '../runtime/index.ts';
import type { ImageEvents } from './image-events.ts';

/** Room on the file system of a path. */
export interface DiskSpace {
  readonly capacityBytes: number;
  readonly availableBytes: number;
}

/** Removes images that no container uses. Never the sandboxes' image, and no young ones. */
export interface ImageGarbageCollector {
  /**
   * Looks at images and disk once, and frees space down to the low threshold when the high one is passed.
   *
   * @throws ImageCollectionError when not enough could be freed, or the disk cannot be measured
   * @throws RuntimeError
   */
  collect(): Promise<void>;
  /** Removes unused images, least recently used first, until so many bytes are free or none are left; resolves with the bytes that were. */
  freeBytes(bytes: number): Promise<number>;
  /** Removes all unused images; resolves with the bytes that were freed. */
  removeUnused(): Promise<number>;
  /** The images that are present, largest first, as seen at most half a minute ago. */
  images(): Promise<readonly Image[]>;
}

export interface ImageGarbageCollectorOptions {
  readonly images: ImageService;
  readonly runtime: Pick<RuntimeService, 'listContainers'>;
  readonly config: Pick<
    AgentConfig,
    | 'imageGcHighThresholdPercent'
    | 'imageGcLowThresholdPercent'
    | 'minimumImageAgeMs'
    | 'podInfraContainerImage'
  >;
  readonly events: ImageEvents;
  /** Measures the file system that a path is on; the system's own when left out. */
  readonly measureDisk?: (path: string) => Promise<DiskSpace>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A collector that has seen nothing yet; images that it finds at its first look count as old. */
export declare function createImageGarbageCollector(
  options: ImageGarbageCollectorOptions,
): ImageGarbageCollector;
