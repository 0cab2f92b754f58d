import type { Pod } from '../../apis/types/core-v1.ts';

/** The pod with the time at which `known`, the same pod as it was before, was seen first. Neither is changed. */
export function keepFirstSeen(pod: Pod, known: Pod, annotation: string): Pod {
  const seen = known.metadata.annotations?.[annotation];
  if (seen === undefined || pod.metadata.annotations?.[annotation] === seen) return pod;
  const annotations = { ...pod.metadata.annotations, [annotation]: seen };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
