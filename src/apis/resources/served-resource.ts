import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import type { Deprecation } from './deprecations.ts';

/** A resource below another one's path, with the kind that its requests and answers carry. */
export interface ServedSubresource extends GroupVersionKind {
  /** Last part of the path: `status`, `scale`, `exec`. */
  readonly name: string;
  readonly verbs: readonly string[];
  /** Set when the kind is deprecated, which may be another one than the resource's. */
  readonly deprecation?: Deprecation | undefined;
  /** Of a scale whose numbers do not stand where built-in kinds have them: where they stand. */
  readonly scale?: ScalePaths | undefined;
}

/** Paths such as `.spec.replicas` to what a scale tells of an object. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/** One resource type as one served version has it. */
export interface ServedResource extends GroupVersionKind {
  /** Plural name in paths. */
  readonly resource: string;
  readonly listKind: string;
  /** Empty for built-in kinds, as release 1.20 publishes it. */
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The resource is on its way out: nothing is created any more, and discovery shows fewer verbs. */
  readonly isTerminating?: boolean | undefined;
  /**
   * Kind in the version that all others convert through, and that is written to storage unless another is asked for;
   * undefined when nothing is stored (reviews, bindings).
   */
  readonly storage?: GroupVersionKind | undefined;
  /** Key prefix below the store's root, without slashes at the ends; set exactly when `storage` is. */
  readonly storePrefix?: string | undefined;
  /** Set exactly when `storage` is. */
  readonly storageVersionHash?: string | undefined;
  readonly subresources: readonly ServedSubresource[];
  /** Set when this version of the kind is deprecated. */
  readonly deprecation?: Deprecation | undefined;
}

/** A group with at least one served version. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** In order of preference. */
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}
