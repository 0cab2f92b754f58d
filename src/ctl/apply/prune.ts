import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { type DeleteOptions, type DoomedTarget, deleteTarget } from '../changes/delete-target.ts';
import type { Change } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { listItems, type WireObject } from '../resource/api-object.ts';
import { readDocuments } from '../resource/read-collection.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';
import { defaultPruneResources, formatKind } from './prune-kinds.ts';

/** An object of the files, and its uid on the server if that is known. */
export interface AppliedObject {
  readonly target: ManifestTarget;
  readonly uid: string | undefined;
}

/** What may go, and how. */
export interface PruneRequest {
  /** Undefined: the release's list. */
  readonly resources: readonly DiscoveredResource[] | undefined;
  readonly labelSelector: string | undefined;
  readonly applied: readonly AppliedObject[];
  readonly deletion: DeleteOptions;
  readonly report: (change: Change) => void;
}

/** Objects per request of a list. */
const chunkSize = 500;

/**
 * `--prune`: deletes what was applied once and is not in the files any more. An object goes when it carries the
 * annotation that apply leaves, the selector fits, its namespace is one of those of the files (or it has none), and it
 * was not applied now. Stops at the first failure. Returns what was deleted.
 *
 * @throws CtlError that says which kind could not be pruned, as release 1.20 words it
 */
export async function pruneOthers(ctl: Ctl, request: PruneRequest): Promise<readonly DoomedTarget[]> {
  const resources = request.resources ?? (await defaultPruneResources(ctl));
  const keeps = createKeeper(request.applied);
  const gone: DoomedTarget[] = [];
  const places = request.applied.flatMap(({ target }) =>
    target.resource.isNamespaced ? [target.namespace] : [],
  );
  for (const namespace of new Set(places)) {
    for (const resource of resources.filter(({ isNamespaced }) => isNamespaced)) {
      const collection = { ...request, resource, namespace, keeps };
      await explain(`namespaced object ${formatKind(resource)}`, () =>
        pruneCollection(ctl, collection, gone),
      );
    }
  }
  for (const resource of resources.filter(({ isNamespaced }) => !isNamespaced)) {
    const collection = { ...request, resource, namespace: '', keeps };
    await explain(`nonNamespaced object ${formatKind(resource)}`, () =>
      pruneCollection(ctl, collection, gone),
    );
  }
  return gone;
}

interface Collection extends PruneRequest {
  readonly resource: DiscoveredResource;
  readonly namespace: string;
  readonly keeps: (object: WireObject) => boolean;
}

async function pruneCollection(ctl: Ctl, collection: Collection, gone: DoomedTarget[]): Promise<void> {
  const { resource, namespace, deletion, report } = collection;
  // Listed to the end first: a token for the next page would not outlive a long row of deletions.
  for (const object of await findDoomed(ctl, collection)) {
    const name = object.metadata.name ?? '';
    const uid = await deleteTarget(ctl, { resource, namespace, name }, deletion);
    gone.push({ resource, namespace, name, uid });
    report({ resource, name, object, operation: 'pruned' });
  }
}

async function findDoomed(ctl: Ctl, collection: Collection): Promise<WireObject[]> {
  const { resource, namespace, labelSelector, keeps } = collection;
  const doomed: WireObject[] = [];
  const target = { resource, namespace, labelSelector };
  const options = { chunkSize, signal: ctl.io.signal };
  for await (const document of readDocuments(await ctl.client(), target, options)) {
    for (const object of listItems(document, resource)) {
      const annotations = object.metadata.annotations ?? {};
      // Whatever apply did not make is not its to delete.
      if (Object.hasOwn(annotations, ctl.dialect.lastAppliedAnnotation) && !keeps(object))
        doomed.push(object);
    }
  }
  return doomed;
}

/**
 * Tells what was applied now. An object is known by its uid, under whichever group it is listed; where a rehearsal of
 * the client learned none, by kind, namespace and name.
 */
function createKeeper(applied: readonly AppliedObject[]): (object: WireObject) => boolean {
  const uids = new Set(applied.map(({ uid }) => uid));
  const names = new Set(
    applied
      .filter(({ uid }) => uid === undefined)
      .map(({ target }) => nameKey(target.resource.kind, target.namespace, target.name)),
  );
  return ({ kind = '', metadata }) =>
    (metadata.uid !== undefined && uids.has(metadata.uid)) ||
    names.has(nameKey(kind, metadata.namespace ?? '', metadata.name ?? ''));
}

const nameKey = (kind: string, namespace: string, name: string): string => `${kind}/${namespace}/${name}`;

async function explain(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CtlError(`error pruning ${what}: ${error.message}`, { cause: error });
  }
}
