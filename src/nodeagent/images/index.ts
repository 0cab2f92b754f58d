/**
 * Images of containers: gets them by pull policy with the credentials of secrets, files and credential providers, one
 * at a time and at the rate that the options say, and removes unused ones when the disk fills up. It runs no
 * containers, and reads no secrets from the API server: the caller passes them.
 */
export { type CollectImagesOptions, collectImages } from './collect-images.ts';
export type { CredentialSource } from './credential-source.ts';
export { type CredentialSourcesOptions, openCredentialSources } from './credential-sources.ts';
export {
  createImageGarbageCollector,
  type DiskSpace,
  ImageCollectionError,
  type ImageGarbageCollector,
  type ImageGarbageCollectorOptions,
} from './image-garbage-collector.ts';
export { type ImageName, ImageNameError, parseImageName } from './image-name.ts';
export {
  createImagePuller,
  type EnsureImageOptions,
  type ImagePuller,
  type ImagePullerOptions,
} from './image-puller.ts';
export { type ImageFailureReason, StartError } from './start-error.ts';
