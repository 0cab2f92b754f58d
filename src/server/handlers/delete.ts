import { asJsonObject, errorText } from '../../base/index.ts';
import { BodySyntaxError, decodeObjectBody } from '../../machinery/codec/index.ts';
import { decodeProtobufBody } from '../../machinery/codec/protobuf/index.ts';
import { otherFailure } from '../../machinery/errors/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import {
  type DeleteResult,
  deleteCollection,
  deleteObject,
  getObject,
  validateListQuery,
  withConversions,
} from '../../registry/index.ts';
import { readBody } from '../request/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { type DeleteBody, parseDeleteOptions, parseListQuery } from '../request/options.ts';
import { respondStatus } from '../request/respond.ts';
import type { EndpointHandler, HandlerContext, StoredEndpoint } from './endpoint.ts';
import { convertListed, writeList } from './list.ts';
import { describeMisfit, optionsKind } from './options-misfit.ts';
import { bodyFormat } from './read-object.ts';
import { parseSelection } from './selection.ts';
import { cachedBytes, writeObject } from './write-object.ts';
import { writeOptions } from './write-options.ts';

/** DELETE of one object. */
export const handleDelete: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const body = await readDeleteOptions(exchange, endpoint);
  const { deleteOptions, isDryRun } = parseDeleteOptions(exchange.query, body, context.metaGroup);
  const { namespace, name } = exchange.info;
  const options = writeOptions(exchange, context, { isDryRun });
  if (served.store.convertsRemotely === true) await requireConversion(exchange, endpoint);
  const result = await deleteObject(served, { namespace, name, deleteOptions, options });
  // The older field asks to be told when dependents keep the object for a while.
  const isAccepted = !result.wasRemoved && deleteOptions.orphanDependents === false;
  await writeDeleteResult(exchange, endpoint, result, isAccepted ? 202 : 200);
};

/** Release 1.20 deletes no object that it cannot show in the version of the request. @throws StatusError 500 */
async function requireConversion(exchange: Exchange, { served }: StoredEndpoint): Promise<void> {
  const { namespace, name } = exchange.info;
  const signal = () => exchange.signal;
  const object = await getObject(served, { namespace, name, resourceVersion: '', signal });
  await withConversions(() => cachedBytes(served, object));
}

/** Answers with what a deletion gave. */
async function writeDeleteResult(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  result: DeleteResult,
  code: number,
): Promise<void> {
  if (result.kind === 'object') {
    await writeObject(exchange, endpoint, { code, stored: result.bytes, cached: result.cached });
    return;
  }
  respondStatus(exchange, result.status, endpoint.context, { given: endpoint.representation });
}

/**
 * `DeleteOptions` of a request's body; undefined without a body. What cannot be read is a failure without a reason: release
 * 1.20 passes on what its decoder says.
 *
 * @throws StatusError 415, or 500.
 */
export async function readDeleteOptions(
  exchange: Exchange,
  endpoint: StoredEndpoint,
): Promise<DeleteBody | undefined> {
  const { context } = endpoint;
  const body = await readBody(exchange);
  if (body.length === 0) return undefined;
  const format = bodyFormat(exchange, context);
  try {
    const value = parseOptions(body, format, context) ?? {};
    const { dialect, catalog, metaGroup } = context;
    const isUnstructured = endpoint.served.type.isUnstructured === true;
    const place = { info: exchange.info, dialect, catalog, metaGroup, isUnstructured };
    const misfit = describeMisfit(place, asJsonObject(value));
    if (misfit !== undefined) throw new BodySyntaxError(misfit);
    const type = context.catalog.type(`${context.dialect.unspell(context.metaGroup)}/v1.DeleteOptions`);
    const options = type.decode(value) as DeleteBody; // the catalog's type has these fields
    exchange.audit?.noteDeleteOptions(options);
    return options;
  } catch (error) {
    throw otherFailure(500, '', errorText(error));
  }
}

/** Clients name the options' kind in the group and version that they work with, or in the one of the protocol. */
function parseOptions(
  body: Buffer,
  format: ReturnType<typeof bodyFormat>,
  { protobuf, metaGroup }: HandlerContext,
): unknown {
  const kind = optionsKind;
  const refusal = (cause: string) => new BodySyntaxError(cause);
  if (format !== 'protobuf') return decodeObjectBody(body, format);
  const own = { group: metaGroup, version: 'v1', kind };
  const options = decodeProtobufBody({ bytes: body, compiler: protobuf, expected: own, refusal });
  const named = parseGroupVersion(String(options.apiVersion));
  const isOther = named !== undefined && named.group !== metaGroup && options.kind === kind;
  if (!isOther || !protobuf.hasKind({ ...named, kind })) return options;
  return decodeProtobufBody({ bytes: body, compiler: protobuf, expected: { ...named, kind }, refusal });
}

/** DELETE of a collection. */
export const handleDeleteCollection: EndpointHandler = async (exchange, endpoint) => {
  const { context } = endpoint;
  const query = parseListQuery(exchange.query);
  validateListQuery(query, context.metaGroup);
  const selection = parseSelection(exchange, endpoint);
  const body = await readDeleteOptions(exchange, endpoint);
  const { deleteOptions, isDryRun } = parseDeleteOptions(exchange.query, body, context.metaGroup);
  const result = await deleteCollection(endpoint.served, {
    list: { ...query, ...selection, signal: () => exchange.signal },
    deleteOptions,
    workers: context.deleteCollectionWorkers,
    options: writeOptions(exchange, context, { isDryRun }),
    check: (listed) => convertListed(endpoint, listed),
  });
  await writeList(exchange, endpoint, result);
};
