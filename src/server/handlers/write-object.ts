import { partialObjectMetadata, singleListMeta } from '../../apis/tables/index.ts';
import { asJsonObject } from '../../base/index.ts';
import { reversion, writeYaml } from '../../machinery/codec/index.ts';
import { encodeEnvelope } from '../../machinery/codec/protobuf/index.ts';
import { otherFailure } from '../../machinery/errors/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import {
  fromStorageVersion,
  parseStored,
  restAfterStep,
  type ServedKind,
  withConversions,
} from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import { encodeProtobuf } from '../request/encode-value.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from '../request/negotiate.ts';
import { prettyJson, wantsPretty } from '../request/pretty-json.ts';
import { respondWhole } from '../streaming/respond-in-pieces.ts';
import type { StoredEndpoint } from './endpoint.ts';
import { readIncludeObject, tableOf } from './table.ts';
import { notAList } from './unfit-form.ts';

/** Bytes of a stored object in the served version. Stored bytes are sent as they are when that is possible. */
function servedBytes(served: ServedKind, stored: Buffer): Buffer {
  if (served.reader !== undefined) return served.reader.show(stored);
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
  const { reader } = served;
  if (reader !== undefined) return object.memo(reader.name, () => reader.show(object.bytes, object));
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
  /** The cached object that has these bytes, if it is one. */
  readonly cached?: CachedObject | undefined;
  /** Bytes to answer with instead, in the served version, where something was left out. */
  readonly shown?: Buffer | undefined;
}

/** Answers with one object, in the representation that the client asked for. */
export async function writeObject(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  answer: Answer,
): Promise<void> {
  const { representation } = endpoint;
  const { compresses } = endpoint.context;
  const wait = restAfterStep({ sizeBytes: answer.stored.length, turns: exchange.turns });
  if (wait !== undefined) await wait;
  const encode = (): Buffer => bodyOf(exchange, endpoint, answer, representation);
  const rest = respondWhole(exchange, {
    code: answer.code,
    contentType: representation.contentType,
    body: endpoint.served.store.convertsRemotely === true ? await withConversions(encode) : encode(),
    compresses,
  });
  if (rest !== undefined) await rest;
}

/** What ends JSON that is not written for people. */
const newline = Buffer.from('\n');

function bodyOf(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  { stored, cached, shown }: Answer,
  representation: Representation,
): Buffer {
  const { served, context } = endpoint;
  const { as, encoding } = representation;
  if (as === undefined && encoding === 'protobuf' && shown === undefined) {
    const frames = context.protobufFrames;
    const framed = cached === undefined ? frames.encode(served, stored) : frames.keep(served, cached);
    const { group, version, kind } = served.kind;
    return encodeEnvelope({ kind, apiVersion: formatGroupVersion(group, version) }, framed);
  }
  const bytes = shown ?? (cached === undefined ? servedBytes(served, stored) : cachedBytes(served, cached));
  if (served.type.isUnstructured === true) checkIsNoList(bytes);
  const isPretty = wantsPretty(exchange, representation);
  if (as === undefined && encoding === 'json' && !isPretty) return Buffer.concat([bytes, newline]);
  const value = transformed(exchange, endpoint, representation, bytes);
  if (encoding === 'yaml') return Buffer.from(writeYaml(value));
  if (encoding === 'protobuf') return encodeProtobuf(value, context.protobuf);
  return Buffer.from(isPretty ? prettyJson(value) : `${JSON.stringify(value)}\n`);
}

const listMark = Buffer.from('"items":[');

/** @throws StatusError 500 for an object with a list of items, which release 1.20 takes for a list without any. */
function checkIsNoList(bytes: Buffer): void {
  if (!bytes.includes(listMark) || !Array.isArray(asJsonObject(parseStored(bytes)).items)) return;
  const message = '*unstructured.Unstructured is not a list: no Items field in this object';
  throw otherFailure(500, '', message);
}

function transformed(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  representation: Representation,
  bytes: Buffer,
): object {
  const object = parseStored(bytes);
  const { metaGroup } = endpoint.context;
  const { asVersion: version } = representation;
  if (representation.as === undefined) return object;
  if (representation.as === 'PartialObjectMetadataList') throw notAList(endpoint.served);
  if (representation.as !== 'Table') return partialObjectMetadata(object, { metaGroup, version });
  const includeObject = readIncludeObject(exchange);
  return tableOf(endpoint, { objects: [object], listMeta: singleListMeta(object), version, includeObject });
}
