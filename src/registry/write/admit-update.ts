import type { ApiObject } from '../../machinery/meta/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { changeAttributes } from '../attributes.ts';
import type { ObjectView } from '../object-forms.ts';
import { withConversions } from '../remote-conversions.ts';
import { decodeStored, type ServedKind } from '../resource-store.ts';
import { fromStorageVersion } from '../versions.ts';
import type { UpdatePlan } from './update-plan.ts';

interface UpdatedObjects {
  readonly object: ApiObject;
  readonly oldObject: ApiObject;
  readonly oldOwners?: ApiObject['metadata']['managedFields'];
}

/** Runs one phase of admission, for the whole object or the part of it that is written. */
export async function admitUpdate(
  served: ServedKind,
  request: UpdatePlan,
  phase: 'admit' | 'validate',
  { object, oldObject, oldOwners }: UpdatedObjects,
): Promise<void> {
  const { namespace, name, subresource, options, view } = request;
  if (request.isAdmitted === true) return;
  const { admission } = served.store;
  if (view === undefined) {
    const change = { namespace, name, object, oldObject, oldOwners, subresource, options };
    await admission[phase](changeAttributes(served, 'UPDATE', change));
  } else
    await admission[phase](
      viewAttributes(served, request, view, { object: view.of(object), oldObject: view.of(oldObject) }),
    );
}

/** The part that the request wants, as mutating admission leaves it. */
export async function admitView(
  served: ServedKind,
  request: UpdatePlan,
  stored: CachedObject,
): Promise<ApiObject | undefined> {
  const { view } = request;
  if (view === undefined) return undefined;
  const read = () => view.of(fromStorageVersion(served, decodeStored(stored)));
  const oldObject = served.store.convertsRemotely === true ? await withConversions(read) : read();
  const object = view.want(oldObject);
  await served.store.admission.admit(viewAttributes(served, request, view, { object, oldObject }));
  return object;
}

function viewAttributes(
  served: ServedKind,
  { namespace, name, options }: UpdatePlan,
  { subresource, forms }: ObjectView,
  { object, oldObject }: UpdatedObjects,
): AdmissionAttributes {
  const change = { namespace, name, object, oldObject, subresource, options };
  return { ...changeAttributes(served, 'UPDATE', change), kind: forms.requested.kind, forms };
}
