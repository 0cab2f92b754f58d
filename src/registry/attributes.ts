import type { ApiObject } from '../machinery/meta/index.ts';
import type { AdmissionAttributes, AdmissionOperation } from './admission.ts';
import type { ResourceStore, WriteOptions } from './resource-store.ts';

/** The objects and circumstances of one write that admission gets. */
export interface Change {
  readonly object?: ApiObject | undefined;
  readonly oldObject?: ApiObject | undefined;
  readonly subresource?: string | undefined;
  /** Name in the path of a request that creates. */
  readonly requestName?: string | undefined;
  readonly options: WriteOptions;
}

/** Admission's view of a write to a store. */
export function changeAttributes(
  store: ResourceStore,
  operation: AdmissionOperation,
  change: Change,
): AdmissionAttributes {
  const metadata = (change.object ?? change.oldObject)?.metadata;
  return {
    operation,
    resource: store,
    subresource: change.subresource ?? '',
    kind: store.storageKind,
    namespace: store.isNamespaced ? (metadata?.namespace ?? '') : '',
    name: metadata?.name ?? '',
    requestName: change.requestName ?? (operation === 'CREATE' ? '' : (metadata?.name ?? '')),
    object: change.object,
    oldObject: change.oldObject,
    isDryRun: change.options.isDryRun,
    user: change.options.user,
  };
}
