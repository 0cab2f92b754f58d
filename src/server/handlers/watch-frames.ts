import { partialObjectMetadata, singleListMeta } from '../../apis/tables/index.ts';
import { encodeWatchEvent } from '../../machinery/codec/index.ts';
import type { Status } from '../../machinery/errors/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { WatchEvent } from '../../storage/watch-cache/index.ts';
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
  const { kind } = endpoint.served;
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  const initialEndMark = { [endpoint.context.dialect.label('initial-events-end')]: 'true' };
  const shared = {
    bookmark: (revision: number) => bookmarkFrame(kind.kind, apiVersion, revision),
    initialEnd: (revision: number) => bookmarkFrame(kind.kind, apiVersion, revision, initialEndMark),
    error: (status: Status) => encodeWatchEvent('ERROR', Buffer.from(JSON.stringify(status))),
  };
  if (representation.as === undefined) {
    return { ...shared, event: (event) => plainFrame(endpoint, apiVersion, event) };
  }
  if (representation.as === 'Table')
    return { ...shared, event: tableFrames(exchange, endpoint, representation) };
  return { ...shared, event: (event) => metadataFrame(endpoint, representation, event) };
}

function plainFrame(endpoint: StoredEndpoint, apiVersion: string, event: WatchEvent): Buffer {
  return event.memo(apiVersion, () =>
    encodeWatchEvent(event.type, cachedBytes(endpoint.served, event.object)),
  );
}

function metadataFrame(endpoint: StoredEndpoint, representation: Representation, event: WatchEvent): Buffer {
  const { metaGroup } = endpoint.context;
  const { asVersion: version } = representation;
  return event.memo(`metadata ${version}`, () => {
    const object = parseStored(cachedBytes(endpoint.served, event.object));
    const partial = partialObjectMetadata(object, { metaGroup, version });
    return encodeWatchEvent(event.type, Buffer.from(JSON.stringify(partial)));
  });
}

/** Columns are sent with the first event only. */
function tableFrames(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  representation: Representation,
): (event: WatchEvent) => Buffer {
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
    return encodeWatchEvent(event.type, Buffer.from(JSON.stringify(sent)));
  };
}

/** A bookmark carries an object of the kind with nothing but its resourceVersion. */
function bookmarkFrame(
  kind: string,
  apiVersion: string,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): Buffer {
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, annotations };
  return encodeWatchEvent('BOOKMARK', Buffer.from(JSON.stringify({ kind, apiVersion, metadata })));
}
