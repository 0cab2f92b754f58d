import type { Clock, Logger } from '../base/index.ts';
import type { Storage, StoredObject } from '../storage/index.ts';
import { repeat } from './repeat.ts';

/** A server that gives no sign of life for so long is gone. Source: release 1.20, lease endpoint reconciler. */
const ttlSeconds = 15;
const renewEveryMs = 10_000;
const maxAttempts = 5;

export interface EndpointLeasesOptions {
  readonly storage: Storage;
  /** Key prefix of everything, ends with `/`. */
  readonly root: string;
  /** The address at which others reach this server. */
  readonly address: string;
}

/** What a server knows of the servers that share its store, by leases under release 1.20's keys. */
export interface EndpointLeases {
  /** Says that this server is alive. @throws StorageError */
  renew(): Promise<void>;
  /** Addresses of the servers that are alive, in order. @throws StorageError */
  list(): Promise<readonly string[]>;
  /** Says that this server is gone. @throws StorageError */
  remove(): Promise<void>;
}

export function endpointLeases({ storage, root, address }: EndpointLeasesOptions): EndpointLeases {
  const prefix = `${root}masterleases/`;
  const key = `${prefix}${address}`;
  return {
    async renew() {
      const value = encodeLease(address);
      let current = await storage.get(key);
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const result =
          current === undefined
            ? await storage.create(key, value, { ttlSeconds })
            : await storage.update(key, current.revision, value, { ttlSeconds });
        if (result.kind === 'ok') return;
        // Another server with this address was faster: its sign of life is as good, but it may have been its last.
        current = result.current;
      }
    },
    async list() {
      const { objects } = await storage.range({ prefix });
      return objects.flatMap((object) => leasedAddress(object) ?? []).sort();
    },
    async remove() {
      const current = await storage.get(key);
      if (current !== undefined) await storage.delete(key, current.revision);
    },
  };
}

/**
 * Renews this server's lease and lets `reconcile` show the servers that are alive, until the returned function is
 * called: that takes this server out at once.
 */
export function keepEndpointLease(
  leases: EndpointLeases,
  reconcile: (addresses: readonly string[]) => Promise<void>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): () => Promise<void> {
  const ending = new AbortController();
  const show = async (): Promise<void> => {
    const addresses = await leases.list();
    // Without any the leases are wrong, not the endpoints: somebody is here to ask.
    if (addresses.length > 0) await reconcile(addresses);
  };
  const renewal = repeat(
    async () => {
      await leases.renew();
      await show();
    },
    {
      clock,
      intervalMs: renewEveryMs,
      signal: ending.signal,
      onError: (error) => logger.error('API server endpoint lease renewal failed', { error }),
    },
  );
  return async () => {
    ending.abort();
    await renewal;
    try {
      await leases.remove();
      await show();
    } catch (error) {
      logger.error('API server endpoint removal failed; other servers remove it when its lease expires', {
        error,
      });
    }
  };
}

function encodeLease(address: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata: { resourceVersion: '', creationTimestamp: null },
      subsets: [{ addresses: [{ ip: address }] }],
    }),
  );
}

interface Lease {
  readonly subsets?: ReadonlyArray<{ readonly addresses?: ReadonlyArray<{ readonly ip?: unknown }> }> | null;
}

/** The address of a lease; undefined when others wrote something else there. */
function leasedAddress({ bytes }: StoredObject): string | undefined {
  try {
    const { subsets } = JSON.parse(bytes.toString()) as Lease; // what does not fit ends in the catch or as undefined
    const ip = subsets?.[0]?.addresses?.[0]?.ip;
    return typeof ip === 'string' && ip !== '' ? ip : undefined;
  } catch {
    return undefined; // what nobody can read names no server
  }
}
