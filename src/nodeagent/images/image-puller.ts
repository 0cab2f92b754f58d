import type { Container, Pod, Secret } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import type { Image, ImageService, PodSandboxConfig } from '../runtime/index.ts';
import type { CredentialSource } from './credential-source.ts';
import type { ImageEvents } from './image-events.ts';

export interface EnsureImageOptions {
  readonly pod: Pod;
  readonly container: Container;
  /** Of the container in its pod, such as `spec.containers{web}`. */
  readonly fieldPath: string;
  readonly sandboxConfig: PodSandboxConfig;
  /** The pod's `imagePullSecrets` that exist, in their order. */
  readonly pullSecrets: readonly Secret[];
}

/** Gets images for containers, by their pull policies. */
export interface ImagePuller {
  /**
   * Makes sure that the container's image is present, and resolves with it. Records the events of the reference, the
   * final `Error: ...` of a failure included.
   *
   * @throws StartError and nothing else
   */
  ensure(options: EnsureImageOptions): Promise<Image>;
  /** Records that the container waits before its image is pulled again; for callers that keep that time themselves. */
  recordBackOff(options: Pick<EnsureImageOptions, 'pod' | 'container' | 'fieldPath'>): void;
}

export interface ImagePullerOptions {
  readonly images: ImageService;
  readonly events: ImageEvents;
  readonly config: Pick<AgentConfig, 'serializeImagePulls' | 'registryQps' | 'registryBurst'>;
  /** Credentials beside those of the pods' secrets, in order of preference. */
  readonly credentialSources?: readonly CredentialSource[];
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A puller with its own queue, rate and memory of failed pulls. */
export declare function createImagePuller(options: ImagePullerOptions): ImagePuller;
