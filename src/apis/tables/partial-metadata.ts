import type { ApiObject } from '../../machinery/meta/index.ts';

/** Group and version of the kinds Table and PartialObjectMetadata. */
export interface MetaGroupVersion {
  /** `meta.orch.io` in the dialect's spelling. */
  readonly metaGroup: string;
  /** `v1` or `v1beta1`; the forms are equal. */
  readonly version: string;
}

/** An object's metadata alone: that of no version. Shares the metadata, or its parts, with the object. */
export function partialObjectMetadata(
  object: ApiObject,
  { metaGroup, version }: MetaGroupVersion,
): ApiObject {
  const metadata = withoutVersionAnnotations(object);
  return { kind: 'PartialObjectMetadata', apiVersion: `${metaGroup}/${version}`, metadata };
}

/**
 * Annotations that hold what a version has no field for, by group and kind. Metadata alone is not of a version and shows
 * none.
 */
const versionAnnotations: Readonly<Record<string, RegExp>> = {
  'apps.DaemonSet': /^deprecated\.daemonset\.template\.generation$/,
  'autoscaling.HorizontalPodAutoscaler':
    /^autoscaling\.alpha\.[^/]+\/(?:metrics|current-metrics|conditions|behavior)$/,
};

/** Whether objects of a kind may have annotations that their metadata alone does not show. */
export const hidesAnnotations = ({
  group,
  kind,
}: {
  readonly group: string;
  readonly kind: string;
}): boolean => `${group}.${kind}` in versionAnnotations;

function withoutVersionAnnotations(object: ApiObject): ApiObject['metadata'] {
  if (object.metadata.annotations === undefined) return object.metadata;
  const hidden = versionAnnotations[`${object.apiVersion.split('/')[0]}.${object.kind}`];
  if (hidden === undefined) return object.metadata;
  const { annotations, ...metadata } = object.metadata;
  const shown = Object.entries(annotations).filter(([name]) => !hidden.test(name));
  return shown.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(shown) };
}
