import type { Clock } from '../../base/index.ts';
import type { Cluster } from './cluster.ts';
import { type Int64, methods } from './protocol.ts';

interface PooledLease {
  readonly granting: Promise<Lease>;
  /** Writes until then live long enough with this lease. */
  readonly usableUntilMs: number;
}

/** A lease that writes may share. */
export interface Lease {
  readonly id: Int64;
}

/** Leases are shared for a twentieth of their time, a second at least and a minute at most, as in release 1.20. */
const sharedPart = 0.05;
const maxSharedSeconds = 60;

/** Leases of etcd, few for many writes: keys that are written close together with the same time share one. */
export class LeasePool {
  readonly #cluster: Pick<Cluster, 'call'>;
  readonly #clock: Clock;
  readonly #leases = new Map<number, PooledLease>();

  constructor(cluster: Pick<Cluster, 'call'>, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /**
   * A lease that lasts for `ttlSeconds` from now at least, and by the part that is shared and a second longer at most.
   *
   * @throws StorageError as `Cluster.call`.
   */
  async take(ttlSeconds: number): Promise<Lease> {
    const nowMs = this.#clock.nowMs();
    const pooled = this.#leases.get(ttlSeconds);
    if (pooled !== undefined && nowMs < pooled.usableUntilMs) return pooled.granting;
    const sharedSeconds = Math.min(maxSharedSeconds, Math.ceil(ttlSeconds * sharedPart));
    const granting = this.#grant(Math.ceil(ttlSeconds) + sharedSeconds);
    const lease = { granting, usableUntilMs: nowMs + sharedSeconds * 1000 };
    this.#leases.set(ttlSeconds, lease);
    const drop = (): void => this.#drop(ttlSeconds, lease);
    // The clock may be set back, which must not let a lease be shared for longer; a timer does not see that.
    this.#clock.setTimer(sharedSeconds * 1000, drop);
    granting.catch(drop);
    return granting;
  }

  /** Forgets a lease that etcd does not know any more, unless another one has taken its place. */
  async forget(ttlSeconds: number, lease: Lease): Promise<void> {
    const pooled = this.#leases.get(ttlSeconds);
    if (pooled !== undefined && (await pooled.granting.catch(() => undefined)) === lease)
      this.#drop(ttlSeconds, pooled);
  }

  async #grant(ttlSeconds: number): Promise<Lease> {
    const { id } = await this.#cluster.call(methods.grantLease, { ttlSeconds });
    return { id };
  }

  #drop(ttlSeconds: number, lease: PooledLease): void {
    if (this.#leases.get(ttlSeconds) === lease) this.#leases.delete(ttlSeconds);
  }
}
