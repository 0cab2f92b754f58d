import type { Lease } from '../../apis/types/coordination-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import { type RestClient, resourcePath } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { formatMicroTime } from '../../machinery/values/index.ts';

/** The node's Lease, which is renewed four times in each duration until `signal` aborts. */
export interface NodeLeaseOptions {
  readonly client: RestClient;
  readonly nodeName: string;
  /** Undefined while there is no node; a lease is made for a node only. */
  readonly nodeUid: () => string | undefined;
  readonly durationSeconds: number;
  /** The server has taken a renewal again, after at least one that failed. */
  readonly onRecovered: () => void;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Figures of release 1.20: four renewals in the time of a lease, five attempts at one. It waits for up to 7 s. */
const renewalsPerLease = 4;
const maxAttempts = 5;
const requestTimeoutMs = 10_000;
const firstWaitMs = 200;
const maxWaitMs = 5000;

/** Renews the lease of the node until the signal aborts; makes it where there is none. Never rejects. */
export async function keepNodeLease(options: NodeLeaseOptions): Promise<void> {
  const { clock, signal, durationSeconds, onRecovered } = options;
  const lease = new NodeLease(options);
  const intervalMs = (durationSeconds * 1000) / renewalsPerLease;
  let waitMs = firstWaitMs;
  let hasFailed = false;
  while (!signal.aborted) {
    const isRenewed = await lease.renew();
    if (isRenewed && hasFailed) onRecovered();
    hasFailed = !isRenewed;
    // While no lease exists, attempts are more frequent.
    const isLate = !isRenewed && !lease.isKnown;
    await pause(clock, isLate ? Math.min(waitMs, intervalMs) : intervalMs, signal);
    waitMs = isLate ? Math.min(waitMs * 2, maxWaitMs) : firstWaitMs;
  }
}

class NodeLease {
  readonly #options: NodeLeaseOptions;
  readonly #collection: string;
  readonly #path: string;
  #latest: Lease | undefined;

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
    const { dialect, nodeName } = options;
    const leases = {
      group: dialect.group('coordination'),
      version: 'v1',
      resource: 'leases',
      namespace: dialect.nodeLeaseNamespace,
    };
    this.#collection = resourcePath(leases);
    this.#path = resourcePath({ ...leases, name: nodeName });
  }

  get isKnown(): boolean {
    return this.#latest !== undefined;
  }

  /** True when the server has taken it. */
  async renew(): Promise<boolean> {
    for (let attempt = 1; attempt <= maxAttempts && !this.#options.signal.aborted; attempt++) {
      try {
        this.#latest ??= await this.#get();
        const desired = this.#desired(this.#latest);
        if (desired === undefined) return false;
        this.#latest = await this.#write(desired);
        return true;
      } catch (error) {
        if (this.#options.signal.aborted) return false;
        const mayTryNow = isReason(error, 'Conflict') || isReason(error, 'NotFound');
        this.#latest = undefined;
        if (!mayTryNow) {
          this.#options.logger.error('node lease update failed', { error });
          return false;
        }
      }
    }
    return false;
  }

  async #get(): Promise<Lease | undefined> {
    try {
      return await this.#send('GET', this.#path);
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #write(lease: Lease): Promise<Lease> {
    const isThere = this.#latest !== undefined;
    return this.#send(isThere ? 'PUT' : 'POST', isThere ? this.#path : this.#collection, lease);
  }

  #send(method: 'GET' | 'PUT' | 'POST', path: string, body?: Lease): Promise<Lease> {
    const { client, signal } = this.#options;
    return client.json<Lease>({ method, path, body, timeoutMs: requestTimeoutMs, signal });
  }

  /** The lease renewed; undefined while there is no node that it could belong to. */
  #desired(latest: Lease | undefined): Lease | undefined {
    const { nodeName, nodeUid, durationSeconds, dialect, clock } = this.#options;
    const uid = nodeUid();
    const known = latest?.metadata.ownerReferences ?? [];
    const owners = known.length > 0 || uid === undefined ? known : [ownerOf(nodeName, uid)];
    if (latest === undefined && owners.length === 0) return undefined;
    return {
      kind: 'Lease',
      apiVersion: `${dialect.group('coordination')}/v1`,
      metadata: {
        ...(latest?.metadata ?? { name: nodeName, namespace: dialect.nodeLeaseNamespace }),
        ...(owners.length === 0 ? {} : { ownerReferences: owners }),
      },
      spec: {
        ...latest?.spec,
        holderIdentity: nodeName,
        leaseDurationSeconds: durationSeconds,
        renewTime: formatMicroTime(clock.nowMs()),
      },
    };
  }
}

const ownerOf = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'Node', name, uid });
