import type { EphemeralContainers, Pod } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { copyOf, type GroupVersionKind } from '../../machinery/schema/index.ts';
import { checkNames, type ObjectView, parseStored, plainForms, updateObject } from '../../registry/index.ts';
import type { HandlerContext, StoredEndpoint, SubresourceHandler } from '../handlers/endpoint.ts';
import { readObject } from '../handlers/read-object.ts';
import { readPatchOf } from '../handlers/read-patch.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseWriteQuery, type WriteQuery } from '../request/options.ts';
import { findObject } from './find-object.ts';
import { writeValue } from './write-value.ts';

/** `pods/NAME/ephemeralcontainers`: the containers that were added to a running pod, as a kind of their own. */
export const handleEphemeralContainers: SubresourceHandler = async (exchange, endpoint, kind) => {
  const { context, served: pods } = endpoint;
  const { namespace, name, verb } = exchange.info;
  if (verb === 'get') {
    const resourceVersion = exchange.query.get('resourceVersion') ?? '';
    writeContainers(exchange, endpoint, kind, await findObject(exchange, pods, { resourceVersion }));
    return;
  }
  const { change, ...query } = await readChange(exchange, endpoint, kind);
  const { group, version, resource } = endpoint.info;
  const view: ObjectView = {
    subresource: 'ephemeralcontainers',
    forms: plainForms([{ kind, group, version, resource }], context),
    of: (object) => copyOf(containersOf(context, kind, object as Pod)), // pods are stored under this resource
    want: (current) => change(asContainers(current)),
    put(object, part) {
      const pod = object as Pod;
      const wanted = asContainers(part);
      checkNames(wanted, namespace, name);
      pod.spec.ephemeralContainers = wanted.ephemeralContainers ?? [];
      pod.metadata.resourceVersion = wanted.metadata.resourceVersion;
      return pod;
    },
  };
  const written = await updateObject(pods, {
    namespace,
    name,
    subresource: 'ephemeralcontainers',
    manager: '',
    change: { kind: 'view', view },
    options: writeOptions(exchange, context, query),
  });
  writeContainers(exchange, endpoint, kind, parseStored(written.bytes));
};

interface ContainerChange extends WriteQuery {
  /** What a PUT or PATCH makes of the containers. Called again when another write came first. */
  change(current: EphemeralContainers): EphemeralContainers;
}

async function readChange(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
): Promise<ContainerChange> {
  const { context } = endpoint;
  if (exchange.info.verb === 'update') {
    const query = parseWriteQuery(exchange.query, 'UpdateOptions', context.metaGroup);
    const wanted = asContainers(await readObject(exchange, context, kind));
    return { ...query, change: () => copyOf(wanted) };
  }
  const { patch, ...query } = await readPatchOf(exchange, endpoint, kind);
  return { ...query, change: (current) => asContainers(patch(current)) };
}

function writeContainers(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
  stored: ApiObject,
): void {
  const object = containersOf(endpoint.context, kind, stored as Pod); // pods are stored under this resource
  writeValue(exchange, endpoint, { code: 200, object });
}

/** A pod's ephemeral containers in canonical form; a pod without any has an empty list. */
function containersOf(context: HandlerContext, kind: GroupVersionKind, pod: Pod): EphemeralContainers {
  const type = context.catalog.kind(kind);
  if (type === undefined) throw new RangeError(`no type for the served kind ${kind.kind}`);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = pod.metadata;
  const { ephemeralContainers } = pod.spec;
  const canonical = type.canonicalize({
    kind: kind.kind,
    apiVersion: kind.version,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    ephemeralContainers,
  });
  canonical.ephemeralContainers ??= [];
  // The canonical form of just this kind.
  return canonical as unknown as EphemeralContainers;
}

/** Decoded as just this kind. */
const asContainers = (object: ApiObject): EphemeralContainers => object as unknown as EphemeralContainers;
