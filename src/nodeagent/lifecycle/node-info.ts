/** What the node is like at the moment, as far as pods on it see that. */
export interface NodeInfo {
  /** Addresses of the node, the first one first. */
  readonly hostIps: readonly string[];
  /** What pods may use. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** Why pods cannot have a network of their own now; undefined when they can. */
  readonly networkProblem: string | undefined;
}
