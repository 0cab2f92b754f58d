import type { RegistryCredentials } from '../runtime/index.ts';

/** A source of registry credentials: files of the node, or provider plugins. */
export interface CredentialSource {
  /**
   * Credentials for an image, best first; empty when there are none, or after a failure, which is logged. Never
   * rejects.
   *
   * @param repository full name without tag or digest, such as `docker.io/library/busybox`
   */
  find(repository: string): Promise<readonly RegistryCredentials[]>;
}
