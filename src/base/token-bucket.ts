/** How often something may happen. */
export interface TokenBucketOptions {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens that it holds at most, and at first. */
  readonly burst: number;
}

/** Tokens that are used up and come back with time; the time is told by the caller. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor({ perSecond, burst }: TokenBucketOptions, nowMs: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Takes a token if there is one. */
  tryTake(nowMs: number): boolean {
    // A clock that was set back gives nothing and takes nothing.
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#tokens = Math.min(this.#burst, this.#tokens + (elapsedMs / 1000) * this.#perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Milliseconds after the last `tryTake` until there is a token again. */
  get delayMs(): number {
    return Math.max(0, Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1000));
  }
}
