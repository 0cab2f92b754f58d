import { partialObjectMetadata, singleListMeta } from '../../apis/tables/index.ts';
import { encodeWatchEvent } from '../../machinery/codec/index.ts';
import { encodeEnvelope, encodeWatchFrame } from '../../machinery/codec/protobuf/index.ts';
import type { Status } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { parseStored } from '../../registry/index.ts';
import type { CachedObject, WatchEvent } from '../../storage/watch-cache/index.ts';
import { encodeProtobuf } from '../request/encode-value.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from '../request/negotiate.ts';
import type { StoredEndpoint } from './endpoint.ts';
import { readIncludeObject, tableOf } from './table.ts';
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
  const formOf = formOfObjects(exchange, endpoint, representation);
  const initialEndMark = { [dialect.label('initial-events-end')]: 'true' };
  const bookmark = (revision: number, annotations?: Readonly<Record<string, string>>) =>
    frameOf('BOOKMARK', formOf(bookmarkOf(endpoint, revision, annotations)));
  return {
    event: eventFrames(endpoint, { representation, frameOf, formOf }),
    bookmark: (revision) => bookmark(revision),
    initialEnd: (revision) => bookmark(revision, initialEndMark),
    error: (status) => frameOf('ERROR', status),
  };
}

type EventType = Parameters<typeof encodeWatchEvent>[0];
type EventFrames = FrameEncoder['event'];

/** How events of objects in a form are written. */
interface FormFrames {
  readonly representation: Representation;
  frameOf(type: EventType, value: object): Buffer;
  formOf(object: ApiObject): object;
}

function eventFrames(endpoint: StoredEndpoint, form: FormFrames): EventFrames {
  switch (form.representation.as) {
    case undefined:
      return form.representation.encoding === 'protobuf' ? binaryFrames(endpoint) : plainFrames(endpoint);
    case 'Table':
      return ({ type, object }) => form.frameOf(type, form.formOf(servedObject(endpoint, object)));
    default:
      return metadataFrames(endpoint, form);
  }
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
  endpoint: StoredEndpoint,
  { representation, frameOf, formOf }: FormFrames,
): EventFrames {
  const { asVersion: version, encoding } = representation;
  return (event) =>
    event.memo(`metadata ${version} ${encoding}`, () =>
      frameOf(event.type, formOf(servedObject(endpoint, event.object))),
    );
}

function servedObject({ served }: StoredEndpoint, object: CachedObject): ApiObject {
  return parseStored(cachedBytes(served, object));
}

/** What one watch shows of an object, bookmarks included. */
function formOfObjects(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  { as, asVersion: version }: Representation,
): FormFrames['formOf'] {
  switch (as) {
    case undefined:
      return (object) => object;
    case 'Table':
      return tables(exchange, endpoint, version);
    default:
      return (object) => partialObjectMetadata(object, { metaGroup: endpoint.context.metaGroup, version });
  }
}

/** Tables of one object each. Columns are sent with the first only. */
function tables(exchange: Exchange, endpoint: StoredEndpoint, version: string): FormFrames['formOf'] {
  let isFirst = true;
  const includeObject = readIncludeObject(exchange);
  return (object) => {
    const table = tableOf(endpoint, {
      objects: [object],
      listMeta: singleListMeta(object),
      version,
      includeObject,
    });
    const sent = isFirst ? table : { ...table, columnDefinitions: null };
    isFirst = false;
    return sent;
  };
}

/** A bookmark carries an empty object of the kind with its resourceVersion. */
function bookmarkOf(
  { served: { kind, type } }: StoredEndpoint,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): ApiObject {
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  const metadata = { resourceVersion: String(revision), annotations };
  if (type.isUnstructured === true) {
    // As release 1.20 has them: they were never created.
    const sorted = { ...(annotations && { annotations }), resourceVersion: String(revision) };
    return { apiVersion, kind: kind.kind, metadata: sorted };
  }
  // Types of kinds decode to objects.
  return type.decode({ kind: kind.kind, apiVersion, metadata }) as unknown as ApiObject;
}
