import { partialObjectMetadata, singleListMeta } from '../../apis/tables/index.ts';
import { encodeWatchEvent } from '../../machinery/codec/index.ts';
import { encodeEnvelope, encodeWatchFrame } from '../../machinery/codec/protobuf/index.ts';
import type { Status } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { WatchEvent } from '../../storage/watch-cache/index.ts';
import { encodeProtobuf } from '../request/encode-value.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from '../request/negotiate.ts';
import type { StoredEndpoint } from './endpoint.ts';
import { parseStored, tableOf } from './table.ts';
import { cachedBytes } from './write-object.ts';

/** Makes the frames of one watch. Plain frames are made once per event, however many watches send them. */
export interface FrameEncoder {
  event(event: WatchEvent): Buffer;
  bookmark(revision: number): Buffer;
  /** The bookmark that ends the state with which a streaming list begins. */
  initialEnd(revision: number): Buffer;
  error(status: Status): Buffer;
}

/** The encoder for a representation. */
export function frameEncoder(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  representation: Representation,
): FrameEncoder {
  const isBinary = representation.encoding === 'protobuf';
  const { protobuf, dialect } = endpoint.context;
  const frameOf = (type: EventType, value: object): Buffer =>
    isBinary
      ? encodeWatchFrame(type, encodeProtobuf(value, protobuf))
      : encodeWatchEvent(type, Buffer.from(JSON.stringify(value)));
  const typeMeta = bookmarkType(endpoint, representation);
  const initialEndMark = { [dialect.label('initial-events-end')]: 'true' };
  const shared = {
    bookmark: (revision: number) => frameOf('BOOKMARK', bookmarkOf(typeMeta, revision)),
    initialEnd: (revision: number) => frameOf('BOOKMARK', bookmarkOf(typeMeta, revision, initialEndMark)),
    error: (status: Status) => frameOf('ERROR', status),
  };
  switch (representation.as) {
    case undefined:
      return { ...shared, event: isBinary ? binaryFrames(endpoint) : plainFrames(endpoint) };
    case 'Table':
      return { ...shared, event: tableFrames(exchange, endpoint, { representation, frameOf }) };
    default:
      return { ...shared, event: metadataFrames(endpoint, { representation, frameOf }) };
  }
}

type EventType = Parameters<typeof encodeWatchEvent>[0];
type EventFrames = FrameEncoder['event'];

/** How events of objects in a form are written. */
interface FormFrames {
  readonly representation: Representation;
  frameOf(type: EventType, value: object): Buffer;
}

function plainFrames({ served }: StoredEndpoint): EventFrames {
  const { kind } = served;
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  return (event) =>
    event.memo(apiVersion, () => encodeWatchEvent(event.type, cachedBytes(served, event.object)));
}

function binaryFrames({ served, context }: StoredEndpoint): EventFrames {
  const { group, version, kind } = served.kind;
  const typeMeta = { kind, apiVersion: formatGroupVersion(group, version) };
  const name = `protobuf ${typeMeta.apiVersion}`;
  const frames = context.protobufFrames;
  return (event) =>
    event.memo(name, () =>
      encodeWatchFrame(event.type, encodeEnvelope(typeMeta, frames.peek(served, event.object))),
    );
}

function metadataFrames(
  { served, context }: StoredEndpoint,
  { representation, frameOf }: FormFrames,
): EventFrames {
  const { metaGroup } = context;
  const { asVersion: version, encoding } = representation;
  return (event) =>
    event.memo(`metadata ${version} ${encoding}`, () => {
      const object = parseStored(cachedBytes(served, event.object));
      return frameOf(event.type, partialObjectMetadata(object, { metaGroup, version }));
    });
}

/** Columns are sent with the first event only. */
function tableFrames(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  { representation, frameOf }: FormFrames,
): EventFrames {
  let isFirst = true;
  const includeObject = exchange.query.get('includeObject');
  const { asVersion: version } = representation;
  return (event) => {
    const object = parseStored(cachedBytes(endpoint.served, event.object));
    const table = tableOf(endpoint, {
      objects: [object],
      listMeta: singleListMeta(object),
      version,
      includeObject,
    });
    const sent = isFirst ? table : { ...table, columnDefinitions: null };
    isFirst = false;
    return frameOf(event.type, sent);
  };
}

/** Kind and version of bookmarks: those of the objects, as clients of partial metadata read nothing else. */
function bookmarkType(
  { served, context }: StoredEndpoint,
  { as, asVersion }: Representation,
): Pick<ApiObject, 'kind' | 'apiVersion'> {
  const { group, version, kind } = served.kind;
  if (as === undefined || as === 'Table') return { kind, apiVersion: formatGroupVersion(group, version) };
  return { kind: 'PartialObjectMetadata', apiVersion: formatGroupVersion(context.metaGroup, asVersion) };
}

/** A bookmark carries an object of the kind with nothing but its resourceVersion. */
function bookmarkOf(
  typeMeta: Pick<ApiObject, 'kind' | 'apiVersion'>,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): object {
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, annotations };
  return { ...typeMeta, metadata };
}
