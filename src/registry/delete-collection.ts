import { isReason } from '../machinery/errors/index.ts';
import type { DeleteOptions } from './admission.ts';
import { deleteObject, effectiveOptions } from './delete.ts';
import { type ListRequest, type ListResult, listObjects } from './list.ts';
import { decodeStored, type ServedKind, type WriteOptions } from './resource-store.ts';

/** A deletion of many objects: those that `list` selects, each deleted with the same options. */
export interface DeleteCollectionRequest {
  readonly list: ListRequest;
  readonly deleteOptions: DeleteOptions;
  /** Deletions that run at once; several share storage transactions. */
  readonly workers: number;
  readonly options: WriteOptions;
  /** Nothing is deleted unless it resolves with what was listed. */
  readonly check?: ((listed: ListResult) => Promise<void>) | undefined;
}

/** Deletes what a list selects; answers with the objects as they were listed. Objects that vanish meanwhile are fine. */
export async function deleteCollection(
  served: ServedKind,
  request: DeleteCollectionRequest,
): Promise<ListResult> {
  const { store } = served;
  const listed = await listObjects(store, request.list);
  await request.check?.(listed);
  let next = 0;
  let { deleteOptions } = request;
  const work = async (): Promise<void> => {
    for (let object = listed.objects[next++]; object !== undefined; object = listed.objects[next++]) {
      const [namespace, name] = namesOf(store.isNamespaced, object.key.slice(store.keyPrefix.length));
      try {
        const { options } = request;
        const ownOptions = deleteOptions;
        // As in release 1.20: the grace period of one object is asked for the next.
        if (store.rules.gracePeriodSeconds !== undefined)
          deleteOptions = effectiveOptions(store, deleteOptions, decodeStored(object));
        await deleteObject(served, {
          namespace,
          name,
          deleteOptions: ownOptions,
          options,
          isOfCollection: true,
        });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: request.workers }, work));
  return listed;
}

function namesOf(isNamespaced: boolean, rest: string): [namespace: string, name: string] {
  if (!isNamespaced) return ['', rest];
  const slash = rest.indexOf('/');
  return [rest.slice(0, slash), rest.slice(slash + 1)];
}
