import type { Stores } from '../../registry/index.ts';
import type { TokenIssuer } from '../auth/service-account-tokens.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { handleEphemeralContainers } from './ephemeral-containers.ts';
import { evictionHandler } from './eviction.ts';
import { handlePodBinding } from './pod-binding.ts';
import { handlePodConnection, handlePodLog } from './pod-connection.ts';
import { handleNodeProxy, handlePodProxy, serviceProxyHandler } from './proxy.ts';
import { handleScale } from './scale.ts';
import { tokenRequestHandler } from './token-request.ts';

/** What the handlers of subresources work on. */
export interface SubresourceOptions {
  readonly stores: Stores;
  /** Signs service account tokens; without one they cannot be asked for. */
  readonly tokenIssuer?: TokenIssuer | undefined;
}

/** Handlers by `group/resource/subresource`, as `dispatch` looks them up. */
export function createSubresourceHandlers({
  stores,
  tokenIssuer,
}: SubresourceOptions): ReadonlyMap<string, SubresourceHandler> {
  const handlers = new Map<string, SubresourceHandler>([
    ['apps/deployments/scale', handleScale],
    ['apps/replicasets/scale', handleScale],
    ['apps/statefulsets/scale', handleScale],
    ['/replicationcontrollers/scale', handleScale],
    ['/pods/binding', handlePodBinding],
    ['/pods/eviction', evictionHandler(() => stores.served.get('policy/v1beta1/poddisruptionbudgets'))],
    ['/pods/ephemeralcontainers', handleEphemeralContainers],
    ['/pods/log', handlePodLog],
    ['/pods/exec', handlePodConnection],
    ['/pods/attach', handlePodConnection],
    ['/pods/portforward', handlePodConnection],
    ['/pods/proxy', handlePodProxy],
    ['/nodes/proxy', handleNodeProxy],
    ['/services/proxy', serviceProxyHandler(() => stores.served.get('/v1/endpoints'))],
  ]);
  if (tokenIssuer !== undefined) {
    handlers.set('/serviceaccounts/token', tokenRequestHandler(stores, tokenIssuer));
  }
  return handlers;
}
