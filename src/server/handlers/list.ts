import { partialObjectMetadata } from '../../apis/tables/index.ts';
import { encodeListHeader, writeYaml } from '../../machinery/codec/index.ts';
import { otherFailure } from '../../machinery/errors/index.ts';
import type { ListMeta } from '../../machinery/meta/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { type ListResult, listObjects, type ServedKind, validateListQuery } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from '../request/negotiate.ts';
import { parseListQuery } from '../request/options.ts';
import { respond } from '../request/respond.ts';
import type { EndpointHandler, StoredEndpoint } from './endpoint.ts';
import { parseSelection } from './selection.ts';
import { parseStored, tableOf } from './table.ts';
import { cachedBytes } from './write-object.ts';

const comma = Buffer.from(',{');
const open = Buffer.from('{');
const end = Buffer.from(']}');

/** GET of a collection. */
export const handleList: EndpointHandler = async (exchange, endpoint) => {
  const query = parseListQuery(exchange.query, false);
  validateListQuery(query, endpoint.context.metaGroup);
  const selection = parseSelection(exchange, endpoint);
  const result = await listObjects(endpoint.served.store, {
    ...query,
    ...selection,
    signal: () => exchange.signal,
  });
  writeList(exchange, endpoint, result);
};

/** Answers with a list in the representation that the client asked for. */
export function writeList(exchange: Exchange, endpoint: StoredEndpoint, result: ListResult): void {
  const representation = endpoint.context.negotiator.choose(exchange.request.headers.accept);
  const { contentType } = representation;
  const isPlain = representation.encoding === 'json' && representation.as === undefined;
  const body = isPlain
    ? joinItems(endpoint, result)
    : Buffer.from(encode(exchange, endpoint, result, representation));
  respond(exchange, { code: 200, contentType, body });
}

/** List metadata in wire order. */
export function listMetaOf(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    ...(result.continueToken === undefined ? {} : { continue: result.continueToken }),
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}

/** A list's JSON out of its items' stored bytes. Items of lists carry no kind and apiVersion, as the reference has it. */
function joinItems(endpoint: StoredEndpoint, result: ListResult): Buffer {
  const { served } = endpoint;
  const apiVersion = formatGroupVersion(served.kind.group, served.kind.version);
  const header = encodeListHeader({ kind: served.listKind, apiVersion, metadata: listMetaOf(result) });
  const skip = Buffer.byteLength(`{"kind":"${served.kind.kind}","apiVersion":"${apiVersion}",`);
  const parts: Buffer[] = [header];
  for (const object of result.objects) {
    parts.push(parts.length === 1 ? open : comma, cachedBytes(served, object).subarray(skip));
  }
  parts.push(end);
  return Buffer.concat(parts);
}

function encode(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  result: ListResult,
  representation: Representation,
): string {
  const value = transform(exchange, endpoint, result, representation);
  return representation.encoding === 'yaml' ? writeYaml(value) : JSON.stringify(value);
}

function transform(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  result: ListResult,
  representation: Representation,
): unknown {
  const { served, context } = endpoint;
  const { metaGroup } = context;
  const listMeta = listMetaOf(result);
  const { as, asVersion: version } = representation;
  if (as === undefined) return JSON.parse(joinItems(endpoint, result).toString()) as unknown;
  if (as === 'PartialObjectMetadata') throw notForLists(served);
  const objects = result.objects.map((object) => parseStored(cachedBytes(served, object)));
  if (as === 'Table') {
    return tableOf(endpoint, {
      objects,
      listMeta,
      version,
      includeObject: exchange.query.get('includeObject'),
    });
  }
  const items = objects.map((object) => partialObjectMetadata(object, { metaGroup, version }));
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${metaGroup}/${version}`,
    metadata: listMeta,
    items,
  };
}

function notForLists({ kind, listKind }: ServedKind): Error {
  const packageName = kind.group === '' ? 'core' : kind.group.split('.')[0];
  return otherFailure(
    406,
    'NotAcceptable',
    `you requested PartialObjectMetadata, but the requested object is a list (*${packageName}.${listKind})`,
  );
}
