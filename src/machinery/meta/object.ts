import { isJsonObject } from '../../base/index.ts';

/** Entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager?: string | undefined;
  operation?: string | undefined;
  apiVersion?: string | undefined;
  time?: string | null | undefined;
  fieldsType?: string | undefined;
  fieldsV1?: Record<string, unknown> | undefined;
}

/** Entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

/** Metadata that every stored object carries. Times are RFC 3339 text; `resourceVersion` is opaque to clients. */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  selfLink?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  creationTimestamp?: string | null | undefined;
  deletionTimestamp?: string | null | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  finalizers?: string[] | undefined;
  clusterName?: string | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
}

/** Any API object in JSON shape. Kinds of their own have an interface in `apis/types`. */
export interface ApiObject {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
}

/** True for a value that says what it is and has metadata. Their fields are not looked at. */
export function isApiObject(value: unknown): value is ApiObject {
  return (
    isJsonObject(value) &&
    typeof value.kind === 'string' &&
    typeof value.apiVersion === 'string' &&
    isJsonObject(value.metadata)
  );
}

/** Metadata of a list. */
export interface ListMeta {
  selfLink?: string | undefined;
  resourceVersion?: string | undefined;
  continue?: string | undefined;
  remainingItemCount?: number | undefined;
}
