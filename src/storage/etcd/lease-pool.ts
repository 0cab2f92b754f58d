import type { Clock } from '../../base/index.ts';
import type { Cluster } from './cluster.ts';
import { type Int64, methods } from './protocol.ts';

interface PooledLease {
  readonly id: Promise<Int64>;
  /** Writes until then live long enough with this lease. */
  readonly usableUntilMs: number;
}

/** Leases are shared for a twentieth of their time, a second at least and a minute at most, as by the reference. */
const sharedPart = 0.05;
const maxSharedSeconds = 60;

/** Leases of etcd, few for many writes: keys that are written close together with the same time share one. */
export class LeasePool {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #leases = new Map<number, PooledLease>();

  constructor(cluster: Cluster, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** A lease that lasts for `ttlSeconds` from now, and not much longer. @throws StorageError as `Cluster.call`. */
  async take(ttlSeconds: number): Promise<Int64> {
    const nowMs = this.#clock.nowMs();
    const pooled = this.#leases.get(ttlSeconds);
    if (pooled !== undefined && nowMs < pooled.usableUntilMs) return pooled.id;
    const sharedSeconds = Math.min(maxSharedSeconds, Math.ceil(ttlSeconds * sharedPart));
    const id = this.#grant(Math.ceil(ttlSeconds) + sharedSeconds);
    const lease = { id, usableUntilMs: nowMs + sharedSeconds * 1000 };
    this.#leases.set(ttlSeconds, lease);
    id.catch(() => this.#drop(ttlSeconds, lease));
    return id;
  }

  /** Forgets the lease of this time: etcd does not know it any more. */
  forget(ttlSeconds: number): void {
    this.#leases.delete(ttlSeconds);
  }

  async #grant(ttlSeconds: number): Promise<Int64> {
    return (await this.#cluster.call(methods.grantLease, { ttlSeconds })).id;
  }

  #drop(ttlSeconds: number, lease: PooledLease): void {
    if (this.#leases.get(ttlSeconds) === lease) this.#leases.delete(ttlSeconds);
  }
}
