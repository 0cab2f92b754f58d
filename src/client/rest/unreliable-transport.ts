import type { Transport } from './transport.ts';
import { TransportError } from './transport-error.ts';

export interface UnreliableTransportOptions {
  /** Share of requests that fail, from 0 to 1. */
  readonly chance: number;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
  /** Told of each request that is made to fail. */
  readonly onFailure?: (request: { readonly method: string; readonly url: string }) => void;
}

/** Lets requests fail by chance as if the connection had been reset, to see whether callers bear it. */
export function createUnreliableTransport(
  transport: Transport,
  { chance, random, onFailure }: UnreliableTransportOptions,
): Transport {
  const unreliable: Transport = (request) => {
    if (random() >= chance) return transport(request);
    onFailure?.({ method: request.method, url: request.url });
    const host = new URL(request.url).host;
    return Promise.reject(new TransportError('broken', 'connection reset by peer', { host }));
  };
  if (transport.close !== undefined) unreliable.close = () => transport.close?.();
  return unreliable;
}
