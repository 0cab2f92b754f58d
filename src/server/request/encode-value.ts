import { writeYaml } from '../../machinery/codec/index.ts';
import { encodeEnvelope, type ProtobufCompiler } from '../../machinery/codec/protobuf/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import type { Exchange } from './exchange.ts';
import type { Negotiator, Representation } from './negotiate.ts';
import { prettyJson, wantsPretty } from './pretty-json.ts';

/** What answers in any encoding need. */
export interface Encodings {
  readonly negotiator: Negotiator;
  /** Encodes the kinds that have a Protobuf form. */
  readonly protobuf: ProtobufCompiler;
}

const newline = Buffer.from('\n');

/**
 * The body of an answer that is one small value with kind and version, such as a Status: JSON ends with a line end, but
 * where it is written for people.
 *
 * @throws NoProtobufFormError for Protobuf of a kind that has none.
 */
export function encodeValue(
  exchange: Exchange,
  representation: Representation,
  { value, protobuf }: { readonly value: object; readonly protobuf: ProtobufCompiler },
): Buffer {
  switch (representation.encoding) {
    case 'protobuf':
      return encodeProtobuf(value, protobuf);
    case 'yaml':
      return Buffer.from(writeYaml(value));
    case 'json':
      if (wantsPretty(exchange, representation)) return Buffer.from(prettyJson(value));
      return Buffer.concat([Buffer.from(JSON.stringify(value)), newline]);
  }
}

/** The enveloped message of a value with a kind. @throws NoProtobufFormError */
export function encodeProtobuf(value: object, protobuf: ProtobufCompiler): Buffer {
  const { kind = '', apiVersion = '' } = value as { readonly kind?: string; readonly apiVersion?: string };
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  // Two kinds have a version that is not always named, or another one than that which the catalog has them in: discovery
  // documents of the core group, and partial metadata, which is the same message in both versions of its group.
  const isUnnamed = version === '' || kind === 'PartialObjectMetadata';
  const message = protobuf.kind({ group, version: isUnnamed ? 'v1' : version, kind });
  return encodeEnvelope({ kind, apiVersion }, message.encodeFramed(value));
}
