import type { ServiceError } from '@grpc/grpc-js';
import { isNoLeader, isRefusedByTls } from './failure.ts';

/** An election takes a second or two with etcd's own settings. Without a leader for longer, a majority is missing. */
const electionMs = 2000;

/** After a longer time without any call, there may have been a leader meanwhile. */
const maxSilenceMs = 3000;

/** Time for one member while there is no leader: one that can serve again does so sooner. */
const probeMs = 1000;

/** Remembers failures of members during an outage, so that calls need not wait in vain. */
export class Outage {
  /** When a member first said that it has no leader. */
  #sinceMs = 0;
  /** When a call last failed since then. */
  #lastMs = Number.NEGATIVE_INFINITY;
  readonly #nowMs: () => number;

  /** @param nowMs a clock that is never set back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Notes that a call failed at a member. */
  note(failure: ServiceError): void {
    const nowMs = this.#nowMs();
    const goesOn = nowMs - this.#lastMs <= maxSilenceMs;
    if (!goesOn && !isNoLeader(failure)) return;
    if (!goesOn) this.#sinceMs = nowMs;
    this.#lastMs = nowMs;
  }

  /** Notes that a member served. */
  end(): void {
    this.#lastMs = Number.NEGATIVE_INFINITY;
  }

  /** The part of `ms` that a member gets to answer. */
  attemptMs(ms: number): number {
    return this.#isLong ? Math.min(ms, probeMs) : ms;
  }

  /**
   * Whether a call that failed so, at every member, fails again: no member will serve before it finds a leader, or none
   * agrees with this process about certificates.
   */
  isHopeless(failures: readonly ServiceError[]): boolean {
    return failures.every(isRefusedByTls) || (this.#isLong && failures.some(isNoLeader));
  }

  get #isLong(): boolean {
    return this.#nowMs() - this.#lastMs <= maxSilenceMs && this.#lastMs - this.#sinceMs >= electionMs;
  }
}

/** The failure that says most about why members do not serve; of two equal ones the last. */
export function mostSpecificFailure(failures: readonly ServiceError[], last: ServiceError): ServiceError {
  return failures.findLast(isNoLeader) ?? failures.findLast(isRefusedByTls) ?? last;
}
