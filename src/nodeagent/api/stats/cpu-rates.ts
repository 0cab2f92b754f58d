/** A CPU counter at one moment. */
export interface CpuSample {
  readonly atMs: number;
  readonly cpuNs: number;
}

/** Rates over a longer time are not formed: they would not describe the present. */
const maxAgeMs = 300_000;
/** Counters of groups that are gone are forgotten when there are so many. */
const maxCounters = 4096;

/** Rates of CPU counters, from the values at an earlier request: nothing is measured in between. */
export class CpuRates {
  readonly #minAgeMs: number;
  readonly #samples = new Map<string, { readonly first: CpuSample; readonly rate: number | undefined }>();

  /** No rate is formed over less than `minAgeMs`; the last one is reused. */
  constructor(minAgeMs: number) {
    this.#minAgeMs = minAgeMs;
  }

  /** CPU time per second, in nanocores; undefined until the counter was seen long enough ago. */
  rate(name: string, sample: CpuSample): number | undefined {
    const known = this.#samples.get(name);
    const ageMs = known === undefined ? 0 : sample.atMs - known.first.atMs;
    const isBroken = known === undefined || ageMs > maxAgeMs || sample.cpuNs < known.first.cpuNs;
    if (isBroken) {
      this.#keep(name, sample, undefined);
      return undefined;
    }
    if (ageMs < this.#minAgeMs) return known.rate;
    const rate = Math.round(((sample.cpuNs - known.first.cpuNs) / ageMs) * 1000);
    this.#keep(name, sample, rate);
    return rate;
  }

  #keep(name: string, first: CpuSample, rate: number | undefined): void {
    this.#samples.delete(name);
    this.#samples.set(name, { first, rate });
    const [oldest] = this.#samples.keys();
    if (this.#samples.size > maxCounters && oldest !== undefined) this.#samples.delete(oldest);
  }
}
