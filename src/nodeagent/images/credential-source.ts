import type { RegistryCredentials } from '../runtime/index.ts';

/** Something that knows credentials for registries: files of the node, programs. */
export interface CredentialSource {
  /**
   * Credentials for an image, best first; none when it knows none, or cannot tell, which it logs itself. Never rejects.
   *
   * @param repository full name without tag or digest, such as `docker.io/library/busybox`
   */
  find(repository: string): Promise<readonly RegistryCredentials[]>;
}
