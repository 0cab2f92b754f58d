/** What is left of one resource in a namespace after its objects were told to go. */
export interface RemainingContent {
  /** `configmaps.` or `deployments.apps`: the name, a dot and the group, as conditions name it. */
  readonly resource: string;
  readonly count: number;
  /** How many of the objects carry each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** What one pass over a namespace found. */
export interface ContentReport {
  /** Group versions whose resources could not be listed, with the reason. */
  readonly discoveryFailures: readonly { readonly groupVersion: string; readonly message: string }[];
  /** What went wrong while deleting, one text for each resource. */
  readonly deletionFailures: readonly string[];
  readonly remaining: readonly RemainingContent[];
}

/** True when nothing holds the namespace back. */
export function isEmpty({ discoveryFailures, deletionFailures, remaining }: ContentReport): boolean {
  return discoveryFailures.length === 0 && deletionFailures.length === 0 && remaining.length === 0;
}
