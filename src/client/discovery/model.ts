/** One resource of one group version, as discovery lists it. Subresources are named, not listed. */
export interface DiscoveredResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower case: what paths carry. */
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** `status`, `scale`, ... */
  readonly subresources: readonly string[];
}

/** One group with its versions in the server's order. */
export interface DiscoveredGroup {
  readonly name: string;
  readonly preferredVersion: string;
  readonly versions: readonly string[];
}

/** What a server serves: groups in its order of preference, core first. */
export interface Discovery {
  readonly groups: readonly DiscoveredGroup[];
  readonly resources: readonly DiscoveredResource[];
  /** Group versions whose list could not be read, with the reason; their resources are missing. */
  readonly failures: readonly { readonly groupVersion: string; readonly message: string }[];
}
