import type { Status } from '../machinery/errors/index.ts';
import { formatGroupVersion } from '../machinery/schema/index.ts';
import { changeAttributes } from './attributes.ts';
import type { DeleteRequest, DeleteResult } from './delete-request.ts';
import { keyOf, type ServedKind } from './resource-store.ts';
import { translateStorageError } from './storage-errors.ts';
import { conversionProblem } from './stored-forms.ts';
import { removeStored } from './write/store-writes.ts';

/**
 * Removes a stored value that is no object of its kind, so that the resource works again: at once, as finalizers cannot
 * be read. Undefined when there is an object, or no value, or when the value was replaced meanwhile.
 *
 * @throws StatusError 500 when the request has preconditions on the object, and for a value that only this server
 * cannot convert; whatever admission refuses with.
 */
export async function deleteUnreadable(
  served: ServedKind,
  request: DeleteRequest,
): Promise<DeleteResult | undefined> {
  const { store } = served;
  const { namespace, name, options, deleteOptions } = request;
  const key = keyOf(store, namespace, name);
  const found = store.cache.unreadable(key);
  if (found === undefined) return undefined;
  const { uid, resourceVersion } = deleteOptions.preconditions ?? {};
  const problem = store.cache.problemBelow(key);
  const namesObject = uid !== undefined || resourceVersion !== undefined;
  if (problem !== undefined && (namesObject || found.problem === conversionProblem))
    throw translateStorageError(problem);
  const { group, version, kind } = store.storageKind;
  // All that is known of it.
  const metadata = { name, ...(store.isNamespaced && { namespace }) };
  const oldObject = { kind, apiVersion: formatGroupVersion(group, version), metadata };
  const attributes = changeAttributes(served, 'DELETE', {
    namespace,
    name,
    oldObject,
    options,
    deleteOptions,
  });
  await store.admission.admit(attributes);
  await store.admission.validate(attributes);
  if (!options.isDryRun && !(await removeStored(store, key, found.revision))) return undefined;
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(store.group === '' ? {} : { group: store.group }), kind: store.resource },
  };
  return { kind: 'status', status, wasRemoved: true };
}
