import { applyScale, type Scalable, toScale, validateScale } from '../../apis/apps/index.ts';
import type { WriteRules } from '../../apis/kind-rules.ts';
import type { Scale } from '../../apis/types/autoscaling-v1.ts';
import { conflict, invalid, isReason, notFound } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import {
  checkNames,
  keyOf,
  type ObjectView,
  parseStored,
  plainForms,
  type ServedKind,
  updateObject,
} from '../../registry/index.ts';
import type { HandlerContext, StoredEndpoint, SubresourceHandler } from '../handlers/endpoint.ts';
import { readObject } from '../handlers/read-object.ts';
import { readPatchOf } from '../handlers/read-patch.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseWriteQuery, type WriteQuery } from '../request/options.ts';
import { findObject } from './find-object.ts';
import { writeValue } from './write-value.ts';

/** `scale` of anything that has replicas: read it, replace it, patch it. */
export const handleScale: SubresourceHandler = (exchange, endpoint, subresource) => {
  if (exchange.info.verb === 'get') return readScale(exchange, endpoint, subresource);
  if (exchange.info.verb === 'update') return replaceScale(exchange, endpoint, subresource);
  return patchScale(exchange, endpoint, subresource);
};

async function readScale(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
): Promise<void> {
  const resourceVersion = exchange.query.get('resourceVersion') ?? '';
  try {
    const object = await findObject(exchange, endpoint.served, { resourceVersion });
    writeScale(exchange, endpoint, kind, object);
  } catch (error) {
    throw isReason(error, 'NotFound') ? noScale(endpoint.served, exchange.info.name) : error;
  }
}

async function replaceScale(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
): Promise<void> {
  const { context } = endpoint;
  const query = parseWriteQuery(exchange.query, 'UpdateOptions', context.metaGroup);
  const object = await readObject(exchange, context, kind);
  checkNames(object, exchange.info.namespace, exchange.info.name);
  const scale = asScale(object);
  await storeScale(exchange, endpoint, kind, {
    ...query,
    next: () => scale,
    expectedUid: scale.metadata.uid,
  });
}

async function patchScale(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
): Promise<void> {
  const { patch, ...query } = await readPatchOf(exchange, endpoint, kind);
  const { namespace, name } = exchange.info;
  const next = (current: Scale): Scale => {
    const scale = patch(canonicalScale(endpoint.context, kind, current));
    checkNames(scale, namespace, name);
    return asScale(scale);
  };
  await storeScale(exchange, endpoint, kind, { ...query, next, expectedUid: undefined });
}

interface ScaleChange extends WriteQuery {
  /** The desired scale, from the current one. */
  next(current: Scale): Scale;
  readonly expectedUid: string | undefined;
}

async function storeScale(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
  change: ScaleChange,
): Promise<void> {
  const { served } = endpoint;
  const { namespace, name } = exchange.info;
  await served.store.freshen?.();
  if (served.store.cache.get(keyOf(served.store, namespace, name)) === undefined) {
    throw notFound(exchange.info, name);
  }
  const { context, info: resource } = endpoint;
  const { group, version, resource: plural } = resource;
  const view: ObjectView = {
    subresource: 'scale',
    forms: plainForms([{ kind, group, version, resource: plural }], context),
    of: (object) => canonicalScale(context, kind, toScale(asScalable(object))),
    want: (current) => canonicalScale(context, kind, change.next(asScale(current))),
    put(object, wanted) {
      const scale = asScale(wanted);
      const errors = validateScale(scale);
      if (errors.length > 0) throw invalid(kind, name, errors);
      checkUid(served, scale, object);
      applyScale(asScalable(object), scale);
      object.metadata.resourceVersion = scale.metadata.resourceVersion;
      return object;
    },
  };
  const written = await updateObject(served, {
    namespace,
    name,
    subresource: 'scale',
    rules: scaleRules(served.store.rules),
    manager: '',
    change: { kind: 'view', view },
    expectedUid: change.expectedUid,
    options: writeOptions(exchange, context, change),
  });
  writeScale(exchange, endpoint, kind, parseStored(written.bytes));
}

/** A scale goes by the rules of the whole object, which also count its generations. */
function scaleRules(rules: ServedKind['store']['rules']): WriteRules<ApiObject> {
  return {
    prepareForUpdate(object, old, context) {
      rules.prepareForUpdate?.(object, old, context);
      if (rules.hasGeneration !== true || replicasOf(object) === replicasOf(old)) return;
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validateUpdate: (object, old, context) => rules.validateUpdate?.(object, old, context) ?? [],
  };
}

const replicasOf = (object: ApiObject): number => asScalable(object).spec.replicas ?? 0;

function writeScale(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
  stored: ApiObject,
): void {
  const object = canonicalScale(endpoint.context, kind, toScale(asScalable(stored)));
  writeValue(exchange, endpoint, { code: 200, object });
}

/** A scale in canonical form. */
export function canonicalScale(context: HandlerContext, kind: GroupVersionKind, scale: Scale): ApiObject {
  const type = context.catalog.kind(kind);
  if (type === undefined) throw new RangeError(`no type for the served kind ${kind.kind}`);
  // A scale in canonical form has kind, apiVersion and metadata.
  return type.canonicalize(scale) as unknown as ApiObject;
}

/** Only resources whose objects have replicas are served with a scale. */
const asScalable = (object: ApiObject): Scalable => object as Scalable;
/** Decoded as the kind that the subresource is served with. */
export const asScale = (object: ApiObject): Scale => object as unknown as Scale;

/** @throws StatusError 409 for a patch that names another object than the one that is there. */
function checkUid(served: ServedKind, scale: Scale, object: ApiObject): void {
  const { uid = '' } = scale.metadata;
  if (uid === '' || uid === object.metadata.uid) return;
  throw conflict(
    { group: served.kind.group, resource: scaleOf(served) },
    object.metadata.name ?? '',
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${object.metadata.uid}`,
  );
}

/** Release 1.20 names scales of the core group by the scale's own group, and stateful sets by themselves. */
function noScale(served: ServedKind, name: string): Error {
  if (served.store.resource === 'statefulsets') return notFound(served.store, name);
  return notFound({ group: served.kind.group || 'autoscaling', resource: scaleOf(served) }, name);
}

const scaleOf = ({ store }: ServedKind): string => `${store.resource}/scale`;
