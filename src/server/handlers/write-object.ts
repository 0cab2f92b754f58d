import { partialObjectMetadata, singleListMeta } from '../../apis/tables/index.ts';
import { reversion, writeYaml } from '../../machinery/codec/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { fromStorageVersion, type ServedKind } from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from '../request/negotiate.ts';
import { respond, respondJson } from '../request/respond.ts';
import type { StoredEndpoint } from './endpoint.ts';
import { parseStored, tableOf } from './table.ts';

/** Bytes of a stored object in the served version. Stored bytes are sent as they are when that is possible. */
export function servedBytes(served: ServedKind, stored: Buffer): Buffer {
  const { storageKind } = served.store;
  const from = formatGroupVersion(storageKind.group, storageKind.version);
  const to = formatGroupVersion(served.kind.group, served.kind.version);
  if (from === to) return stored;
  if (served.conversion === undefined) return reversion(stored, storageKind.kind, from, to);
  const object = fromStorageVersion(served, parseStored(stored));
  return Buffer.from(JSON.stringify(served.type.canonicalize(object)));
}

/** The same for a cached object, remembered per object version. */
export function cachedBytes(served: ServedKind, object: CachedObject): Buffer {
  const { storageKind } = served.store;
  if (served.kind.version === storageKind.version && served.kind.group === storageKind.group)
    return object.bytes;
  const name = formatGroupVersion(served.kind.group, served.kind.version);
  return object.memo(name, () => servedBytes(served, object.bytes));
}

/** An object to answer with, by its stored bytes. */
export interface Answer {
  readonly code: number;
  readonly stored: Buffer;
  /** Bytes in the served version where they are known already. */
  readonly served?: Buffer | undefined;
}

/** Answers with one object, in the representation that the client asked for. */
export function writeObject(exchange: Exchange, endpoint: StoredEndpoint, answer: Answer): void {
  const representation = endpoint.context.negotiator.choose(exchange.request.headers.accept);
  const bytes = answer.served ?? servedBytes(endpoint.served, answer.stored);
  if (representation.as === undefined && representation.encoding === 'json') {
    respondJson(exchange, answer.code, bytes);
    return;
  }
  const value = transformed(exchange, endpoint, representation, bytes);
  const text = representation.encoding === 'yaml' ? writeYaml(value) : JSON.stringify(value);
  respond(exchange, { code: answer.code, contentType: representation.contentType, body: Buffer.from(text) });
}

function transformed(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  representation: Representation,
  bytes: Buffer,
): unknown {
  const object = parseStored(bytes);
  const { metaGroup } = endpoint.context;
  const { asVersion: version } = representation;
  if (representation.as === undefined) return object;
  if (representation.as !== 'Table') return partialObjectMetadata(object, { metaGroup, version });
  const includeObject = exchange.query.get('includeObject');
  return tableOf(endpoint, { objects: [object], listMeta: singleListMeta(object), version, includeObject });
}
