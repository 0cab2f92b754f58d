import type { Image } from '../runtime/index.ts';

/** What is known of an image that is present. */
export interface ImageRecord {
  readonly image: Image;
  /** When it was seen first; 0 when it was there before this program. */
  readonly firstSeenAtMs: number;
  /** When it was seen in use last; 0 for never. */
  readonly lastUsedAtMs: number;
}

/** What the runtime listed at one time; `nowMs` becomes the time of last use of the images in use. */
export interface ImageObservation {
  readonly images: readonly Image[];
  /** Ids and names that containers and sandboxes are made from. */
  readonly used: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The records after a detection; those of images that are gone are left out. */
export function updateRecords(
  records: ReadonlyMap<string, ImageRecord> | undefined,
  { images, used, nowMs }: ImageObservation,
): Map<string, ImageRecord> {
  return new Map(
    images.map((image) => {
      const before = records?.get(image.id);
      const firstSeenAtMs = before?.firstSeenAtMs ?? (records === undefined ? 0 : nowMs);
      const lastUsedAtMs = isUsed(image, used) ? nowMs : (before?.lastUsedAtMs ?? 0);
      return [image.id, { image, firstSeenAtMs, lastUsedAtMs }];
    }),
  );
}

/** Which images must stay: those in use, and those first seen less than `minimumAgeMs` ago. */
export interface CandidateOptions {
  readonly used: ReadonlySet<string>;
  readonly minimumAgeMs: number;
  readonly nowMs: number;
}

/** Images that may be removed, those that were used or seen longest ago first. */
export function removableImages(
  records: ReadonlyMap<string, ImageRecord>,
  { used, minimumAgeMs, nowMs }: CandidateOptions,
): Image[] {
  return [...records.values()]
    .filter(({ image, firstSeenAtMs }) => !isUsed(image, used) && nowMs - firstSeenAtMs >= minimumAgeMs)
    .sort((a, b) => a.lastUsedAtMs - b.lastUsedAtMs || a.firstSeenAtMs - b.firstSeenAtMs)
    .map(({ image }) => image);
}

function isUsed({ id, tags, digests }: Image, used: ReadonlySet<string>): boolean {
  return [id, ...tags, ...digests].some((name) => used.has(name));
}
