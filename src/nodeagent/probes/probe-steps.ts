/** Moments at which a probe may be run: a first one, and then one after each period. */
export interface ProbeSteps {
  readonly firstMs: number;
  readonly periodMs: number;
}

/** The first step at that moment or after it. */
export function stepAtOrAfter({ firstMs, periodMs }: ProbeSteps, atMs: number): number {
  return firstMs + Math.max(0, Math.ceil((atMs - firstMs) / periodMs)) * periodMs;
}

/** The last step at that moment or before it; the first one when it is still to come. */
export function stepAtOrBefore({ firstMs, periodMs }: ProbeSteps, atMs: number): number {
  return firstMs + Math.max(0, Math.floor((atMs - firstMs) / periodMs)) * periodMs;
}
