import type { Lease } from '../apis/types/coordination-v1.ts';
import { type Clock, type Logger, pause } from '../base/index.ts';
import { type RestClient, resourcePath } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';

/** How those who want to lead behave; all must agree about the times. */
export interface LeaderElectionOptions {
  readonly client: RestClient;
  readonly dialect: Dialect;
  /** The Lease that they share, in the system namespace. */
  readonly name: string;
  /** Tells this one from all others, also from itself after a restart. */
  readonly identity: string;
  /** How long others wait after a leader's last renewal. */
  readonly leaseDurationMs: number;
  /** A leader that could not renew for so long stops. Shorter than the lease. */
  readonly renewDeadlineMs: number;
  /** Time between tries; followers wait up to a fifth longer. */
  readonly retryPeriodMs: number;
  readonly clock: Clock;
  /** A number from 0 to 1, for jitter. */
  readonly random: () => number;
  readonly logger: Logger;
  /** Ends leading and trying to. */
  readonly signal: AbortSignal;
  /** What the leader does, until the signal that it is given aborts. Never rejects. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
}

const retryJitter = 0.2;

type LeaseSpec = Lease['spec'];

/**
 * Leads whenever nobody else does, as the components of release 1.20 agree about it. Resolves when the signal aborted,
 * what the leader does has ended and the lease is free for others. Never rejects.
 */
export async function electLeader(options: LeaderElectionOptions): Promise<void> {
  const { signal, logger, identity, retryPeriodMs, random, clock } = options;
  const record = new LeaseRecord(options);
  while (!signal.aborted) {
    const triedAtMs = clock.nowMs();
    if (!(await record.tryToHold(signal))) {
      await pause(clock, retryPeriodMs * (1 + retryJitter * random()), signal);
      continue;
    }
    logger.info('leader election won', { identity });
    await holdOffice(options, record, triedAtMs);
    logger.info('leader election lost', { identity });
    // Only after the work has ended: whoever comes next begins at once.
    if (signal.aborted) await record.release();
  }
}

/** Leads until the lease is lost or the signal aborts, and then until the work has ended. */
async function holdOffice(
  { clock, signal, renewDeadlineMs, retryPeriodMs, lead }: LeaderElectionOptions,
  record: LeaseRecord,
  heldSinceMs: number,
): Promise<void> {
  const term = new AbortController();
  const endTerm = (): void => term.abort();
  signal.addEventListener('abort', endTerm, { once: true });
  if (signal.aborted) endTerm();
  const work = lead(term.signal);
  // Counted from before the request: others count from when it arrived, which is later.
  const endAfter = (sentAtMs: number) =>
    clock.setTimer(Math.max(0, sentAtMs + renewDeadlineMs - clock.nowMs()), endTerm);
  let cancelDeadline = endAfter(heldSinceMs);
  while (await pause(clock, retryPeriodMs, term.signal)) {
    const sentAtMs = clock.nowMs();
    if (await record.tryToHold(term.signal)) {
      cancelDeadline();
      cancelDeadline = endAfter(sentAtMs);
    } else if (record.isHeldByOther) endTerm();
  }
  cancelDeadline();
  signal.removeEventListener('abort', endTerm);
  await work;
}

/** The shared Lease, as this process sees it. */
class LeaseRecord {
  readonly #options: LeaderElectionOptions;
  /** The record as it was last seen, as text to compare. */
  #seen = '';
  /** When it was first seen so, by this process's clock: clocks of others do not matter. */
  #seenAtMs = 0;
  #holder = '';

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
  }

  get isHeldByOther(): boolean {
    return this.#holder !== '' && this.#holder !== this.#options.identity;
  }

  /** Takes or renews the lease if it is free or held by this process. A request that fails is a try that failed. */
  async tryToHold(signal: AbortSignal): Promise<boolean> {
    const { identity, logger, clock, renewDeadlineMs } = this.#options;
    // A server that does not answer must not keep a try waiting for ever.
    const limit = new AbortController();
    const abort = (): void => limit.abort();
    signal.addEventListener('abort', abort, { once: true });
    const cancelLimit = clock.setTimer(renewDeadlineMs, abort);
    try {
      return await this.#hold(limit.signal);
    } catch (error) {
      if (!signal.aborted) logger.debug('leader election lease not acquired', { identity, error });
      return false;
    } finally {
      cancelLimit();
      signal.removeEventListener('abort', abort);
    }
  }

  /** Lets others lead at once. */
  async release(): Promise<void> {
    const { client, identity, logger, clock, renewDeadlineMs } = this.#options;
    const limit = new AbortController();
    const cancelLimit = clock.setTimer(renewDeadlineMs, () => limit.abort());
    try {
      const lease = await client.json<Lease>({ method: 'GET', path: this.#path(), signal: limit.signal });
      if (lease.spec.holderIdentity !== identity) return;
      const now = formatMicroTime(clock.nowMs());
      lease.spec = {
        ...lease.spec,
        holderIdentity: '',
        leaseDurationSeconds: 1,
        acquireTime: now,
        renewTime: now,
      };
      await client.send({ method: 'PUT', path: this.#path(), body: lease, signal: limit.signal });
    } catch (error) {
      logger.info('leader election lease release failed; others wait until it expires', { identity, error });
    } finally {
      cancelLimit();
    }
  }

  async #hold(signal: AbortSignal): Promise<boolean> {
    const { client, identity, clock } = this.#options;
    const lease = await this.#read(signal);
    if (lease === undefined) {
      const { name, dialect } = this.#options;
      const created = await client.json<Lease>({
        method: 'POST',
        path: this.#path(''),
        body: {
          apiVersion: `${dialect.group('coordination')}/v1`,
          kind: 'Lease',
          metadata: { name, namespace: dialect.systemNamespace },
          spec: this.#spec(undefined),
        },
        signal,
      });
      this.#observe(created);
      return true;
    }
    this.#observe(lease);
    const isLive = clock.nowMs() < this.#seenAtMs + this.#options.leaseDurationMs;
    if (this.#holder !== '' && this.#holder !== identity && isLive) return false;
    // The version that was read makes this fail when somebody else was faster.
    const body = { ...lease, spec: this.#spec(lease.spec) };
    this.#observe(await client.json<Lease>({ method: 'PUT', path: this.#path(), body, signal }));
    return true;
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#options.client.json<Lease>({ method: 'GET', path: this.#path(), signal });
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #observe({ spec }: Lease): void {
    const text = JSON.stringify(spec);
    if (text === this.#seen) return;
    this.#seen = text;
    this.#seenAtMs = this.#options.clock.nowMs();
    this.#holder = spec.holderIdentity ?? '';
  }

  #spec(old: LeaseSpec | undefined): LeaseSpec {
    const { identity, leaseDurationMs, clock } = this.#options;
    const now = formatMicroTime(clock.nowMs());
    const isOwn = old?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      acquireTime: isOwn ? old.acquireTime : now,
      renewTime: now,
      leaseTransitions: old === undefined ? 0 : (old.leaseTransitions ?? 0) + (isOwn ? 0 : 1),
    };
  }

  #path(name = this.#options.name): string {
    const { dialect } = this.#options;
    return resourcePath({
      group: dialect.group('coordination'),
      version: 'v1',
      resource: 'leases',
      namespace: dialect.systemNamespace,
      ...(name === '' ? {} : { name }),
    });
  }
}

/** RFC 3339 with microseconds, as leases carry it. */
function formatMicroTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/Z$/, '000Z');
}
