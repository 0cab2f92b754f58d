import { type ImageService, type RegistryCredentials, RuntimeError } from '../runtime/index.ts';
import { ignoreNotFound, orUndefined } from './absence.ts';
import type { Connection } from './connection.ts';
import type { AuthConfig } from './messages.ts';
import type { Sparse } from './protocol.ts';
import { readFilesystem, readImage } from './read-usage.ts';
import { writeSandboxConfig } from './write-sandbox-config.ts';

/** The calls about images. */
export function createImageCalls(connection: Connection, requestTimeoutMs: number): ImageService {
  const usual = { timeoutMs: requestTimeoutMs };
  return {
    async listImages() {
      return (await connection.call('ListImages', {}, usual)).images.map(readImage);
    },
    async imageStatus(image) {
      const answer = await orUndefined(connection.call('ImageStatus', { image: { image } }, usual));
      return answer?.image ? readImage(answer.image) : undefined;
    },
    async pullImage({ image, credentials, podSandboxConfig, signal }) {
      const request = {
        image: { image },
        auth: credentials && writeCredentials(credentials),
        sandbox_config: podSandboxConfig && writeSandboxConfig(podSandboxConfig),
      };
      const options = { timeoutMs: undefined, signal };
      const { image_ref } = await connection.call('PullImage', request, options);
      if (image_ref === '') throw new RuntimeError('failed', 'PullImage: answer without an image');
      return image_ref;
    },
    async removeImage(image) {
      await ignoreNotFound(connection.call('RemoveImage', { image: { image } }, usual));
    },
    async imageFsInfo() {
      return (await connection.call('ImageFsInfo', {}, usual)).image_filesystems.map(readFilesystem);
    },
  };
}

function writeCredentials(credentials: RegistryCredentials): Sparse<AuthConfig> {
  return {
    username: credentials.username,
    password: credentials.password,
    auth: credentials.auth,
    server_address: credentials.serverAddress,
    identity_token: credentials.identityToken,
    registry_token: credentials.registryToken,
  };
}
