import {
  type ContainerRuntime,
  type ImageService,
  type RegistryCredentials,
  RuntimeError,
  type RuntimeService,
} from '../runtime/index.ts';
import { ignoreNotFound, orUndefined } from './absence.ts';
import { Connection } from './connection.ts';
import { createContainerCalls, createStreamCalls } from './container-calls.ts';
import type { AuthConfig } from './messages.ts';
import { createPodSandboxCalls } from './pod-sandbox-calls.ts';
import type { ApiVersion, Sparse } from './protocol.ts';
import { readFilesystem, readImage } from './read-usage.ts';
import { writeSandboxConfig } from './write-sandbox-config.ts';

/** Endpoints of the runtime, and the bound of calls in ms. */
export interface CriRuntimeOptions {
  /** `unix:///PATH`. */
  readonly endpoint: string;
  /** Where images are asked for; `endpoint` when left out or empty. */
  readonly imageEndpoint?: string | undefined;
  /** Bound of every call that has no other one; above 0. */
  readonly requestTimeoutMs: number;
  /** Versions of the interface to try, in this order. `v1`, then `v1alpha2` when left out. */
  readonly apiVersions?: readonly ApiVersion[] | undefined;
}

const allVersions: readonly ApiVersion[] = ['v1', 'v1alpha2'];

/**
 * A driver of the runtime at an endpoint. Does not connect before the first call.
 *
 * @throws RangeError for an endpoint or a timeout that cannot be one.
 */
export function createCriRuntime(options: CriRuntimeOptions): ContainerRuntime {
  const { endpoint, imageEndpoint = '', requestTimeoutMs, apiVersions = allVersions } = options;
  if (!(requestTimeoutMs > 0)) {
    throw new RangeError(`runtime request timeout ${requestTimeoutMs} ms: expected more than 0`);
  }
  const connection = new Connection(endpoint, apiVersions);
  const isShared = imageEndpoint === '' || imageEndpoint === endpoint;
  const imageConnection = isShared ? connection : new Connection(imageEndpoint, apiVersions);
  return {
    runtime: {
      ...createStatusCalls(connection, requestTimeoutMs),
      ...createPodSandboxCalls(connection, requestTimeoutMs),
      ...createContainerCalls(connection, requestTimeoutMs),
      ...createStreamCalls(connection, requestTimeoutMs),
    },
    images: createImageCalls(imageConnection, requestTimeoutMs),
    async [Symbol.asyncDispose]() {
      connection.close();
      if (!isShared) imageConnection.close();
    },
  };
}

/** The part of `RuntimeService` about the runtime itself. */
type StatusCalls = Pick<RuntimeService, 'version' | 'status' | 'setPodCidr'>;

/** Version of this interface's client that release 1.20 names in the request. */
const clientVersion = '0.1.0';

/** The calls about the runtime itself. */
function createStatusCalls(connection: Connection, requestTimeoutMs: number): StatusCalls {
  const usual = { timeoutMs: requestTimeoutMs };
  return {
    async version() {
      const answer = await connection.call('Version', { version: clientVersion }, usual);
      return {
        name: answer.runtime_name,
        version: answer.runtime_version,
        apiVersion: answer.runtime_api_version,
      };
    },
    async status() {
      const { status } = await connection.call('Status', {}, usual);
      const conditions = (status?.conditions ?? []).map(({ type, status: isTrue, reason, message }) => {
        return { type, isTrue, reason, message };
      });
      const holds = (type: string): boolean => conditions.some((each) => each.type === type && each.isTrue);
      return {
        conditions,
        isRuntimeReady: holds('RuntimeReady'),
        isNetworkReady: holds('NetworkReady'),
      };
    },
    async setPodCidr(podCidr) {
      const request = { runtime_config: { network_config: { pod_cidr: podCidr } } };
      await connection.call('UpdateRuntimeConfig', request, usual);
    },
  };
}

/** The calls about images. */
function createImageCalls(connection: Connection, requestTimeoutMs: number): ImageService {
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
