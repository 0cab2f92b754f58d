import type { ApiObject } from '../../machinery/meta/index.ts';

/** Group and version of the kinds Table and PartialObjectMetadata. */
export interface MetaGroupVersion {
  /** `meta.orch.io` in the dialect's spelling. */
  readonly metaGroup: string;
  /** `v1` or `v1beta1`; the forms are equal. */
  readonly version: string;
}

/** An object's metadata alone. Shares the metadata with the object. */
export function partialObjectMetadata(
  object: ApiObject,
  { metaGroup, version }: MetaGroupVersion,
): ApiObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `${metaGroup}/${version}`, metadata: object.metadata };
}
