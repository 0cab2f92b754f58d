import type { ContainerImage } from '../../apis/types/core-v1.ts';
import type { Image } from '../runtime/index.ts';

/** Names that the status shows of one image. */
const maxNames = 5;

/** Images for the node's status: the largest first, no more than `limit` unless it is negative. */
export function nodeImages(images: readonly Image[], limit: number): ContainerImage[] {
  const largest = images.toSorted((a, b) => b.sizeBytes - a.sizeBytes);
  const shown = limit < 0 ? largest : largest.slice(0, limit);
  return shown.map(({ digests, tags, sizeBytes }) => ({
    names: [...digests, ...tags].slice(0, maxNames),
    sizeBytes,
  }));
}
