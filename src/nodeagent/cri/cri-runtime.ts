import type { ContainerRuntime } from '../runtime/index.ts';
import { Connection } from './connection.ts';
import { createContainerCalls } from './container-calls.ts';
import { createImageCalls } from './image-calls.ts';
import { createPodSandboxCalls } from './pod-sandbox-calls.ts';
import type { ApiVersion } from './protocol.ts';
import { createStatusCalls } from './status-calls.ts';
import { createStreamCalls } from './stream-calls.ts';

/** Endpoints of the runtime, and the bound of calls in ms. */
export interface CriRuntimeOptions {
  /** `unix:///PATH` or `tcp://HOST:PORT`. */
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
