/**
 * Where pods come from: manifests in a directory or file, behind a URL, submitted to the agent, and the API server's.
 * Every source hands over its whole set of pods whenever it changed; it starts nothing, and does not join sources. Pods
 * of manifests are complete: decoded, with defaults, valid, and with the identity of static pods. Behaviour and messages
 * after the pod sources of the agent of release 1.20; submission is this project's own.
 */
export { type ApiSource, type ApiSourceOptions, startApiSource } from './api-source.ts';
export { type FileSourceOptions, startFileSource } from './file-source.ts';
export { loadManifestDecoder } from './load-manifest-decoder.ts';
export type { ManifestDecoder, ManifestDecoderOptions, ManifestOrigin } from './manifest-decoder.ts';
export { ManifestError } from './manifest-error.ts';
export {
  isMirrorPod,
  isStaticPod,
  mirrorHashOf,
  type PodAnnotationNames,
  podAnnotationNames,
  podSourceOf,
} from './pod-annotations.ts';
export type { PodSource, PodSourceName } from './pod-source.ts';
export { openSubmittedPods, type SubmittedPods, type SubmittedPodsOptions } from './submitted-pods.ts';
export { startUrlSource, type UrlSourceOptions } from './url-source.ts';
