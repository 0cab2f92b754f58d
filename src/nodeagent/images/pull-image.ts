import type { Secret } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  formatRuntimeFailure,
  type ImageService,
  type PullImageOptions,
  type RegistryCredentials,
} from '../runtime/index.ts';
import type { CredentialSource } from './credential-source.ts';
import type { ImageName } from './image-name.ts';
import { Keyring } from './keyring.ts';
import { readPullSecrets } from './registry-config.ts';

/** What all pulls of the agent share: the image service, and the node's own credentials. */
export interface PullPlace {
  readonly images: ImageService;
  readonly credentialSources: readonly CredentialSource[];
  readonly dialect: Dialect;
}

/** One pull for one pod, with the pull secrets of the pod. */
export interface Pull extends Omit<PullImageOptions, 'image' | 'credentials'> {
  readonly name: ImageName;
  readonly secrets: readonly Secret[];
}

/** A pull that failed with all credentials; the message says why for each. */
class PullError extends Error {
  override readonly name = 'PullError';
}

/**
 * Pulls an image with the first credentials that the registry accepts; without credentials only where there are none.
 * Resolves with the image's id.
 *
 * @throws PullError @throws RegistryConfigError for a secret that cannot be read
 */
export async function pullImage(
  { images, credentialSources, dialect }: PullPlace,
  { name, secrets, ...options }: Pull,
): Promise<string> {
  const logins = await findLogins(name.repository, secrets, { credentialSources, dialect });
  const reasons = new Set<string>();
  for (const credentials of logins.length === 0 ? [undefined] : logins) {
    options.signal?.throwIfAborted();
    try {
      return await images.pullImage({ ...options, image: name.pullName, credentials });
    } catch (error) {
      reasons.add(formatRuntimeFailure(error));
    }
  }
  throw new PullError(joinReasons(reasons));
}

/** Several reasons as one text. */
export const joinReasons = (reasons: ReadonlySet<string>): string =>
  reasons.size === 1 ? [...reasons].join() : `[${[...reasons].join(', ')}]`;

async function findLogins(
  repository: string,
  secrets: readonly Secret[],
  { credentialSources, dialect }: Pick<PullPlace, 'credentialSources' | 'dialect'>,
): Promise<RegistryCredentials[]> {
  const keyring = new Keyring();
  for (const entries of readPullSecrets(secrets, dialect)) keyring.add(entries);
  const found = [...keyring.find(repository)];
  for (const source of credentialSources) found.push(...(await source.find(repository)));
  return found;
}
