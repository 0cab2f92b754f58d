import { AccessError, customScale, setReplicas } from '../../apis/customs/index.ts';
import type { ScalePaths } from '../../apis/resources/index.ts';
import type { Scale } from '../../apis/types/autoscaling-v1.ts';
import { badRequest, internalError, otherFailure, StatusError } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import {
  checkNames,
  getObject,
  type ObjectView,
  parseStored,
  plainForms,
  type ServedKind,
  updateObject,
  type VersionedResource,
  withConversions,
} from '../../registry/index.ts';
import type { StoredEndpoint, SubresourceHandler } from '../handlers/endpoint.ts';
import { readObject } from '../handlers/read-object.ts';
import { readPatchOf } from '../handlers/read-patch.ts';
import { cachedBytes } from '../handlers/write-object.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseWriteQuery, type WriteQuery } from '../request/options.ts';
import { asScale, canonicalScale } from './scale.ts';
import { writeValue } from './write-value.ts';

/** Stands for replicas that are not set while a change of the scale is worked out: no number of replicas is below zero. */
const unset = -(2 ** 31);

const unknownScale =
  'no kind is registered for the type v1.Scale in scheme "orch.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:688"';

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** `scale` of a resource that says where its numbers stand. */
export const handleCustomScale: SubresourceHandler = async (exchange, endpoint, subresource) => {
  const { scale: paths } = subresource;
  if (paths === undefined) throw new RangeError(`scale without paths: ${endpoint.info.resource}`);
  if (exchange.info.verb === 'get') {
    const resourceVersion = exchange.query.get('resourceVersion') ?? '';
    const { served } = endpoint;
    const { namespace, name } = exchange.info;
    const signal = () => exchange.signal;
    const stored = await getObject(served, { namespace, name, resourceVersion, signal });
    const object = await withConversions(() => parseStored(cachedBytes(served, stored)));
    return writeScale(exchange, endpoint, paths, object);
  }
  const { next, expectedUid, ...query } = await readChange(exchange, endpoint);
  const { context, served } = endpoint;
  const view: ObjectView = {
    subresource: 'scale',
    forms: plainForms(versionsOf(served), context),
    of: (object) => canonicalScale(context, scaleKind, withReplicas(scaleOf(object, paths))),
    want: (current) => canonicalScale(context, scaleKind, next(asScale(current))),
    put(object, wanted) {
      const { spec, metadata } = asScale(wanted);
      const { replicas = 0 } = spec;
      if (replicas === unset) throw badRequest(`the spec replicas field ${quoted(paths)} cannot be empty`);
      setReplicas(object, paths.specReplicasPath, replicas);
      if (metadata.resourceVersion) object.metadata.resourceVersion = metadata.resourceVersion;
      return object;
    },
  };
  const { namespace, name } = exchange.info;
  const written = await updateObject(served, {
    namespace,
    name,
    // By the rules of the whole object, which also count its generations.
    subresource: '',
    manager: '',
    change: { kind: 'view', view },
    expectedUid,
    options: writeOptions(exchange, context, query),
  });
  const shown = await withConversions(() => readWritten(served, written.bytes));
  writeScale(exchange, endpoint, paths, shown);
};

interface ScaleChange extends WriteQuery {
  /** The wanted scale, from the current one. */
  next(current: Scale): Scale;
  readonly expectedUid: string | undefined;
}

async function readChange(exchange: Exchange, endpoint: StoredEndpoint): Promise<ScaleChange> {
  const { context } = endpoint;
  if (exchange.info.verb === 'patch') {
    const { patch, ...query } = await readPatchOf(exchange, endpoint, scaleKind);
    const { namespace, name } = exchange.info;
    const next = (current: Scale): Scale => {
      const scale = patch(canonicalScale(context, scaleKind, current));
      checkNames(scale, namespace, name);
      return asScale(scale);
    };
    return { ...query, next, expectedUid: undefined };
  }
  const query = parseWriteQuery(exchange.query, 'UpdateOptions', context.metaGroup);
  const object = await readScale(exchange, context);
  checkNames(object, exchange.info.namespace, exchange.info.name);
  const scale = asScale(object);
  return { ...query, next: () => scale, expectedUid: scale.metadata.uid };
}

/** @throws StatusError as release 1.20 words it: what serves custom resources there does not know the kind by itself. */
async function readScale(exchange: Exchange, context: StoredEndpoint['context']): Promise<ApiObject> {
  try {
    return await readObject(exchange, context, scaleKind);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 400) throw error;
    throw badRequest(context.dialect.spell(unknownScale));
  }
}

/** Replicas that are not set are told apart from none. */
const withReplicas = (scale: Scale): Scale => ({
  ...scale,
  spec: { ...scale.spec, replicas: scale.spec.replicas ?? unset },
});

/** The scale is the same in all versions of the resource; the one of the request comes first. */
function versionsOf(served: ServedKind): [VersionedResource, ...VersionedResource[]] {
  const of = ({ kind: { group, version }, store }: ServedKind): VersionedResource => ({
    kind: scaleKind,
    group,
    version,
    resource: store.resource,
  });
  return [
    of(served),
    ...served.store
      .versions()
      .filter((one) => one !== served)
      .map(of),
  ];
}

/** What was written, in the version of the request. */
const readWritten = ({ reader }: ServedKind, bytes: Buffer): ApiObject =>
  parseStored(reader === undefined ? bytes : reader.show(bytes));

/** @throws StatusError 500 for what stands at a path and is no number of replicas. */
function scaleOf(object: ApiObject, paths: ScalePaths): Scale {
  try {
    return customScale(object, paths);
  } catch (error) {
    if (error instanceof AccessError) throw otherFailure(500, '', error.message);
    throw error;
  }
}

function writeScale(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  paths: ScalePaths,
  object: ApiObject,
): void {
  const scale = scaleOf(object, paths);
  if (scale.spec.replicas === undefined) throw noReplicas(paths);
  const { context } = endpoint;
  writeValue(exchange, endpoint, { code: 200, object: canonicalScale(context, scaleKind, scale) });
}

const noReplicas = (paths: ScalePaths): Error =>
  internalError(`the spec replicas field ${quoted(paths)} does not exist`);

const quoted = ({ specReplicasPath }: ScalePaths): string => JSON.stringify(specReplicasPath);
