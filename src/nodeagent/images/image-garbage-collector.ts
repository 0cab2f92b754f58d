import { statfs } from 'node:fs/promises';
import type { Clock, Logger } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentConfig } from '../options/index.ts';
import {
  formatRuntimeFailure,
  type Image,
  type ImageService,
  type RuntimeService,
} from '../runtime/index.ts';
import { type ImageRecord, removableImages, updateRecords } from './image-usage.ts';
import { joinReasons } from './pull-image.ts';

/** Room on the file system of a path. */
export interface DiskSpace {
  readonly capacityBytes: number;
  readonly availableBytes: number;
}

/** Image collection that did not reach its goal; the message is release 1.20's. */
export class ImageCollectionError extends Error {
  override readonly name = 'ImageCollectionError';
}

/** Removes unused images, except the sandbox image and images younger than the minimum age. */
export interface ImageGarbageCollector {
  /**
   * Detects images and measures the disk once; above the high threshold, frees space down to the low one. Call it every
   * five minutes: first and last use of an image are the times of such detections.
   *
   * @throws ImageCollectionError when too little could be freed, or the disk cannot be measured @throws RuntimeError
   */
  collect(): Promise<void>;
  /**
   * Removes unused images, least recently used first, until so many bytes are free or none are left; resolves with the
   * bytes that were freed.
   *
   * @throws ImageCollectionError when an image could not be removed; the others were nevertheless @throws RuntimeError
   */
  freeBytes(bytes: number): Promise<number>;
  /** Removes all unused images; resolves with the bytes that were freed. @throws like `freeBytes` */
  removeUnused(): Promise<number>;
  /** The images that are present, largest first, as seen at most half a minute ago. @throws RuntimeError */
  images(): Promise<readonly Image[]>;
}

/** The images to collect, and the thresholds in percent of the file system that they are on. */
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
  readonly events: EventRecorder;
  /** Measures the file system that a path is on; the system's own when left out. */
  readonly measureDisk?: (path: string) => Promise<DiskSpace>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A collector that has seen nothing yet; images that it finds at its first detection count as old. */
export function createImageGarbageCollector(options: ImageGarbageCollectorOptions): ImageGarbageCollector {
  return new Collector(options);
}

/** How long a list of images is reused for display. */
const listAgeMs = 30_000;

class Collector implements ImageGarbageCollector {
  readonly #options: ImageGarbageCollectorOptions;
  /** By id; undefined before the first detection. */
  #records: ReadonlyMap<string, ImageRecord> | undefined;
  #list: { readonly images: Promise<readonly Image[]>; readonly atMs: number } | undefined;

  constructor(options: ImageGarbageCollectorOptions) {
    this.#options = options;
  }

  async collect(): Promise<void> {
    const { config, events, logger } = this.#options;
    if (this.#records === undefined) await this.#detectImages();
    const { capacityBytes, availableBytes } = await this.#measure();
    if (capacityBytes === 0) {
      const message = 'invalid capacity 0 on image filesystem';
      events.record({ about: { kind: 'node' }, type: 'Warning', reason: 'InvalidDiskCapacity', message });
      throw new ImageCollectionError(message);
    }
    const usedPercent = 100 - Math.floor((availableBytes * 100) / capacityBytes);
    const { imageGcHighThresholdPercent: high, imageGcLowThresholdPercent: low } = config;
    // At 100 it is switched off.
    if (high >= 100 || usedPercent < high) {
      await this.#detectImages();
      return;
    }
    const desired = Math.floor((capacityBytes * (100 - low)) / 100) - availableBytes;
    logger.info('image garbage collection started', { usedPercent, desiredBytes: desired });
    const freed = await this.freeBytes(desired);
    if (freed >= desired) return;
    const message = `failed to garbage collect required amount of images. Wanted to free ${desired} bytes, but freed ${freed} bytes`;
    events.record({ about: { kind: 'node' }, type: 'Warning', reason: 'FreeDiskSpaceFailed', message });
    throw new ImageCollectionError(message);
  }

  removeUnused(): Promise<number> {
    return this.freeBytes(Number.POSITIVE_INFINITY);
  }

  async freeBytes(bytes: number): Promise<number> {
    const { images, config, clock, logger } = this.#options;
    const detected = await this.#detectImages();
    const candidates = removableImages(detected.records, {
      used: detected.used,
      minimumAgeMs: config.minimumImageAgeMs,
      nowMs: clock.nowMs(),
    });
    let freed = 0;
    const reasons = new Set<string>();
    for (const { id, sizeBytes } of candidates) {
      if (freed >= bytes) break;
      try {
        await images.removeImage(id);
        freed += sizeBytes;
        logger.info('image removed', { image: id, sizeBytes });
      } catch (error) {
        reasons.add(formatRuntimeFailure(error));
      }
    }
    this.#list = undefined;
    if (reasons.size === 0) return freed;
    const result = `wanted to free ${bytes} bytes, but freed ${freed} bytes space`;
    throw new ImageCollectionError(`${result} with errors in image deletion: ${joinReasons(reasons)}`);
  }

  images(): Promise<readonly Image[]> {
    const { images, clock } = this.#options;
    const nowMs = clock.nowMs();
    if (this.#list === undefined || nowMs - this.#list.atMs > listAgeMs) {
      const list = { images: images.listImages().then((found) => this.#notice(found)), atMs: nowMs };
      this.#list = list;
      list.images.catch(() => {
        if (this.#list === list) this.#list = undefined;
      });
    }
    return this.#list.images;
  }

  /** Images count as seen from here on. */
  #notice(images: readonly Image[]): readonly Image[] {
    const nowMs = this.#options.clock.nowMs();
    this.#records = updateRecords(this.#records, { images, used: new Set(), nowMs });
    return sortBySize(images);
  }

  async #detectImages(): Promise<{ records: ReadonlyMap<string, ImageRecord>; used: ReadonlySet<string> }> {
    const { images, runtime, config, clock } = this.#options;
    const [present, containers, sandboxImage] = await Promise.all([
      images.listImages(),
      runtime.listContainers(),
      images.imageStatus(config.podInfraContainerImage),
    ]);
    const used = new Set(containers.flatMap(({ image, imageRef }) => [image, imageRef]));
    if (sandboxImage !== undefined) used.add(sandboxImage.id);
    const nowMs = clock.nowMs();
    const records = updateRecords(this.#records, { images: present, used, nowMs });
    this.#records = records;
    this.#list = { images: Promise.resolve(sortBySize(present)), atMs: nowMs };
    return { records, used };
  }

  async #measure(): Promise<DiskSpace> {
    const { images, measureDisk = measureFileSystem } = this.#options;
    const path = (await images.imageFsInfo()).find(({ mountpoint }) => mountpoint !== '')?.mountpoint;
    if (path === undefined) throw new ImageCollectionError('the runtime names no image filesystem');
    const { capacityBytes, availableBytes } = await measureDisk(path);
    return { capacityBytes, availableBytes: Math.min(availableBytes, capacityBytes) };
  }
}

const sortBySize = (images: readonly Image[]): readonly Image[] =>
  images.toSorted((a, b) => b.sizeBytes - a.sizeBytes);

async function measureFileSystem(path: string): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(path);
  return { capacityBytes: blocks * bsize, availableBytes: bavail * bsize };
}
