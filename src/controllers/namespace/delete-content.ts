import { errorText } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { listPages } from '../../client/list-watch/index.ts';
import { type RestClient, resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';
import type { ControllerContext } from '../controller.ts';
import { preferredResources } from '../deletable-resources.ts';
import { type MetadataMediaTypes, metadataMediaTypes } from '../metadata-media-type.ts';
import type { ContentReport, RemainingContent } from './content-report.ts';

/** Resources that are emptied at once. */
const concurrency = 8;
const pageSize = 500;

type Target = Pick<ControllerContext, 'client' | 'discovery' | 'dialect' | 'signal'> & {
  readonly namespace: string;
  /** Resources that the server had at this time or later are looked at. */
  readonly sinceMs: number;
};

/**
 * Tells everything in a namespace to go and reports what is still there. Resources that hold nothing cost one
 * request. What goes wrong with one resource does not keep the others from being emptied.
 *
 * @throws StatusError or TransportError when the server cannot say what it serves.
 */
export async function deleteContent(target: Target): Promise<ContentReport> {
  const discovery = await target.discovery.read(target.sinceMs);
  const waiting = preferredResources(discovery, ['delete', 'list']).filter(
    ({ isNamespaced }) => isNamespaced,
  );
  const deletionFailures: string[] = [];
  const remaining: RemainingContent[] = [];
  const work = async (): Promise<void> => {
    for (let resource = waiting.pop(); resource !== undefined; resource = waiting.pop()) {
      try {
        const left = await emptyCollection(target, resource);
        if (left === undefined) continue;
        remaining.push(left);
        // Pods wait for their agent; anything else without a finalizer should have gone.
        if (left.finalizers.size > 0 || resource.name === 'pods') continue;
        deletionFailures.push(unexpectedlyLeft(target.namespace, resource));
      } catch (error) {
        if (target.signal.aborted) throw error;
        deletionFailures.push(errorText(error));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { discoveryFailures: discovery.failures, deletionFailures, remaining };
}

const unexpectedlyLeft = (namespace: string, { group, version, name }: DiscoveredResource): string =>
  `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${name}`;

interface Collection {
  readonly client: RestClient;
  readonly path: string;
  readonly accept: MetadataMediaTypes;
  readonly signal: AbortSignal;
}

async function emptyCollection(
  { client, dialect, namespace, signal }: Target,
  resource: DiscoveredResource,
): Promise<RemainingContent | undefined> {
  const { group, version, name, verbs } = resource;
  const path = resourcePath({ group, version, resource: name, namespace });
  const collection = { client, path, accept: metadataMediaTypes(dialect), signal };
  try {
    const before = await listMetadata(collection, 1);
    if (before.length === 0) return undefined;
    if (verbs.includes('deletecollection')) await remove(collection, path);
    else await removeEach(collection);
    const left = await listMetadata(collection, pageSize);
    if (left.length === 0) return undefined;
    const finalizers = countFinalizers(left);
    return { resource: `${name}.${group}`, count: left.length, finalizers };
  } catch (error) {
    // A custom resource may be taken away while its objects go.
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function remove({ client, signal }: Collection, path: string): Promise<void> {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  await client.send({ method: 'DELETE', path, body, signal });
}

async function removeEach(collection: Collection): Promise<void> {
  for (const { name } of await listMetadata(collection, pageSize)) {
    try {
      await remove(collection, `${collection.path}/${encodeURIComponent(name ?? '')}`);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

/** Metadata of all objects; with a limit of 1 of the first one only, to see whether there is any. */
async function listMetadata(
  { client, path, accept, signal }: Collection,
  limit: number,
): Promise<ObjectMeta[]> {
  const found: ObjectMeta[] = [];
  for await (const { items } of listPages(client, { path, pageSize: limit, accept: accept.list, signal })) {
    for (const { metadata } of items) found.push(metadata);
    if (limit === 1) break;
  }
  return found;
}

function countFinalizers(objects: readonly ObjectMeta[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { finalizers } of objects) {
    for (const name of finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
