/** What one pod used when it was last measured. */
export interface PodSample {
  /** In thousandths. */
  readonly milli: bigint;
  /** The end of the time that was measured over, in milliseconds. */
  readonly atMs: number;
  readonly windowMs: number;
}

/** What a metrics API says of one metric. */
export type Reading =
  | { readonly kind: 'pods'; readonly samples: ReadonlyMap<string, PodSample> }
  /** One value, or several added up, in thousandths. */
  | { readonly kind: 'total'; readonly milli: bigint }
  | { readonly kind: 'failed'; readonly message: string };
