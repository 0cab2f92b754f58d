import type { ApiObject } from '../machinery/meta/index.ts';
import type { AdmissionAttributes, AdmissionOperation, DeleteOptions } from './admission.ts';
import { formsOf } from './object-forms.ts';
import type { ServedKind, WriteOptions } from './resource-store.ts';

/** The objects and circumstances of one write that admission gets. */
export interface AdmittedChange {
  /** Namespace of the request. */
  readonly namespace: string;
  readonly name: string;
  readonly object?: ApiObject | undefined;
  readonly oldObject?: ApiObject | undefined;
  /** Owners before an update. */
  readonly oldOwners?: ApiObject['metadata']['managedFields'];
  readonly subresource?: string | undefined;
  /** Name in the path of a request that creates. */
  readonly requestName?: string | undefined;
  readonly options: WriteOptions;
  readonly deleteOptions?: DeleteOptions | undefined;
}

/** Admission's view of a write to a store. */
export function changeAttributes(
  served: ServedKind,
  operation: AdmissionOperation,
  change: AdmittedChange,
): AdmissionAttributes {
  const { store } = served;
  const { options } = change;
  return {
    operation,
    resource: store,
    subresource: change.subresource ?? '',
    kind: store.storageKind,
    namespace: store.isNamespaced ? change.namespace : '',
    name: change.name,
    requestName: change.requestName ?? (operation === 'CREATE' ? '' : change.name),
    object: change.object,
    oldObject: change.oldObject,
    oldOwners: change.oldOwners,
    isDryRun: options.isDryRun,
    user: options.user,
    forms: formsOf(served),
    request: options.request,
    deleteOptions: change.deleteOptions,
  };
}
