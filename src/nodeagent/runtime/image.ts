import type { PodSandboxConfig } from './pod-sandbox.ts';

/** An image that is present on the node. */
export interface Image {
  readonly id: string;
  /** Names with tags. */
  readonly tags: readonly string[];
  /** Names with digests. */
  readonly digests: readonly string[];
  readonly sizeBytes: number;
  /** User that the image starts as; undefined when it names one, or none. */
  readonly userId: number | undefined;
  /** User that the image starts as, by name; empty when it gives a number, or none. */
  readonly username: string;
}

/** How to log in at a registry. Never logged. */
export interface RegistryCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** `username:password` in base64. */
  readonly auth?: string | undefined;
  readonly serverAddress?: string | undefined;
  readonly identityToken?: string | undefined;
  readonly registryToken?: string | undefined;
}

/** The image to pull, with credentials of at most one registry account. */
export interface PullImageOptions {
  /** Name with tag or digest. */
  readonly image: string;
  readonly credentials?: RegistryCredentials | undefined;
  /** The pod that the image is for. */
  readonly podSandboxConfig?: PodSandboxConfig | undefined;
  /** Gives the pull up. */
  readonly signal?: AbortSignal | undefined;
}

/** How full a file system of images or containers is. */
export interface FilesystemUsage {
  /** When this was measured, since the Unix epoch. */
  readonly atMs: number;
  /** Empty when the runtime does not tell. */
  readonly mountpoint: string;
  readonly usedBytes: number;
  readonly inodesUsed: number;
}
