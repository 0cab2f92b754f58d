import { AccessError, customScale, setReplicas } from '../../apis/customs/index.ts';
import type { ScalePaths } from '../../apis/resources/index.ts';
import type { Scale } from '../../apis/types/autoscaling-v1.ts';
import { badRequest, internalError, otherFailure } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import {
  getObject,
  parseStored,
  type ServedKind,
  updateObject,
  withConversions,
} from '../../registry/index.ts';
import type { StoredEndpoint, SubresourceHandler } from '../handlers/endpoint.ts';
import { readObject } from '../handlers/read-object.ts';
import { readPatchOf } from '../handlers/read-patch.ts';
import { cachedBytes } from '../handlers/write-object.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseWriteQuery } from '../request/options.ts';
import { asScale, canonicalScale, checkScaleAddress } from './scale.ts';
import { writeValue } from './write-value.ts';

/** Stands for replicas that are not set while a change of the scale is worked out: no number of replicas is below zero. */
const unset = -(2 ** 31);

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
  const { isDryRun, next, expectedUid } = await readChange(exchange, endpoint);
  const edit = (object: ApiObject): ApiObject => {
    const current = scaleOf(object, paths);
    if (current.spec.replicas === undefined) current.spec.replicas = unset;
    const wanted = next(current);
    const { replicas = 0 } = wanted.spec;
    if (replicas === unset) throw badRequest(`the spec replicas field ${quoted(paths)} cannot be empty`);
    setReplicas(object, paths.specReplicasPath, replicas);
    if (wanted.metadata.resourceVersion) object.metadata.resourceVersion = wanted.metadata.resourceVersion;
    return object;
  };
  const { namespace, name } = exchange.info;
  const written = await updateObject(endpoint.served, {
    namespace,
    name,
    // By the rules of the whole object, which also count its generations.
    subresource: '',
    manager: '',
    change: { kind: 'edit', edit },
    expectedUid,
    options: { user: exchange.user, isDryRun },
  });
  const shown = await withConversions(() => readWritten(endpoint.served, written.bytes));
  writeScale(exchange, endpoint, paths, shown);
};

interface ScaleChange {
  readonly isDryRun: boolean;
  /** The wanted scale, from the current one. */
  next(current: Scale): Scale;
  readonly expectedUid: string | undefined;
}

async function readChange(exchange: Exchange, endpoint: StoredEndpoint): Promise<ScaleChange> {
  const { context } = endpoint;
  const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  if (exchange.info.verb === 'patch') {
    const { patch, isDryRun } = await readPatchOf(exchange, endpoint, kind);
    const next = (current: Scale): Scale => asScale(patch(canonicalScale(context, kind, current)));
    return { isDryRun, next, expectedUid: undefined };
  }
  const { isDryRun } = parseWriteQuery(exchange.query, 'UpdateOptions', context.metaGroup);
  const scale = asScale(await readObject(exchange, context, kind));
  checkScaleAddress(scale, exchange);
  return { isDryRun, next: () => scale, expectedUid: scale.metadata.uid };
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
  const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  writeValue(exchange, endpoint, { code: 200, object: canonicalScale(context, kind, scale) });
}

const noReplicas = (paths: ScalePaths): Error =>
  internalError(`the spec replicas field ${quoted(paths)} does not exist`);

const quoted = ({ specReplicasPath }: ScalePaths): string => JSON.stringify(specReplicasPath);
